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

  /// - Parameter stem: Path without the extension.
  func write(_ image: Image, stem: String) throws {
    try image.write(to: URL(filePath: "\(stem).\(rawValue)"))
  }

  /// - Parameter stem: Path without the extension.
  func write(_ depth: DepthMap, stem: String) throws {
    try depth.write(to: URL(filePath: "\(stem).\(self == .png ? "png" : "pfm")"))
  }
}
