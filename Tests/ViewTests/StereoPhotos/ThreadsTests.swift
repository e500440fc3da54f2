import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import PictureFiles
import StereoPhotos
import Testing
import ViewSynthesis

/// Encoders use the caller's number of threads, and no byte depends on this number.
@Suite struct ThreadsTests {
  private let image = Image(
    height: 150, width: 402,
    pixels: (0..<150 * 402 * 3).map { UInt8(truncatingIfNeeded: $0 &* $0 / 977) })
  private let depth = DepthMap(
    height: 150, width: 402, unit: .metres,
    values: (0..<150 * 402).map { $0 % 402 < 130 ? 1.5 : 3 + Float($0 % 402) / 402 })

  private func stereo(_ format: StereoFormat, threads: Int) throws -> [StereoFile] {
    var output = StereoOutput()
    output.isLossless = true
    return try image.stereoFiles(as: format, depth: depth, output: output, threads: threads)
  }

  @Test("stereo files are equal on any number of threads", arguments: StereoFormat.ofAnyPhoto)
  func stereoFiles(format: StereoFormat) throws {
    let one = try stereo(format, threads: 1)
    for threads in [2, 5] { #expect(try stereo(format, threads: threads) == one) }
  }

  /// One picture of each encoder, for a number of threads.
  private static let encoders: [String] = [
    "png", "jpeg", "depth png", "depth npy", "gdepth", "dynamic-depth", "animated png",
  ]

  private func encoded(_ name: String, threads: Int) throws -> [UInt8] {
    switch name {
    case "png": try image.encoded(as: .png, call: CallContext(threads: threads))
    case "jpeg": try image.encoded(as: .jpeg(), call: CallContext(threads: threads))
    case "depth png": try depth.encoded(as: .png, call: CallContext(threads: threads))
    case "depth npy": try depth.encoded(as: .npy, call: CallContext(threads: threads))
    case "gdepth": try DepthPhoto.encode(image, depth: depth, as: .gDepth, threads: threads)
    case "dynamic-depth":
      try DepthPhoto.encode(image, depth: depth, as: .dynamicDepth, threads: threads)
    default:
      try PictureAnimation(frames: [image, image]).animatedPNG(call: CallContext(threads: threads))
    }
  }

  @Test(
    "encoded files do not depend on the number of threads", arguments: encoders
  )
  func otherFiles(name: String) throws {
    let one = try encoded(name, threads: 1)
    for threads in [2, 5] { #expect(try encoded(name, threads: threads) == one) }
    // An invalid number is refused only if the encoder receives it.
    guard ["gdepth", "dynamic-depth"].contains(name) else { return }
    for threads in [0, -1, 257] {
      let error = #expect(throws: DepthError.self) { try encoded(name, threads: threads) }
      #expect(error?.code == .invalidArgument)
    }
  }
}
