import SystemEssentials

/// A lens without thickness. Points are sharp at one distance and become discs at other distances.
///
/// A point at depth `Z` becomes a disc of radius `focalLength · aperture / 2 · |1/Z − 1/focus|`
/// pixels, where `focalLength` is that of the ``SceneCamera`` in pixels.
///
/// > Source: R. L. Cook, T. Porter, L. Carpenter. “Distributed Ray Tracing.” SIGGRAPH 1984, section 4.3.
public struct ThinLens: Sendable, Hashable {
  /// The diameter of the opening, in metres.
  public let aperture: Float
  /// The depth of the sharp plane, in metres along the optical axis.
  public let focus: Float

  /// - Precondition: Both numbers are positive.
  public init(aperture: Float, focus: Float) {
    precondition(
      aperture > 0 && focus > 0,
      "lens of \(aperture) m focused at \(focus) m, expected positive numbers")
    (self.aperture, self.focus) = (aperture, focus)
  }

  /// A point of the opening, relative to the center, in metres.
  ///
  /// - Parameter square: A point of the unit square. Equal areas are mapped to equal areas.
  ///
  /// > Source: P. Shirley, K. Chiu. “A Low Distortion Map Between Disk and Square.” Journal of Graphics
  /// > Tools 2(3), 1997.
  func point(at square: SIMD2<Float>) -> SIMD2<Float> {
    let centered = square * 2 - 1
    guard centered != .zero else { return .zero }
    let isWide = abs(centered.x) > abs(centered.y)
    let radius = isWide ? centered.x : centered.y
    let angle: Float =
      isWide ? .pi / 4 * centered.y / centered.x : .pi / 2 - .pi / 4 * centered.x / centered.y
    return SIMD2(cos(angle), sin(angle)) * (radius * aperture / 2)
  }
}

extension SceneCamera {
  /// The ray through a pixel coordinate and a point of the lens. The parameter `t` is depth along
  /// the optical axis.
  @inline(__always)
  func ray(x: Float, y: Float, lens: ThinLens, at point: SIMD2<Float>) -> Ray {
    let middle = ray(x: x, y: y)
    let offset = axes(Vector(point.x, point.y, 0))
    return Ray(
      origin: middle.origin + offset, direction: middle.direction - offset / lens.focus)
  }

  /// The pixel in which the pinhole camera shows a point, or `nil` outside the frame.
  func pixel(showing point: Vector) -> (x: Int, y: Int)? {
    let toPoint = point - viewpoint.position
    let depth = dot(toPoint, axes.z)
    guard depth > 0 else { return nil }
    let x = Float(width) / 2 + focalLength * dot(toPoint, axes.x) / depth
    let y = Float(height) / 2 - focalLength * dot(toPoint, axes.y) / depth
    guard x >= 0, y >= 0, x < Float(width), y < Float(height) else { return nil }
    return (Int(x), Int(y))
  }
}

/// The cells of the lens for the rays of a pixel. Each pixel has another shuffle, so the remaining
/// error is noise instead of a pattern.
struct LensCells {
  private let cells: [Int]
  private let side: Int
  private var random: SplitMix64

  /// - Parameters:
  ///   - side: The number of cells along each side of the square that is mapped to the opening.
  ///   - pixel: The index of the pixel.
  init(side: Int, pixel: Int) {
    var random = SplitMix64(seed: UInt64(pixel) &* 0x9E37_79B9_7F4A_7C15 ^ 0x1E45)
    var cells = Array(0..<side * side)
    for index in cells.indices.dropLast() {
      let other = index + Int(random.next() % UInt64(cells.count - index))
      cells.swapAt(index, other)
    }
    (self.cells, self.side, self.random) = (cells, side, random)
  }

  /// A random point of the unit square in the cell of ray `index`.
  mutating func point(_ index: Int) -> SIMD2<Float> {
    let (row, column) = cells[index].quotientAndRemainder(dividingBy: side)
    let inCell = SIMD2<Float>(random(0...1), random(0...1))
    return (SIMD2(Float(column), Float(row)) + inCell) / Float(side)
  }
}
