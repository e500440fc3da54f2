import DepthBase
import DepthImages

enum Version {
  static let number = "\(PackageVersion.number)"
  static let text = "swift-depth \(number)"
}

extension Image {
  /// The picture with the program's name in its metadata, by which later runs on the folder skip the picture.
  var signed: Image {
    var picture = self
    picture.metadata.software = Version.text
    return picture
  }
}
