import DepthBase
import DepthImages

enum Version {
  static let number = "\(PackageVersion.number)"
  static let text = "swift-depth \(number)"
}

extension Image {
  /// The picture, to be written as a file that says which program made it: it is no photo of its folder then.
  var signed: Image {
    var picture = self
    picture.metadata.software = Version.text
    return picture
  }
}
