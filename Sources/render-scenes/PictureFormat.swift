import ArgumentParser
import Foundation
import Tensors

/// The files that pictures and depth maps go into.
enum PictureFormat: String, CaseIterable, ExpressibleByArgument {
  /// Binary portable pixmap, and 32-bit float metres as PFM.
  case ppm

  static let `default` = PictureFormat.ppm

  /// - Parameter stem: Path without the extension.
  func write(_ image: Image, stem: String) throws {
    var data = Data("P6\n\(image.width) \(image.height)\n255\n".utf8)
    data.append(contentsOf: image.pixels)
    try data.write(to: URL(fileURLWithPath: stem + ".ppm"), options: .atomic)
  }

  /// - Parameter stem: Path without the extension.
  func write(_ depth: DepthMap, stem: String) throws {
    // A negative scale says little-endian; rows run from the bottom.
    var data = Data("Pf\n\(depth.width) \(depth.height)\n-1.0\n".utf8)
    for y in (0..<depth.height).reversed() {
      for value in depth.values[y * depth.width..<(y + 1) * depth.width] {
        let bits = value.bitPattern
        for shift in [0, 8, 16, 24] {
          data.append(UInt8(truncatingIfNeeded: bits >> UInt32(shift)))
        }
      }
    }
    try data.write(to: URL(fileURLWithPath: stem + ".pfm"), options: .atomic)
  }
}
