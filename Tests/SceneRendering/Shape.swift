/// The geometry of a solid: a unit box, ball, truncated cone or mesh after an affine transform.
///
/// A ray keeps its parameter in the unit frame, so a hit at `t` in the unit frame is the hit at `t`
/// in the room.
struct Shape: Sendable, Hashable {
  enum Kind: UInt8, Sendable {
    /// The box −1…1 along each axis.
    case box
    /// The unit ball.
    case ellipsoid
    /// A cone for y in −1…1, with radius 1 at the bottom and `taper` at the top.
    case frustum
    /// Triangles in −1…1 along each axis, which a ``BoundingVolumeHierarchy`` tests for hits.
    case mesh
  }

  let kind: Kind
  /// The radius at the top of a frustum, as a share of the radius at the bottom.
  let taper: Float
  /// The index of the mesh in the scene, or −1 for every other kind.
  let mesh: Int
  let center: Vector
  /// Half extents along the shape's axes, in metres.
  let half: Vector
  let axes: Basis
  /// The columns of the matrix that converts room directions to unit-frame directions.
  private let toUnit: Basis

  init(
    _ kind: Kind, center: Vector, half: Vector, axes: Basis = .room, taper: Float = 1,
    mesh: Int = -1
  ) {
    (self.kind, self.taper, self.mesh) = (kind, taper, mesh)
    (self.center, self.half, self.axes) = (center, half, axes)
    toUnit = Basis(
      x: Vector(axes.x.x, axes.y.x, axes.z.x) / half,
      y: Vector(axes.x.y, axes.y.y, axes.z.y) / half,
      z: Vector(axes.x.z, axes.y.z, axes.z.z) / half)
  }

  /// This shape after a turn about the room's origin and a move.
  func moved(turn: Basis, to position: Vector) -> Shape {
    Shape(
      kind, center: turn(center) + position, half: half, axes: turn(axes), taper: taper, mesh: mesh)
  }

  /// The smallest upright box that contains the shape.
  var bounds: Bounds {
    let wide = kind == .frustum ? max(1, taper) : 1
    let (x, y, z) = (axes.x * half.x * wide, axes.y * half.y, axes.z * half.z * wide)
    let reach =
      switch kind {
      case .box, .mesh: absolute(x) + absolute(y) + absolute(z)
      case .ellipsoid: (x * x + y * y + z * z).squareRoot()
      case .frustum: absolute(y) + (x * x + z * z).squareRoot()
      }
    return Bounds(low: center - reach, high: center + reach)
  }

  /// The first hit after `t = 0` and before `limit`, or infinity without a hit.
  @inline(__always)
  func hit(_ ray: Ray, before limit: Float) -> Float {
    let origin = toUnit(ray.origin - center)
    let direction = toUnit(ray.direction)
    switch kind {
    case .box:
      let (near, far) = boxSpan(origin, direction)
      guard near <= far, far > 0 else { return .infinity }
      let t = near > 0 ? near : far
      return t < limit ? t : .infinity
    case .ellipsoid: return ballHit(origin, direction, before: limit)
    case .frustum: return frustumHit(origin, direction, before: limit)
    case .mesh: preconditionFailure("a mesh is hit through the hierarchy that has it")
    }
  }

  /// The parameter at which a ray leaves the box, like the hit on a room's walls from inside.
  func exit(_ ray: Ray) -> Float {
    boxSpan(toUnit(ray.origin - center), toUnit(ray.direction)).far
  }

  /// A room point in the unit frame.
  @inline(__always)
  func unitPoint(_ point: Vector) -> Vector { toUnit(point - center) }

  /// A room ray in the unit frame, with the same parameter.
  @inline(__always)
  func inUnitFrame(_ ray: Ray) -> Ray {
    Ray(origin: toUnit(ray.origin - center), direction: toUnit(ray.direction))
  }
}

extension Shape {
  @inline(__always)
  private func boxSpan(_ origin: Vector, _ direction: Vector) -> (near: Float, far: Float) {
    // A zero component would give 0 · ∞ = NaN on a face. A tiny one gives a huge finite number.
    let tiny = direction .< 1e-20 .& (direction .> -1e-20)
    let inverse = 1 / direction.replacing(with: 1e-20, where: tiny)
    let a = (-1 - origin) * inverse
    let b = (1 - origin) * inverse
    let swapped = b .< a
    let near = a.replacing(with: b, where: swapped)
    let far = b.replacing(with: a, where: swapped)
    return (max(near.x, near.y, near.z), min(far.x, far.y, far.z))
  }

  /// Solved about the ray's point nearest to the center, where no large numbers cancel.
  @inline(__always)
  private func ballHit(_ origin: Vector, _ direction: Vector, before limit: Float) -> Float {
    let a = dot(direction, direction)
    let middle = -dot(origin, direction) / a
    let closest = origin + direction * middle
    let discriminant = (1 - dot(closest, closest)) / a
    guard discriminant > 0 else { return .infinity }
    let reach = discriminant.squareRoot()
    let t = middle - reach > 0 ? middle - reach : middle + reach
    return t > 0 && t < limit ? t : .infinity
  }

  /// x² + z² = (m + s·y)² between two caps, solved about the point nearest to the center.
  private func frustumHit(_ origin: Vector, _ direction: Vector, before limit: Float) -> Float {
    let (mean, slope) = ((1 + taper) / 2, (taper - 1) / 2)
    let middle = -dot(origin, direction) / dot(direction, direction)
    let o = origin + direction * middle
    let d = direction
    var best = limit
    let radius = mean + slope * o.y
    let a = d.x * d.x + d.z * d.z - slope * slope * d.y * d.y
    let b = o.x * d.x + o.z * d.z - slope * d.y * radius
    let c = o.x * o.x + o.z * o.z - radius * radius
    let discriminant = b * b - a * c
    if discriminant > 0, a != 0 {
      // The stable pair of roots: one root divides by a, the other by the larger sum.
      let q = -b - (b < 0 ? -1 : 1) * discriminant.squareRoot()
      func trySide(_ t: Float) {
        let y = o.y + t * d.y
        if abs(y) <= 1, mean + slope * y >= 0, middle + t > 0, middle + t < best {
          best = middle + t
        }
      }
      trySide(q / a)
      if q != 0 { trySide(c / q) }
    }
    if d.y != 0 {
      func tryCap(at y: Float, radius: Float) {
        let t = (y - o.y) / d.y
        let (x, z) = (o.x + t * d.x, o.z + t * d.z)
        if x * x + z * z <= radius * radius, middle + t > 0, middle + t < best { best = middle + t }
      }
      tryCap(at: -1, radius: 1)
      tryCap(at: 1, radius: taper)
    }
    return best < limit ? best : .infinity
  }
}

@inline(__always)
private func absolute(_ v: Vector) -> Vector { Vector(abs(v.x), abs(v.y), abs(v.z)) }
