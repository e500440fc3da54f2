public import DepthImages
import SystemEssentials

/// A photo on a surface: linear reflectance, bilinear between texels, averaged over pixels.
///
/// The photo repeats beyond its edges.
///
/// > Source: L. Williams. “Pyramidal Parametrics.” SIGGRAPH 1983.
public struct SurfacePicture: Sendable {
  private struct Level: Sendable {
    let width, height: Int
    /// Light, 0…65535, in rows from the top.
    let texels: [SIMD4<UInt16>]

    /// A level whose texels are the mean of four texels, or of two if one side is not divisible.
    var halved: Level {
      let (columns, rows) = (max(1, width / 2), max(1, height / 2))
      let (across, down) = (width / columns, height / rows)
      let texels = (0..<rows * columns).map { index -> SIMD4<UInt16> in
        var sum = SIMD4<UInt32>.zero
        for y in 0..<down {
          for x in 0..<across {
            let row = index / columns * down + y
            sum &+= SIMD4<UInt32>(
              truncatingIfNeeded: self.texels[row * width + index % columns * across + x])
          }
        }
        return SIMD4<UInt16>(truncatingIfNeeded: sum / UInt32(across * down))
      }
      return Level(width: columns, height: rows, texels: texels)
    }
  }

  private let levels: [Level]
  /// The picture's width in texels.
  public var width: Int { levels[0].width }

  public init(_ image: Image) {
    let texels = (0..<image.height * image.width).map { index in
      let rgb = (0..<3).map { UInt16(SRGB.linear[Int(image.pixels[3 * index + $0])] * 65535 + 0.5) }
      return SIMD4(rgb[0], rgb[1], rgb[2], 0)
    }
    var levels = [Level(width: image.width, height: image.height, texels: texels)]
    // Below 4 texels, unlike parts of an atlas would mix.
    while let last = levels.last, min(last.width, last.height) > 4 { levels.append(last.halved) }
    self.levels = levels
  }

  /// - Parameters:
  ///   - point: The place in 0…1, from the lower left corner.
  ///   - footprint: The width of a pixel, in units of the picture's width.
  func color(at point: SIMD2<Float>, footprint: Float) -> Vector {
    var (index, texels) = (0, footprint * Float(levels[0].width))
    while texels >= 2, index + 1 < levels.count { (index, texels) = (index + 1, texels / 2) }
    let level = levels[index]
    let size = SIMD2(Float(level.width), Float(level.height))
    let inside = SIMD2(point.x, 1 - point.y)
    let at = (inside - inside.rounded(.down)) * size - 0.5
    let corner = at.rounded(.down)
    let share = at - corner
    // The columns −1 and `width` are one texel beyond the edge.
    let left = corner.x < 0 ? level.width - 1 : Int(corner.x)
    let top = corner.y < 0 ? level.height - 1 : Int(corner.y)
    let right = left + 1 < level.width ? left + 1 : 0
    let bottom = top + 1 < level.height ? top + 1 : 0
    @inline(__always)
    func texel(_ x: Int, _ y: Int) -> SIMD4<Float> {
      SIMD4<Float>(level.texels[y * level.width + x])
    }
    let upper = texel(left, top) + (texel(right, top) - texel(left, top)) * share.x
    let lower = texel(left, bottom) + (texel(right, bottom) - texel(left, bottom)) * share.x
    let mean = (upper + (lower - upper) * share.y) / 65535
    return Vector(mean.x, mean.y, mean.z)
  }
}
