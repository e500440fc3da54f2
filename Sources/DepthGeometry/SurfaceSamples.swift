/// Disparities of a surface at grid points, which may be beyond its border, and the errors of omitting these
/// points.
struct SurfaceSamples: Sendable {
  typealias Point = (x: Int, y: Int)

  private let surface: DepthSurface
  /// Pixels per relative change of depth.
  private let focalLength: Float

  init(_ surface: DepthSurface) {
    self.surface = surface
    focalLength = 1 / min(surface.rayStepX, surface.rayStepY)
  }

  /// The error of omitting the middle of a side between `a` and `b`, along a row or a column.
  @inline(__always)
  func middleError(_ m: Point, _ a: Point, _ b: Point, step: Int) -> Float {
    let (m, a, b) = (clamped(m), clamped(a), clamped(b))
    if step == 1, isAtEdge(m) { return .infinity }
    let length = b.x - a.x + b.y - a.y
    guard length > 0 else { return 0 }
    let share = Float(m.x - a.x + m.y - a.y) / Float(length)
    let (p, q, d) = (disparity(a), disparity(b), disparity(m))
    return pixels(abs(d - p - (q - p) * share), min(p, q, d))
  }

  /// The error of omitting the center of a square of side `2·step`, on the diagonal.
  @inline(__always)
  func centerError(_ m: Point, step: Int) -> Float {
    let isEven = ((m.x - step) / (2 * step) + (m.y - step) / (2 * step)) % 2 == 0
    // The diagonal runs from a to b; c and e are the other corners.
    let a = clamped((isEven ? m.x - step : m.x + step, m.y - step))
    let b = clamped((isEven ? m.x + step : m.x - step, m.y + step))
    let c = clamped((isEven ? m.x + step : m.x - step, m.y - step))
    let e = clamped((isEven ? m.x - step : m.x + step, m.y + step))
    let middle = clamped(m)
    guard a.x != b.x, a.y != b.y else { return 0 }
    let (p, q, d) = (disparity(a), disparity(b), disparity(middle))
    let (dc, de) = (disparity(c), disparity(e))
    let least = min(p, q, d, dc, de)
    // The shares of the way from a to b along x and y differ only at the border.
    let u = Float(middle.x - a.x) / Float(b.x - a.x)
    let v = Float(middle.y - a.y) / Float(b.y - a.y)
    if u == v { return pixels(abs(d - p - (q - p) * u), least) }
    // The triangles meet beside the diagonal, and the diagonal also changes. The change is largest where the
    // side from the center to the far corner crosses the diagonal.
    let (near, far, s, t) = u > v ? (dc, de, u, v) : (de, dc, v, u)
    let there = p + (near - p) * (s - t) + (q - p) * t
    let share = (s - t) / (1 + s - t)
    let crossing = p + (q - p) * s * (1 - share)
    let change = max(abs(d - there), abs(d + (far - d) * share - crossing))
    return pixels(change, least)
  }

  /// Returns whether one of the four smallest triangles around the pixel is cut.
  @inline(__always)
  private func isAtEdge(_ m: Point) -> Bool {
    let (r, w) = (DepthSurface.connectsRight, DepthSurface.connectsDown)
    let i = m.y * surface.width + m.x
    let connections = surface.connections
    return m.x + 1 < surface.width && connections[i] & r == 0
      || m.y + 1 < surface.height && connections[i] & w == 0
      || m.x > 0 && connections[i - 1] & r == 0
      || m.y > 0 && connections[i - surface.width] & w == 0
  }

  @inline(__always)
  private func clamped(_ p: Point) -> Point {
    (min(p.x, surface.width - 1), min(p.y, surface.height - 1))
  }

  @inline(__always)
  private func disparity(_ p: Point) -> Float { surface.disparity[p.y * surface.width + p.x] }

  /// A change of disparity in pixels; infinite next to a pixel without a value.
  @inline(__always)
  private func pixels(_ change: Float, _ disparity: Float) -> Float {
    disparity > 0 ? focalLength * change / disparity : .infinity
  }
}
