/// The bundled weights: an HDF5 file in the folder `Weights`, a resource of the target `DepthWeights`.
///
/// SwiftPM copies the folder beside every program that is linked with the package.
package enum PackagedWeights {
  package static let file = "fcrn-lite2-nyu-int8.h5"

  /// The SHA-256 that the file states.
  package static let digest = "9586a5ff69121eb1b14adb29e74db910371e2a6ecf8fbf9e0e58c709ce913af0"

  /// Names of the file. In earlier versions, `compact` excluded a second network.
  package static let names = ["default", "compact"]

  /// SwiftPM's resource folder beside the executable: package, target, and the platform's extension.
  static let resourceFolder: String = {
    #if canImport(Darwin)
      "swift-depth_DepthWeights.bundle"
    #else
      "swift-depth_DepthWeights.resources"
    #endif
  }()
}
