import SystemEssentials

/// The point at which a ray met the scene, and the data for shading.
struct SurfacePoint {
  /// The ray's parameter.
  let t: Float
  let position: Vector
  /// The unit normal on the side from which the ray came.
  let normal: Vector
  /// Surface coordinates in metres.
  let coordinates: SIMD2<Float>
  /// The place in the material's picture, in picture widths from the lower left, and its width.
  let picturePlace: SIMD2<Float>
  let pictureSize: Float
  let material: Material
  /// The surface: 0…5 are the room's faces, and `Scene.firstSolid + i` is solid `i`.
  let identity: Int32
}

extension Shape {
  /// The normal and surface coordinates at a point, and the face of a box: −x, +x, −y, …
  func surface(at position: Vector) -> (normal: Vector, coordinates: SIMD2<Float>, face: Int) {
    let p = unitPoint(position)
    let q = p * half
    switch kind {
    case .box, .mesh:
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

  /// Whether v runs along the longer side of a box's face, where wood grain then follows v.
  func isUpright(face: Int) -> Bool {
    guard kind == .box else { return false }
    switch face {
    case 0, 1: return half.y > half.z
    case 2, 3: return half.z > half.x
    default: return half.y > half.x
    }
  }
}

extension SurfacePoint {
  /// The point of a ray on a triangle of a mesh.
  init(
    on ray: Ray, t: Float, triangle: Int, of mesh: TriangleMesh, shape: Shape, material: Material,
    identity: Int32
  ) {
    let (u, v) = mesh.triangles[triangle].hit(shape.inUnitFrame(ray)).map { ($0.u, $0.v) } ?? (0, 0)
    let shading = mesh.shading[triangle]
    let gradient =
      shading.normals.0 * (1 - u - v) + shading.normals.1 * u + shading.normals.2 * v
    let local = gradient / shape.half
    var normal = shape.axes(local).unit
    if dot(normal, ray.direction) > 0 { normal = -normal }
    (self.t, position, self.normal) = (t, ray.point(at: t), normal)
    let places = shading.coordinates
    picturePlace = places.0 + (places.1 - places.0) * u + (places.2 - places.0) * v
    pictureSize = shading.pictureSize * shape.half.x / mesh.half.x
    // The pattern is on the plane that the surface faces most.
    let own = shape.unitPoint(position) * shape.half
    let (x, y, z) = (abs(local.x), abs(local.y), abs(local.z))
    coordinates =
      x >= y && x >= z
      ? SIMD2(own.z, own.y) : y >= z ? SIMD2(own.x, own.z) : SIMD2(own.x, own.y)
    (self.material, self.identity) = (material, identity)
  }
}
