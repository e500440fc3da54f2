import ArgumentParser
import DepthImages
import PictureFiles
import SystemEssentials

/// The files that pictures and depth maps go into.
enum PictureFormat: String, CaseIterable, ExpressibleByArgument {
  /// Exact pixels, and 16-bit millimetres.
  case png
  /// A camera's file, and 32-bit metres as PFM.
  case jpg
  /// A camera's file, and 16-bit millimetres.
  case jpgAndPNG = "jpg-png"

  /// Extension of the pictures' files.
  var picture: String { self == .png ? "png" : "jpg" }
  /// Extension of the depth maps' files.
  var depth: String { self == .jpg ? "pfm" : "png" }

  /// - Parameters:
  ///   - stem: Path without the extension.
  ///   - quality: Of a camera's file, 1…100.
  func write(_ image: Image, stem: String, quality: Int = ImageFileFormat.defaultQuality) throws {
    try image.write(to: URL(filePath: "\(stem).\(picture)"), quality: quality)
  }

  /// - Parameter stem: Path without the extension.
  func write(_ depth: DepthMap, stem: String) throws {
    try depth.write(to: URL(filePath: "\(stem).\(self.depth)"))
  }
}
