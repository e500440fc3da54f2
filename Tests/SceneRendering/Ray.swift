/// The points `origin + t · direction` with t > 0. The direction may have any length.
struct Ray: Sendable {
  var origin: Vector
  var direction: Vector

  @inline(__always)
  func point(at t: Float) -> Vector { origin + direction * t }
}

/// An upright box between two corners.
struct Bounds: Sendable, Hashable {
  var low: Vector
  var high: Vector

  func union(_ other: Bounds) -> Bounds {
    Bounds(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
  }

  var center: Vector { (low + high) / 2 }

  /// Half of the surface area, which the surface-area heuristic weighs.
  var halfArea: Float {
    let e = high - low
    return e.x * e.y + e.y * e.z + e.z * e.x
  }

  /// Whether the ray meets the box before `limit`. `inverse` is 1 / direction.
  @inline(__always)
  func isHit(from origin: Vector, inverse: Vector, before limit: Float) -> Bool {
    let a = (low - origin) * inverse
    let b = (high - origin) * inverse
    let swapped = b .< a
    let near = a.replacing(with: b, where: swapped)
    let far = b.replacing(with: a, where: swapped)
    let entry = max(near.x, near.y, near.z)
    let exit = min(far.x, far.y, far.z)
    return entry <= exit && exit > 0 && entry < limit
  }
}
