/// The weights that come with the package: an HDF5 file of the folder `Weights`, which SwiftPM copies beside every program that
/// is linked with the package, as a resource of the target `DepthWeights`.
package enum PackagedWeights {
  package static let file = "fcrn-lite2-nyu-int8.h5"

  /// The SHA-256 that the file states of itself.
  package static let digest = "a0d556924cd3f75fe7ac96b64e36eedd9ffc000401b691f12344517945e52d5d"

  /// Names of the file. Earlier versions had a second network, and `compact` without it.
  package static let names = ["default", "compact"]

  /// The folder that SwiftPM puts the files into, beside the executable: package, target, and the
  /// platform's extension.
  static let resourceFolder: String = {
    #if canImport(Darwin)
      "swift-depth_DepthWeights.bundle"
    #else
      "swift-depth_DepthWeights.resources"
    #endif
  }()
}
