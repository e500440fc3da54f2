import SystemEssentials

/// Where a ray met the scene, and everything shading wants to know there.
struct SurfacePoint {
  /// Ray parameter.
  let t: Float
  let position: Vector
  /// Length 1, on the side the ray came from.
  let normal: Vector
  /// Surface coordinates, metres.
  let coordinates: SIMD2<Float>
  let material: Material
  /// Which surface: 0…5 are the room's faces, `Scene.firstSolid + i` is solid `i`.
  let identity: Int32
}

extension Shape {
  /// Normal and surface coordinates at a point of the surface, and the face of a box: −x, +x, −y, …
  func surface(at position: Vector) -> (normal: Vector, coordinates: SIMD2<Float>, face: Int) {
    let p = unitPoint(position)
    let q = p * half
    switch kind {
    case .box:
      let (ax, ay, az) = (abs(p.x), abs(p.y), abs(p.z))
      if ax >= ay, ax >= az {
        return (p.x > 0 ? axes.x : -axes.x, SIMD2(q.z, q.y), p.x > 0 ? 1 : 0)
      } else if ay >= az {
        return (p.y > 0 ? axes.y : -axes.y, SIMD2(q.x, q.z), p.y > 0 ? 3 : 2)
      } else {
        return (p.z > 0 ? axes.z : -axes.z, SIMD2(q.x, q.y), p.z > 0 ? 5 : 4)
      }
    case .ellipsoid:
      let around = atan2(p.z, p.x) * half.x
      return (axes(p / half).unit, SIMD2(around, asin(clamp(p.y, -1, 1)) * half.y), 0)
    case .frustum:
      let radius = (1 + taper) / 2 + (taper - 1) / 2 * p.y
      if abs(p.y) > 0.9999, p.x * p.x + p.z * p.z < radius * radius * 0.9999 {
        return (p.y > 0 ? axes.y : -axes.y, SIMD2(q.x, q.z), 0)
      }
      let gradient = Vector(p.x, -(taper - 1) / 2 * radius, p.z)
      return (axes(gradient / half).unit, SIMD2(q.y, atan2(p.z, p.x) * half.x), 0)
    }
  }

  /// Whether v runs along the longer side of a box's face, so that wood grain should follow it.
  func isUpright(face: Int) -> Bool {
    guard kind == .box else { return false }
    switch face {
    case 0, 1: return half.y > half.z
    case 2, 3: return half.z > half.x
    default: return half.y > half.x
    }
  }
}
