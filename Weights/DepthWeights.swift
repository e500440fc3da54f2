/// The weights that come with the package: this folder's HDF5 files, copied beside every program that
/// is linked with the package, as resources of this target.
///
/// > Note: The generated `Bundle.module` is not used: it falls back to the folder of the build and
/// > traps where there is none.
package enum DepthWeights {
  /// File names by the name that a caller uses.
  package static let files = [
    "default": "fcrn18-nyu-int8.h5",
    "compact": "fcrn18-nyu-int8.h5",
  ]

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
