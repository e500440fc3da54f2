import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// No command writes a file that would be read back as another quantity.
@Suite struct UnitTests {
  private func disparity(in folder: TemporaryFolder) throws -> String {
    // This file states no unit, like files of other programs.
    let values: [Float] = (0..<48 * 64).map { $0 % 64 < 32 ? 0.25 : 0.5 }
    let metres = DepthMap(height: 48, width: 64, unit: .metres, values: values)
    let path = folder.path("d.pfm")
    try metres.write(to: URL(filePath: path))
    return path
  }

  @Test("a file without a unit holds no normalized depth", arguments: ["pfm", "npy"])
  func filesWithoutAUnitHoldNoNormalizedDepth(format: String) throws {
    let folder = try TemporaryFolder()
    let arguments = [
      "refine", livingRoom, try disparity(in: folder), "--depth-unit", "normalized",
    ]
    let output = folder.path("large.\(format)")
    let outcome = try runDepth(arguments + ["-o", output])
    #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("large.\(format)") && outcome.errors.contains("expected .png"))
    #expect(!FileManager.default.fileExists(atPath: output))
    let piped = try runDepth(arguments + ["-o", "-", "--format", format])
    #expect(piped.status == 1 && piped.output.isEmpty)
    #expect(piped.errors.contains("standard output"), "\(piped.errors)")
  }

  @Test("a depth PNG states its unit") func aPNGStatesItsUnit() throws {
    let folder = try TemporaryFolder()
    let file = try disparity(in: folder)
    let output = folder.path("large.png")
    let outcome = try runDepth([
      "refine", livingRoom, file, "--depth-unit", "disparity", "-o", output,
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let map = try DepthMap(contentsOf: URL(filePath: output))
    #expect(map.unit == .disparity)
    #expect(abs(try #require(try map.inMetres().range()).low - 2) < 0.01)
    // The next command needs no option, but refuses a wrong option.
    let stereo = ["stereo", livingRoom, "--depth", output, "-o", folder.path("s.png")]
    #expect(try runDepth(stereo + ["--depth-unit", "metre"]).status == 1)
    #expect(try runDepth(stereo).status == 0)
  }

  // MARK: - Values per metre

  /// The content of another program's depth file.
  enum File: String, CaseIterable, CustomTestStringConvertible {
    case png, npy, pfm, integers

    var testDescription: String { rawValue }

    /// Writes a map with one value in the left half and another in the right half.
    func write(_ left: Float, _ right: Float, in folder: TemporaryFolder) throws -> String {
      let values = (0..<48 * 64).map { $0 % 64 < 32 ? left : right }
      switch self {
      case .npy, .pfm:
        let path = folder.path("d.\(rawValue)")
        try DepthMap(height: 48, width: 64, unit: .metres, values: values)
          .write(to: URL(filePath: path))
        return path
      case .png:
        let map = DepthMap(
          height: 48, width: 64, unit: .metres, values: values.map { $0 / 1000 })
        return try folder.write(Self.withoutTexts(map.encoded(as: .png)), to: "d.png")
      case .integers:
        var header = "{'descr': '<u2', 'fortran_order': False, 'shape': (48, 64), }"
        header += String(repeating: " ", count: 117 - header.utf8.count) + "\n"
        let samples = values.flatMap { [UInt8(Int($0) & 255), UInt8(Int($0) >> 8)] }
        return try folder.write(
          [0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0] + Array(header.utf8) + samples, to: "d.npy")
      }
    }

    /// A PNG without a unit.
    fileprivate static func withoutTexts(_ png: [UInt8]) -> [UInt8] {
      var (result, start) = (Array(png.prefix(8)), 8)
      while start + 12 <= png.count {
        let end = start + 12 + png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        if !png[start + 4..<start + 8].elementsEqual("tEXt".utf8) { result += png[start..<end] }
        start = end
      }
      return result
    }
  }

  private func photo(in folder: TemporaryFolder) throws -> String {
    let path = folder.path("photo.png")
    try MadeUpPictures.photo(height: 48, width: 64).write(to: URL(filePath: path))
    return path
  }

  /// Scales of TUM, KITTI, centimetres, and other numbers.
  @Test(
    "--depth-scale gives the values per metre",
    arguments: [
      (.png, 5000, 10_000, 20_000), (.png, 256, 512, 1024), (.png, 100, 200, 400),
      (.integers, 1000, 2000, 4000), (.pfm, 100, 200, 400), (.npy, 1000, 2000, 4000),
      (.npy, 0.5, 1, 2),
    ] as [(File, Double, Float, Float)])
  func valuesPerMetreAreGiven(file: File, scale: Double, left: Float, right: Float) throws {
    let folder = try TemporaryFolder()
    let photo = try photo(in: folder)
    let depth = try file.write(left, right, in: folder)
    let metres = folder.path("metres.pfm")
    try DepthMap(
      height: 48, width: 64, unit: .metres, values: (0..<48 * 64).map { $0 % 64 < 32 ? 2 : 4 }
    ).write(to: URL(filePath: metres))
    func made(_ command: [String], _ depth: [String], _ name: String) throws -> [UInt8] {
      let output = folder.path(name)
      let outcome = try runDepth(command + depth + ["-o", output, "--overwrite"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      // A given scale is not doubted. The map in metres is from another photo, which may cause a note.
      if depth.contains("--depth-scale") {
        #expect(!outcome.errors.contains("depth-scale"), "\(outcome.errors)")
      }
      return try TemporaryFolder.bytes(of: output)
    }
    let option = ["--depth-scale", "\(scale)"]
    let refined = try made(
      ["refine", photo, depth, "--refine", "none"], option, "refined.pfm")
    #expect(refined == (try TemporaryFolder.bytes(of: metres)))
    for command in [
      ["stereo", photo, "--format", "holes"], ["effect", "mask", photo, "--focus", "2m"],
    ] {
      // The files record their options, so only the pixels are equal.
      let pixels = try [["--depth", depth] + option, ["--depth", metres]].map {
        try Image(decoding: made(command, $0, "a.png")).pixels
      }
      #expect(pixels[0] == pixels[1], "\(command)")
    }
    #expect(
      try made(["export", photo, "--fov", "60"], ["--depth", depth] + option, "a.ply")
        == made(["export", photo, "--fov", "60"], ["--depth", metres], "b.ply"))
  }

  /// Depth files as other programs write: raw disparity, millimetres, and metres times 256.
  private func foreign(in folder: TemporaryFolder) throws {
    let predicted = try runDepth(["predict", livingRoom, "-o", "own.npy", "--quiet"], in: folder)
    #expect(predicted.status == 0, "\(predicted.errors)")
    let own = try DepthMap(contentsOf: folder.url("own.npy"))
    func write(_ name: String, _ value: (Float) -> Float) throws {
      let map = DepthMap(
        height: own.height, width: own.width, unit: .metres, values: own.values.map(value))
      try map.write(to: folder.url(name))
    }
    try own.write(to: folder.url("own.png"))
    try write("raw.npy") { 10 + 30 / $0 }
    try write("millimetres.pfm") { 1000 * $0 }
    // A depth PNG has 1000 values per metre.
    try write("times256.png") { 0.256 * $0 }
    _ = try folder.write(
      File.withoutTexts(TemporaryFolder.bytes(of: folder.path("times256.png"))), to: "times256.png")
  }

  @Test("unlikely depth is noted with the option that helps") func unlikelyDepthGetsANote() throws {
    let folder = try TemporaryFolder()
    try foreign(in: folder)
    for (file, options, named) in [
      ("own.npy", [], nil), ("own.png", [], nil),
      ("raw.npy", [], "--depth-unit relative-disparity"),
      ("raw.npy", ["--depth-unit", "metre"], "--depth-unit relative-disparity"),
      ("raw.npy", ["--depth-unit", "relative-disparity"], nil),
      ("millimetres.pfm", [], "times farther"),
      ("millimetres.pfm", ["--depth-scale", "1000"], nil),
      ("times256.png", ["--depth-unit", "millimetre"], "times nearer"),
      ("times256.png", ["--depth-scale", "256"], nil),
      // A given scale is not doubted.
      ("times256.png", ["--depth-scale", "5"], nil),
    ] as [(String, [String], String?)] {
      for command in [
        ["refine", livingRoom, file, "--refine", "none", "-o", "a.png"],
        ["stereo", livingRoom, "--depth", file, "-o", "b.png"],
      ] {
        let outcome = try runDepth(command + options + ["--overwrite"], in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let notes = outcome.errorLines.filter { $0.contains("network's map") }
        #expect(notes.count == (named == nil ? 0 : 1), "\(outcome.errors)")
        #expect(notes.allSatisfy { $0.contains(file) && $0.contains(named ?? "") }, "\(notes)")
      }
    }
  }

  /// The usual options come first.
  @Test("the refusal of a missing unit names options") func aMissingUnitNamesItsOptions() throws {
    let folder = try TemporaryFolder()
    let file = try File.png.write(500, 900, in: folder)
    let outcome = try runDepth(["refine", try photo(in: folder), file])
    #expect(
      outcome.status == 1
        && outcome.errors.contains(
          "(--depth-scale 256 for 256 values per metre, --depth-unit relative-disparity for Depth Anything and MiDaS, "
            + "or --depth-unit with another of these)"),
      "\(outcome.errors)")
  }
}
