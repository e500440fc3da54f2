/// The surfaces on rays, and the reflectance of surfaces.
extension Scene {
  /// The first surface on a ray that starts inside the room.
  func surface(on ray: Ray) -> SurfacePoint {
    let wall = shell.exit(ray)
    if let (t, index, triangle) = hierarchy.nearestHit(ray, before: wall) {
      let shape = solids[index].shape
      if triangle >= 0 {
        return SurfacePoint(
          on: ray, t: t, triangle: triangle, of: meshes[shape.mesh], shape: shape,
          material: solids[index].material, identity: Self.firstSolid + Int32(index))
      }
      let position = ray.point(at: t)
      var (normal, coordinates, face) = shape.surface(at: position)
      let material = solids[index].material
      if material.texture.hasGrain, shape.isUpright(face: face) {
        coordinates = SIMD2(coordinates.y, coordinates.x)
      }
      if dot(normal, ray.direction) > 0 { normal = -normal }
      return SurfacePoint(
        t: t, position: position, normal: normal, coordinates: coordinates,
        picturePlace: coordinates / material.pictureSize, pictureSize: material.pictureSize,
        material: material, identity: Self.firstSolid + Int32(index))
    }
    return face(on: ray, at: wall)
  }

  /// The face of the room that a ray meets at `wall`.
  private func face(on ray: Ray, at wall: Float) -> SurfacePoint {
    let position = ray.point(at: wall)
    let (normal, coordinates, face) = shell.surface(at: position)
    let material = faces[face]
    return SurfacePoint(
      t: wall, position: position, normal: -normal, coordinates: coordinates,
      picturePlace: coordinates / material.pictureSize, pictureSize: material.pictureSize,
      material: material, identity: Int32(face))
  }

  /// The linear reflectance of a surface point.
  ///
  /// - Parameter footprint: The width of a pixel on the surface, in metres.
  func reflectance(at point: SurfacePoint, footprint: Float) -> Vector {
    let material = point.material
    let pattern = material.texture.color(at: point.coordinates, footprint: footprint)
    guard material.picture >= 0 else { return pattern }
    let share = point.pictureSize > 0 ? footprint / point.pictureSize : 0
    return pattern * pictures[material.picture].color(at: point.picturePlace, footprint: share)
  }

  /// The depth of the first surface, in metres.
  func depth(on ray: Ray) -> Float {
    let wall = shell.exit(ray)
    return hierarchy.nearestHit(ray, before: wall)?.t ?? wall
  }

  /// The direct light that points all over the room's faces reflect.
  ///
  /// - Parameter place: The place of the observer, if solids before the faces also count.
  func wallRadiance(from place: Vector?) -> [Vector] {
    var random = SplitMix64(seed: 1)
    return (0..<192).map { sample in
      // The target is kept away from the zero vector, which has no direction.
      let target = Vector(
        random(-1...1), random(0.1...1) * (random.chance(0.5) ? 1 : -1), random(-1...1))
      let ray = Ray(origin: place ?? [0, size.y * 0.6, 0], direction: target)
      let point = place == nil ? face(on: ray, at: shell.exit(ray)) : surface(on: ray)
      let albedo = reflectance(at: point, footprint: 1)
      return albedo * irradiance(at: point.position, normal: point.normal, sample: sample) / .pi
    }
  }
}
