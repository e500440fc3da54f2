import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// `depth evaluate --sets` on four small sets with maps from files.
@Suite struct SetEvaluationTests {
  private static let (width, height) = (12, 9)

  /// A frame's truth in metres, with holes and depths out of range.
  private struct Frame {
    let set: String
    let truth: [Float]
    let map: DepthMap

    init(_ set: String, distance: Float, factor: Float) {
      self.set = set
      let count = SetEvaluationTests.width * SetEvaluationTests.height
      let stream = CounterStream("\(set) \(distance)")
      func share(_ index: Int) -> Float { Float(stream[index] & 1023) / 1024 }
      truth = (0..<count).map { index in
        switch index % 10 {
        case 0: 0
        case 1: index % 20 == 1 ? 0.05 : 11
        default: distance * (0.6 + 0.8 * share(index))
        }
      }
      map = DepthMap(
        height: 6, width: 8, unit: .metres,
        values: (0..<48).map { factor * distance * (0.7 + 0.6 * share(1000 + $0)) })
    }

    /// The usual formulas, pixel by pixel.
    var measures: (rel: Double, delta1: Double, scale: Double, scaled: Double, distance: Double) {
      let stretched = referenceBilinear(
        map.values, height: 6, width: 8, toHeight: SetEvaluationTests.height,
        width: SetEvaluationTests.width)
      let pairs = zip(stretched, truth).map { (Double($0), Double($1)) }
        .filter { $0.1 > 0.1 && $0.1 < 10 }
      func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
      }
      let scale = median(pairs.map { log($0.0 / $0.1) })
      func delta1(_ factor: Double) -> Double {
        let within = pairs.count { max($0.0 / factor / $0.1, $0.1 * factor / $0.0) < 1.25 }
        return Double(within) / Double(pairs.count)
      }
      let rel = pairs.reduce(0) { $0 + abs($1.0 - $1.1) / $1.1 } / Double(pairs.count)
      return (rel, delta1(1), scale, delta1(exp(scale)), median(pairs.map(\.1)))
    }
  }

  private static let frames = [
    Frame("close", distance: 0.6, factor: 1.4), Frame("close", distance: 0.7, factor: 2),
    Frame("room", distance: 3, factor: 0.9), Frame("table", distance: 1, factor: 1.1),
    Frame("virtual", distance: 2, factor: 3),
  ]

  private func folder(focalLength: Double = 10) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    for (set, frames) in Dictionary(grouping: Self.frames, by: \.set) {
      for part in ["sets/\(set)/rgb", "sets/\(set)/depth", "maps/\(set)"] {
        try manager.createDirectory(atPath: folder.path(part), withIntermediateDirectories: true)
      }
      var description: [String: Any] = ["focal_px": focalLength, "sensor": "made up"]
      if set == "table" { description["depth_scale"] = 4000 }
      if set == "virtual" { description["rendered"] = true }
      _ = try folder.write(
        Array(JSONSerialization.data(withJSONObject: description)), to: "sets/\(set)/camera.json")
      for (index, frame) in frames.enumerated() {
        let photo = MadeUpPictures.photo(height: Self.height, width: Self.width)
        _ = try folder.write(photo.encoded(as: .png), to: "sets/\(set)/rgb/\(index).png")
        let scale: Float = set == "table" ? 4000 : 1000
        try DepthMap(
          height: Self.height, width: Self.width, unit: .metres,
          values: frame.truth.map { $0 * scale }
        ).write(to: URL(filePath: folder.path("sets/\(set)/depth/\(index).npy")))
        try frame.map.write(to: URL(filePath: folder.path("maps/\(set)/\(index).pfm")))
      }
    }
    try manager.createDirectory(
      atPath: folder.path("sets/other"), withIntermediateDirectories: true)
    return folder
  }

  private func evaluated(
    _ folder: TemporaryFolder, _ options: [String]
  ) throws -> [[String: Any]] {
    let outcome = try runDepth(
      ["evaluate", "--sets", folder.path("sets"), "--json", "--quiet"] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try outcome.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func expect(
    _ row: [String: Any], _ expected: KeyValuePairs<String, Double>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (key, value) in expected {
      let found = row[key] as? Double ?? .nan
      #expect(abs(found - value) < 1e-6, "\(key) is \(found)", sourceLocation: sourceLocation)
    }
  }

  @Test("every set has a row of measures") func everySetHasARowAndRenderedOnesNoGroup() throws {
    let folder = try folder()
    let rows = try evaluated(folder, ["--predictions", folder.path("maps")])
    #expect(rows.compactMap { $0["set"] as? String } == ["close", "room", "table", "virtual"])
    #expect(rows.compactMap { $0["group"] as? String } == ["near", "far"])
    let all = Self.frames.map(\.measures)
    func mean(_ a: Double, _ b: Double) -> Double { (a + b) / 2 }
    // The median of two frames is the mean of both.
    expect(
      rows[0],
      [
        "frames": 2, "rel": mean(all[0].rel, all[1].rel),
        "delta1": mean(all[0].delta1, all[1].delta1), "scale": mean(all[0].scale, all[1].scale),
        "scaled_delta1": mean(all[0].scaled, all[1].scaled),
        "distance_m": mean(all[0].distance, all[1].distance),
      ])
    for (row, frame) in [(1, 2), (2, 3), (3, 4)] {
      let one = all[frame]
      expect(
        rows[row],
        [
          "frames": 1, "rel": one.rel, "delta1": one.delta1, "scale": one.scale,
          "scaled_delta1": one.scaled, "distance_m": one.distance,
        ])
    }
    #expect(rows.map { $0["rendered"] as? Bool } == [false, false, false, true, nil, nil])
    #expect(rows.allSatisfy { $0["expected_error"] == nil }, "files state no expected error")
    let alone = try runDepth([
      "evaluate", folder.path("sets/room"), "--predictions", folder.path("maps/room"),
      "--depth-scale", "1000", "--protocol", "per-image", "--json", "--quiet",
    ])
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(alone.output)) as? [String: Any])
    expect(rows[1], ["boundary_f1": try #require(record["boundary_f1"] as? Double)])
    let scales = [mean(all[0].scale, all[1].scale), all[3].scale]
    expect(
      rows[4],
      [
        "sets": 2, "rel": mean(mean(all[0].rel, all[1].rel), all[3].rel),
        "delta1": mean(mean(all[0].delta1, all[1].delta1), all[3].delta1),
        "scaled_delta1": mean(mean(all[0].scaled, all[1].scaled), all[3].scaled),
        "scale": mean(scales[0], scales[1]),
        "scale_magnitude": mean(abs(scales[0]), abs(scales[1])),
      ])
    expect(
      rows[5],
      ["sets": 1, "rel": all[2].rel, "scale": all[2].scale, "scale_magnitude": abs(all[2].scale)])
    let table = try runDepth([
      "evaluate", "--sets", folder.path("sets"), "--predictions", folder.path("maps"), "--quiet",
    ])
    #expect(table.text.contains("virtual, rendered") && table.text.contains("2 near sets"))
    let half = try evaluated(folder, ["--predictions", folder.path("maps"), "--every", "2"])
    #expect(half[0]["frames"] as? Int == 1)
  }

  /// A set may state its focal length or not.
  @Test("the focal length of a set scales its estimates") func focalLengthIsTheSets() throws {
    let focalLength = 2 * 519.16 / (640 * 480.0).squareRoot() * (12 * 9.0).squareRoot()
    let folder = try folder(focalLength: focalLength)
    let with = try evaluated(folder, [])
    let without = try evaluated(folder, ["--focal-length", "none"])
    let outcome = try runDepth([
      "predict", folder.path("sets/room/rgb/0.png"), "-o", folder.path("d.pfm"), "--json",
      "--quiet", "--refine", "none", "--focal-length", "\(focalLength)px",
    ])
    let record = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    let factor = try #require(record?["depth_factor"] as? Double)
    #expect(with.allSatisfy { ($0["expected_error"] as? Double ?? 0) > 0 })
    for (one, other) in zip(with, without) where one["set"] != nil {
      let (a, b) = (try #require(one["scale"] as? Double), try #require(other["scale"] as? Double))
      #expect(abs(a - b - log(factor)) < 1e-4)
    }
  }

  @Test(
    "options of other data sets are refused with --sets",
    arguments: [
      (["--split", "test"], "--split has no effect with --sets"),
      (["--protocol", "eigen"], "--protocol has no effect with --sets"),
      (["--depth-scale", "1000"], "--depth-scale has no effect with --sets"),
      (["--csv", "-"], "--csv has no effect with --sets"),
      (["--focal-length", "26mm"], "--focal-length is 26mm, expected none"),
      (["data"], "--sets excludes DATASET"),
    ])
  func optionsOfOtherDatasetsAreRefused(arguments: [String], words: String) throws {
    let outcome = try runDepth(["evaluate", "--sets", "."] + arguments)
    #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test("a broken set is refused by its name") func brokenSetsAreRefused() throws {
    let missing = try runDepth(["evaluate"])
    #expect(missing.status == 64 && missing.errors.contains("DATASET or --sets is missing"))
    let alone = try runDepth(["evaluate", ".", "--focal-length", "none"])
    #expect(alone.status == 64 && alone.errors.contains("--focal-length requires --sets"))
    let folder = try folder()
    func error() throws -> String {
      let outcome = try runDepth([
        "evaluate", "--sets", folder.path("sets"), "--predictions", folder.path("maps"), "--quiet",
      ])
      #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
      return outcome.errors
    }
    try FileManager.default.removeItem(atPath: folder.path("sets/room/rgb/0.png"))
    #expect(try error().contains("room"))
    for text in ["{}", #"{"focal_px": 0}"#, #"{"focal_px": 5, "depth_scale": -1}"#, "[]"] {
      _ = try folder.write(Array(text.utf8), to: "sets/close/camera.json")
      #expect(try error().contains("close/camera.json: damaged camera"))
    }
    let blanks = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
    _ = try folder.write(blanks, to: "sets/close/camera.json")
    #expect(try error().contains("close/camera.json: is longer than 1048576 bytes"))
    let empty = try runDepth(["evaluate", "--sets", folder.path("maps"), "--quiet"])
    #expect(empty.status == 1 && empty.errors.contains("holds no set"), "\(empty.errors)")
  }
}
