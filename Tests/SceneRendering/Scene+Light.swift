import SystemEssentials

/// Direct light, the first reflection, and mirror images.
extension Scene {
  /// The numbers of points on a light and of directions that neighboring samples share.
  static let lightSamples = 16
  static let directionSamples = 64

  /// The point 0.2 mm above a surface, from which rays do not meet the surface again.
  @inline(__always)
  private func lifted(_ position: Vector, _ normal: Vector) -> Vector { position + normal * 2e-4 }

  /// Light that comes directly from lamps and windows, per area.
  ///
  /// - Parameter sample: The number of one of the ``lightSamples`` points of every light. `nil`
  ///   selects the centers.
  func irradiance(at position: Vector, normal: Vector, sample: Int?) -> Vector {
    let origin = lifted(position, normal)
    let u = sample.map { (Float($0 & 3) - 1.5) / 2 } ?? 0
    let v = sample.map { (Float(($0 >> 2) & 3) - 1.5) / 2 } ?? 0
    var sum = Vector.zero
    for light in lights {
      let toLight = light.center + light.halfU * u + light.halfV * v - origin
      // A lamp is not a point, so the light stops growing close to the lamp.
      let squared = dot(toLight, toLight) + 0.04
      var cosines = dot(normal, toLight)
      if let facing = light.facing { cosines *= -dot(facing, toLight) / squared.squareRoot() }
      guard cosines > 0, light.facing.map({ dot($0, toLight) < 0 }) ?? true else { continue }
      let ray = Ray(origin: origin, direction: toLight)
      if hierarchy.isBlocked(ray, before: 0.999) { continue }
      sum += light.power * (cosines / (squared * squared.squareRoot()))
    }
    return sum
  }

  /// Light that arrives after at least one reflection, sampled in one direction.
  ///
  /// - Parameter sample: The number of one of the ``directionSamples`` cosine-distributed
  ///   directions. The mean over all directions is the irradiance.
  func indirectIrradiance(at position: Vector, normal: Vector, sample: Int) -> Vector {
    let direction = Basis(y: normal)(Self.cosineDirections[sample])
    let ray = Ray(origin: lifted(position, normal), direction: direction)
    let radiance = reflectedRadiance(surface(on: ray), sample: sample & 15, footprint: 0.05)
    // A bright patch in a single direction would appear as a blotch of a tile's size.
    let limit = 3 * ambient.luminance
    return radiance * (.pi * min(1, limit / max(radiance.luminance, 1e-6)))
  }

  /// The radiance that a mirror-like surface shows in one direction.
  func mirroredRadiance(
    at point: SurfacePoint, along direction: Vector, footprint: Float
  ) -> Vector {
    let mirrored = direction - point.normal * (2 * dot(direction, point.normal))
    let seen = surface(on: Ray(origin: lifted(point.position, point.normal), direction: mirrored))
    let glow = seen.material.glow
    let own = glow > 0 ? reflectance(at: seen, footprint: 0.05) : .zero
    return reflectedRadiance(seen, sample: nil, footprint: footprint + 0.01) + own
      * (glow / exposure)
  }

  /// Direct and ambient light that a surface point reflects. The lights already account for the
  /// point's glow.
  private func reflectedRadiance(_ point: SurfacePoint, sample: Int?, footprint: Float) -> Vector {
    let albedo = reflectance(at: point, footprint: footprint)
    let direct = irradiance(at: point.position, normal: point.normal, sample: sample)
    return albedo * (direct / .pi + ambient)
  }

  /// Directions about +y whose density falls with the cosine, on a Fibonacci spiral.
  private static let cosineDirections: [Vector] = (0..<directionSamples).map { k in
    let radius = ((Float(k) + 0.5) / Float(directionSamples)).squareRoot()
    let angle = Float(k) * 2.399_963_2  // golden angle, radians
    return Vector(
      radius * cos(angle), (1 - radius * radius).squareRoot(), radius * sin(angle))
  }
}
