import SystemEssentials

/// Direct light, its first reflection, and mirror images.
extension Scene {
  /// Number of points on a light, and of directions over a surface, that neighboring samples share.
  static let lightSamples = 16
  static let directionSamples = 64

  /// Rays leave a surface this far above it, metres, so that they do not meet it again.
  @inline(__always)
  private func lifted(_ position: Vector, _ normal: Vector) -> Vector { position + normal * 2e-4 }

  /// Light that arrives straight from the lamps and windows, per area.
  ///
  /// - Parameter sample: Which of the ``lightSamples`` points of every light is looked at; `nil`
  ///   takes their centers.
  func irradiance(at position: Vector, normal: Vector, sample: Int?) -> Vector {
    let origin = lifted(position, normal)
    let u = sample.map { (Float($0 & 3) - 1.5) / 2 } ?? 0
    let v = sample.map { (Float(($0 >> 2) & 3) - 1.5) / 2 } ?? 0
    var sum = Vector.zero
    for light in lights {
      let toLight = light.center + light.halfU * u + light.halfV * v - origin
      // A lamp is not a point: close to it light stops growing.
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

  /// Light that arrives after at least one reflection, looking along one direction.
  ///
  /// - Parameter sample: Which of the ``directionSamples`` cosine-distributed directions is taken;
  ///   the mean over all of them is the irradiance.
  func indirectIrradiance(at position: Vector, normal: Vector, sample: Int) -> Vector {
    let direction = Basis(y: normal)(Self.cosineDirections[sample])
    let ray = Ray(origin: lifted(position, normal), direction: direction)
    let radiance = reflectedRadiance(surface(on: ray), sample: sample & 15, footprint: 0.05)
    // One bright patch seen by a single direction would show as a blotch the size of a tile.
    let limit = 3 * ambient.luminance
    return radiance * (.pi * min(1, limit / max(radiance.luminance, 1e-6)))
  }

  /// Radiance that a mirror-like surface shows in one direction.
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

  /// Direct and ambient light reflected by a surface point, without its own glow, which
  /// the lights already account for.
  private func reflectedRadiance(_ point: SurfacePoint, sample: Int?, footprint: Float) -> Vector {
    let albedo = reflectance(at: point, footprint: footprint)
    let direct = irradiance(at: point.position, normal: point.normal, sample: sample)
    return albedo * (direct / .pi + ambient)
  }

  /// Directions about +y whose density falls with the cosine, spread as a Fibonacci spiral.
  private static let cosineDirections: [Vector] = (0..<directionSamples).map { k in
    let radius = ((Float(k) + 0.5) / Float(directionSamples)).squareRoot()
    let angle = Float(k) * 2.399_963_2  // golden angle, radians
    return Vector(
      radius * cos(angle), (1 - radius * radius).squareRoot(), radius * sin(angle))
  }
}
