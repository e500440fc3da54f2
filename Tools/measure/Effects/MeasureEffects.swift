import ArgumentParser
import DepthEffects
import DepthImages
import Foundation
import PictureFiles

/// Compares the lens blur with a ray-traced thin lens.
struct MeasureEffects: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "effects",
    abstract: "Errors against scenes that render-scenes --aperture wrote as PNG.",
    discussion: """
      Methods: the photo itself, O. L. Brown's mask-blended blur, BokehMe's classical scatter, and the lens. \
      With --depth also all of them with maps from elsewhere, such as depth predict's, named \
      STEM_depth.png. Then the focus is the map's median where the true depth is that of the focus.
      """)

  @Argument(help: "Folder of the scenes.") var folder: String
  @Option(help: "Diameter of the lens, metres, as rendered.") var aperture: Double
  @Option(help: "Focus, metres, as rendered; by default what the middle shows.")
  var focus: Double?
  @Option(help: "Focal length of the scenes, pixels.") var focalLength = 525.0
  @Option(help: "Folder of other maps.") var depth: String?
  @Option(help: "Folder for the pictures.") var pictures: String?
  @Option var threads = 2

  func run() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix("_lens.png") }.sorted()
    var rows: [(name: String, errors: [[PictureError]])] = []
    for file in files {
      let stem = String(file.dropLast("_lens.png".count))
      let truth = try LensTruth(
        stem: "\(folder)/\(stem)", aperture: aperture, focus: focus, focalLength: focalLength)
      for (name, picture) in try made(of: truth, stem: stem) {
        if let pictures {
          try picture.write(to: URL(filePath: "\(pictures)/\(stem)_\(name).png"))
        }
        let similarity = structuralSimilarity(picture, truth.lensView)
        let errors = [
          [Bool](repeating: true, count: similarity.count), truth.isNearEdge,
          truth.isNearEdge.map(!),
        ].map {
          PictureError(picture, truth: truth.lensView, similarity: similarity, region: $0)
        }
        if let row = rows.firstIndex(where: { $0.name == name }) {
          rows[row].errors.append(errors)
        } else {
          rows.append((name, [errors]))
        }
      }
    }
    print("\(files.count) scenes           whole            near edges       elsewhere")
    print("method             PSNR dB   SSIM   PSNR dB   SSIM   PSNR dB   SSIM")
    for (name, errors) in rows {
      var line = name.padding(toLength: 18, withPad: " ", startingAt: 0)
      for region in 0..<3 {
        let numbers = errors.map { $0[region] }.filter { !$0.psnr.isNaN }
        let psnr = numbers.reduce(0) { $0 + $1.psnr } / Double(numbers.count)
        let ssim = numbers.reduce(0) { $0 + $1.ssim } / Double(numbers.count)
        line += String(format: "  %6.2f  %.4f", psnr, ssim)
      }
      print(line)
    }
  }

  private func made(of truth: LensTruth, stem: String) throws -> [(String, Image)] {
    let result =
      [("photo", truth.photo)] + (try all(truth, depth: truth.depth, focus: truth.focus))
    guard let depth else { return result }
    let map = try DepthMap(contentsOf: URL(filePath: "\(depth)/\(stem)_depth.png"))
    var tolerance: Float = 0.03
    var there: [Float] = []
    while there.isEmpty {
      there = zip(map.values, truth.depth.values)
        .filter { abs($1 / Float(truth.focus) - 1) < tolerance }.map(\.0).sorted()
      tolerance *= 2
    }
    let focus = Double(there[there.count / 2])
    return result
      + (try all(truth, depth: map, focus: focus).map { ($0.0 + " network", $0.1) })
  }

  /// The methods with one map.
  private func all(
    _ truth: LensTruth, depth: DepthMap, focus: Double
  ) throws -> [(String, Image)] {
    let photo = truth.photo
    let radii = depth.values.map {
      Float(focalLength * aperture / 2 * (1 / Double($0) - 1 / focus))
    }
    let lens = Lens(
      .aperture(fNumber: 1, focalLength: aperture * 1000, camera: .pixels(focalLength)))
    return [
      (
        "mask-blended",
        try photo.maskedBlur(
          depth: depth, focus: .metres(focus),
          radius: truth.largestRadius / Double(photo.width), threads: threads)
      ),
      ("classical", ClassicalScatter(photo: photo, radii: radii).blurred(threads: threads)),
      (
        "lens",
        try photo.lensBlur(depth: depth, focus: .metres(focus), lens: lens, threads: threads)
      ),
    ]
  }
}
