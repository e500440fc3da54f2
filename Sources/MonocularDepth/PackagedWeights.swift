/// The weights that come with the package: the HDF5 files of the folder `Weights`, which SwiftPM copies beside every program that
/// is linked with the package, as resources of the target `DepthWeights`.
package enum PackagedWeights {
  /// The files that make one estimate together, by the name that a caller uses: one for each network.
  package static let files = [
    "default": ["fcrn18-nyu-int8.h5", "fcrn-lite2-nyu-int8.h5"],
    "compact": ["fcrn-lite2-nyu-int8.h5"],
  ]

  /// The SHA-256 that the files above state of themselves, by their names.
  package static let digests = [
    "fcrn18-nyu-int8.h5": "ace9a6862cdacc9f953e360d22f5375a3888cb89b4b976e9f4defee9497cccad",
    "fcrn-lite2-nyu-int8.h5": "33df792338675837470863df02a233c61c1c0b6b4152d5165982e1fe7455387e",
  ]

  /// The expected relative error of a photo if no network predicts it: `floor + slope · spread`, where `spread` is the
  /// disagreement of the averaged maps (``DepthEstimate/spread``). `Scripts/fit-uncertainty.py` fitted both
  /// numbers to held-out frames with an earlier FCRN-18 of one output.
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
