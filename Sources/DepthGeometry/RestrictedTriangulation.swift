import DepthBase

/// Right triangles over the pixels of a surface, as few as a tolerance allows.
///
/// Every triangle is half a square. A triangle is split at the middle of its longest side. The triangle across that
/// side is split too, which leaves no crack. A triangle is split if the error of the middle exceeds the tolerance. The
/// error of a middle includes all errors below, so the parent of a split triangle is always split.
///
/// > Source: P. Lindstrom, V. Pascucci. “Terrain Simplification Simplified.” IEEE TVCG 8 (3), 2002, sections 3
/// > and 4; W. Evans et al. “Right-Triangulated Irregular Networks.” Algorithmica 30, 2001.
struct RestrictedTriangulation: Sendable {
  private let surface: DepthSurface
  /// `nil` if every pixel is kept.
  private let errors: SplitErrors?
  private let tolerance: Float
  private let side: Int

  /// Longest side of a square, pixels.
  private static let largestSide = 256

  /// - Parameter tolerance: Tolerance in pixels; 0 keeps a vertex for every pixel.
  init(_ surface: DepthSurface, tolerance: Float, threads: Int) {
    (self.surface, self.tolerance) = (surface, tolerance)
    var side = 2
    while side < Self.largestSide, side < max(surface.width, surface.height) - 1 { side *= 2 }
    self.side = side
    errors = tolerance > 0 ? SplitErrors(surface, side: side, threads: threads) : nil
  }

  /// The pixels of each triangle, counterclockwise as seen from the camera.
  func triangles(threads: Int) -> [UInt32] {
    let columns = (surface.width - 1 + side - 1) / side
    let rows = (surface.height - 1 + side - 1) / side
    let parts = parallelMap(rows * columns, threads: threads) { square in
      var triangles: [UInt32] = []
      let (j, i) = square.quotientAndRemainder(dividingBy: columns)
      let (left, top) = (i * side, j * side)
      let (right, bottom) = (left + side, top + side)
      // Diagonals meet at every other corner, like those of smaller squares.
      if (i + j) % 2 == 0 {
        add((left, top), (right, bottom), (right, top), to: &triangles)
        add((right, bottom), (left, top), (left, bottom), to: &triangles)
      } else {
        add((left, bottom), (right, top), (left, top), to: &triangles)
        add((right, top), (left, bottom), (right, bottom), to: &triangles)
      }
      return triangles
    }
    return parts.flatMap { $0 }
  }

  private typealias Corner = (x: Int, y: Int)

  /// Adds a triangle, or the smaller triangles after a split.
  ///
  /// - Parameters:
  ///   - a: One end of the longest side.
  ///   - b: The other end.
  ///   - c: The corner with the right angle.
  private func add(_ a: Corner, _ b: Corner, _ c: Corner, to triangles: inout [UInt32]) {
    // The triangle may be entirely beyond the border of a map whose sides are not multiples of the square's.
    if min(a.x, b.x, c.x) >= surface.width - 1 || min(a.y, b.y, c.y) >= surface.height - 1 {
      return
    }
    let isSmallest = abs(a.x - b.x) == 1 && abs(a.y - b.y) == 1
    let middle = ((a.x + b.x) / 2, (a.y + b.y) / 2)
    if !isSmallest, errors?.exceed(tolerance, at: middle, between: a, b) ?? true {
      add(c, a, middle, to: &triangles)
      add(b, c, middle, to: &triangles)
    } else if !isSmallest || surface.connects(c, a) && surface.connects(c, b) {
      triangles.append(pixel(a))
      triangles.append(pixel(b))
      triangles.append(pixel(c))
    }
  }

  /// Vertices beyond the border are moved onto the border.
  private func pixel(_ corner: Corner) -> UInt32 {
    UInt32(
      min(corner.y, surface.height - 1) * surface.width + min(corner.x, surface.width - 1))
  }
}

extension DepthSurface {
  /// Returns whether two pixels in a row or column are on one surface.
  func connects(_ p: (x: Int, y: Int), _ q: (x: Int, y: Int)) -> Bool {
    let (x, y) = (min(p.x, q.x), min(p.y, q.y))
    return connections[y * width + x] & (p.y == q.y ? Self.connectsRight : Self.connectsDown) != 0
  }
}
