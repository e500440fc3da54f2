import DepthBase
public import DepthImages
import SystemEssentials

/// A photo of a scene with the exact depth of every pixel.
///
/// Depth and identity belong to the ray through the pixel's center and are never averaged; only the
/// picture is. The same scene, camera and sampling give the same bits for any number of threads.
public struct Rendering: Sendable {
  public let camera: SceneCamera
  /// Linear radiance, exposed: `height·width` colors, 1 is bright paper.
  public let radiance: [Vector]
  /// Metres along the optical axis, at pixel centers; every value is positive and finite.
  public let depth: DepthMap
  /// Which surface each pixel's center shows: 0…5 are the room's faces, `Scene.firstSolid + i`
  /// solid `i`.
  public let surfaces: [Int32]

  /// - Parameters:
  ///   - camera: Inside the room and outside every solid.
  ///   - lens: A lens in place of the pinhole, for the picture alone: depth and identity stay the pinhole's.
  ///     Its discs need about 12 `samples`.
  ///   - samples: Rays along each side of a pixel: the picture averages `samples²` rays per pixel.
  ///   - threads: Rows under way at once; by default as many as the machine has cores.
  /// - Precondition: `samples` and `threads` are positive; the camera is inside the room.
  public init(
    of scene: Scene, from camera: SceneCamera, lens: ThinLens? = nil, samples: Int = 2,
    threads: Int? = nil
  ) {
    let threads = threads ?? availableProcessors
    precondition(samples > 0 && threads > 0, "\(samples) samples, \(threads) threads, expected ≥ 1")
    precondition(
      scene.contains(camera.viewpoint.position),
      "camera at \(camera.viewpoint.position) is outside the room of \(scene.size) metres")
    self.camera = camera
    let light = LightBuffer(of: scene, from: camera, threads: threads)
    depth = DepthMap(
      height: camera.height, width: camera.width, unit: .metres,
      values: light.pixels.map(\.depth))
    surfaces = light.pixels.map(\.identity)
    let exposure = scene.exposure
    radiance = parallelRows(camera.height, threads: threads) { y in
      (0..<camera.width).map { x in
        var sum = Vector.zero
        var cells = lens.map { _ in LensCells(side: samples, pixel: y * camera.width + x) }
        for sy in 0..<samples {
          for sx in 0..<samples {
            let dx = Float(x) + (Float(sx) + 0.5) / Float(samples)
            let dy = Float(y) + (Float(sy) + 0.5) / Float(samples)
            if let lens, let square = cells?.point(sy * samples + sx) {
              sum += scene.radiance(
                on: camera.ray(x: dx, y: dy, lens: lens, at: lens.point(at: square)), from: camera,
                pixel: nil, samples: samples, light: light)
            } else {
              sum += scene.radiance(
                on: camera.ray(x: dx, y: dy), from: camera, pixel: (x, y), samples: samples,
                light: light)
            }
          }
        }
        return sum * (exposure / Float(samples * samples))
      }
    }
  }

  /// The exact depth without what lies elsewhere: 0, no value, on the panes of windows and on mirrors.
  public func depthOfSolids(of scene: Scene) -> DepthMap {
    DepthMap(
      height: camera.height, width: camera.width, unit: .metres,
      values: zip(depth.values, surfaces).map { value, surface in
        let index = Int(surface - Scene.firstSolid)
        let material = index < 0 ? scene.faces[Int(surface)] : scene.solids[index].material
        return material.showsElsewhere ? 0 : value
      })
  }
}

extension Scene {
  /// Radiance of one ray through the image plane.
  ///
  /// - Parameter pixel: The pixel that looks up the light; by default the one in which the pinhole camera
  ///   shows the point.
  fileprivate func radiance(
    on ray: Ray, from camera: SceneCamera, pixel: (x: Int, y: Int)?, samples: Int,
    light: LightBuffer
  ) -> Vector {
    let point = surface(on: ray)
    let direction = ray.direction.unit
    let facing = max(-dot(direction, point.normal), 0.05)
    // Width of the ray's share of a pixel on the surface; oblique surfaces get the geometric mean.
    let footprint =
      point.t / (camera.focalLength * Float(samples)) / facing.squareRoot()
    let material = point.material
    let albedo = reflectance(at: point, footprint: footprint)
    if material.glow > 0 {
      // Shades and panes are a little dimmer seen at a slant, which gives lamps their roundness.
      return albedo * (material.glow * mix(0.45, 1, facing) / exposure)
    }
    let irradiance =
      (pixel ?? camera.pixel(showing: point.position)).flatMap {
        light.irradiance(at: $0, on: point)
      } ?? unsharedIrradiance(at: point)
    var result = albedo * irradiance / .pi
    if material.gloss > 0 {
      // Fresnel reflection, Schlick 1994; a weak gloss means a rough surface, which rises less.
      let rise: Float = pow(1 - facing, 5) * min(1, material.gloss * 8)
      let share: Float = mix(material.gloss, 1, rise)
      let mirrored = mirroredRadiance(at: point, along: direction, footprint: footprint)
      result = mix(result, mirrored, share)
    }
    return result
  }

  /// Light on something too thin to show at any pixel's center nearby.
  private func unsharedIrradiance(at point: SurfacePoint) -> Vector {
    var sum = Vector.zero
    for sample in stride(from: 0, to: Self.lightSamples, by: 5) {  // one row and column each
      sum += irradiance(at: point.position, normal: point.normal, sample: sample) / 4
    }
    return sum + ambient * .pi
  }
}
