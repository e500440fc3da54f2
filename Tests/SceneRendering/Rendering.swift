import DepthBase
public import DepthImages
import SystemEssentials

/// A photo of a scene with the exact depth of every pixel.
///
/// Depth and identity belong to the ray through the pixel's center. Only the picture is averaged.
/// The same scene, camera and sampling give equal bits on any number of threads.
public struct Rendering: Sendable {
  public let camera: SceneCamera
  /// Linear, exposed radiance as `height·width` colors, where 1 is bright paper.
  public let radiance: [Vector]
  /// Metres along the optical axis at pixel centers. Every value is positive and finite.
  public let depth: DepthMap
  /// The surface at each pixel's center: 0…5 are the room's faces, and `Scene.firstSolid + i` is
  /// solid `i`.
  public let surfaces: [Int32]

  /// - Parameters:
  ///   - camera: A camera inside the room and outside every solid.
  ///   - lens: A lens for the picture. Depth and identity still belong to the pinhole. The lens's
  ///     discs need about 12 `samples`.
  ///   - samples: Rays along each side of a pixel. The picture averages `samples²` rays per pixel.
  ///   - threads: The number of rows in progress, by default the machine's number of cores.
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

  /// The exact depth, but 0, no value, on window panes and mirrors, which show other places.
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
  /// The radiance of one ray through the image plane.
  ///
  /// - Parameter pixel: The pixel that looks up the light. The default is the pixel in which the
  ///   pinhole camera shows the point.
  fileprivate func radiance(
    on ray: Ray, from camera: SceneCamera, pixel: (x: Int, y: Int)?, samples: Int,
    light: LightBuffer
  ) -> Vector {
    let point = surface(on: ray)
    let direction = ray.direction.unit
    let facing = max(-dot(direction, point.normal), 0.05)
    // The width of the ray's share of a pixel, by the geometric mean on oblique surfaces.
    let footprint =
      point.t / (camera.focalLength * Float(samples)) / facing.squareRoot()
    let material = point.material
    let albedo = reflectance(at: point, footprint: footprint)
    if material.glow > 0 {
      // Shades and panes are a little dimmer at a slant, which makes lamps look round.
      return albedo * (material.glow * mix(0.45, 1, facing) / exposure)
    }
    let irradiance =
      (pixel ?? camera.pixel(showing: point.position)).flatMap {
        light.irradiance(at: $0, on: point)
      } ?? unsharedIrradiance(at: point)
    var result = albedo * irradiance / .pi
    if material.gloss > 0 {
      // Fresnel reflection (Schlick 1994). A weak gloss is a rough surface, which rises less.
      let rise: Float = pow(1 - facing, 5) * min(1, material.gloss * 8)
      let share: Float = mix(material.gloss, 1, rise)
      let mirrored = mirroredRadiance(at: point, along: direction, footprint: footprint)
      result = mix(result, mirrored, share)
    }
    return result
  }

  /// Light on a point that is too thin to be at any near pixel's center.
  private func unsharedIrradiance(at point: SurfacePoint) -> Vector {
    var sum = Vector.zero
    for sample in stride(from: 0, to: Self.lightSamples, by: 5) {  // one per row and column
      sum += irradiance(at: point.position, normal: point.normal, sample: sample) / 4
    }
    return sum + ambient * .pi
  }
}
