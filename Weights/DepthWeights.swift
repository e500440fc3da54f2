/// The weights that come with the package: this folder's HDF5 files, copied beside every program that
/// is linked with the package, as resources of this target.
///
/// > Note: The generated `Bundle.module` is not used: it falls back to the folder of the build and
/// > traps where there is none.
package enum DepthWeights {
  /// The files and the averaging that a name means.
  package struct Estimate: Sendable {
    /// File names, one for each network.
    package let files: [String]
    /// Whether each network sees the photo's mirror image as well, for twice the time.
    package let averagesMirrored: Bool
  }

  /// What makes an estimate, by the name that a caller uses.
  package static let estimates = [
    "default": Estimate(files: ["fcrn18-nyu-int8.h5"], averagesMirrored: true),
    "compact": Estimate(files: ["fcrn18-nyu-int8.h5"], averagesMirrored: false),
    "confidence": Estimate(files: ["fcrn18-confidence-nyu-int8.h5"], averagesMirrored: false),
  ]

  /// The SHA-256 that the files above state of themselves. Where no child process can be started, the HDF5 library
  /// parses no others: a hostile file would end the program.
  package static let digests: Set<String> = [
    "e5bcf12321de01f6c8b4404be264f327da7e61eb36a55856a2e274c2c332ee74",
    "2d53fc818e005e0d8360a62dc5a184c2a3918be48dc1ba317e1b34627cc318d9",
  ]

  /// The relative error to expect of a photo is `floor + slope · spread`, where `spread` says how far the
  /// maps disagree that `default` averages. `Scripts/fit-uncertainty.py` fits both numbers to held-out
  /// frames; they belong to the files above and are fitted again when those change.
  package static let expectedError = (floor: 0.104, slope: 1.79)

  /// The folder that SwiftPM puts the files into, beside the executable: package, target, and the
  /// platform's extension.
  package static let resourceFolder: String = {
    #if canImport(Darwin)
      "swift-depth_DepthWeights.bundle"
    #else
      "swift-depth_DepthWeights.resources"
    #endif
  }()
}
