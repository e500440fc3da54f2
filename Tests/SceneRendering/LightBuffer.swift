/// Light on the point that each pixel's center shows.
///
/// Each pixel samples one point of every lamp and one direction. The samples of neighbors in a tile
/// complement each other. Averaging over a tile's pixels on one surface gives smooth shadows and
/// reflected light from few rays.
///
/// > Source: A. Keller, W. Heidrich. “Interleaved Sampling.” EGWR 2001. Averaging follows B.
/// > Segovia et al. “Non-interleaved Deferred Shading of Interleaved Sample Patterns.” Graphics
/// > Hardware 2006, section 3.
struct LightBuffer: Sendable {
  struct Pixel: Sendable {
    var depth: Float
    var identity: Int32
    var normal: Vector
    /// Light from lamps and windows, and light from everything else, per area.
    var direct, indirect: Vector
  }

  let width, height: Int
  let pixels: [Pixel]
  private let irradiance: [Vector]

  /// Sides of the tiles that share a light's points or the reflected directions.
  private static let directTile = 4
  private static let indirectTile = 8

  init(of scene: Scene, from camera: SceneCamera, threads: Int) {
    let (width, height) = (camera.width, camera.height)
    (self.width, self.height) = (width, height)
    let pixels = parallelRows(height, threads: threads) { y in
      (0..<width).map { x -> Pixel in
        let point = scene.surface(on: camera.ray(x: Float(x) + 0.5, y: Float(y) + 0.5))
        let (direct, indirect) = scene.light(on: point, x: x, y: y)
        return Pixel(
          depth: point.t, identity: point.identity, normal: point.normal, direct: direct,
          indirect: indirect)
      }
    }
    self.pixels = pixels
    irradiance = parallelRows(height, threads: threads) { y in
      (0..<width).map { x in
        Self.mean(pixels, width, height, x, y, tile: Self.directTile, \.direct)
          + Self.mean(pixels, width, height, x, y, tile: Self.indirectTile, \.indirect)
      }
    }
  }

  /// The mean over the pixels of a tile around `(x, y)` that show the same surface at nearly the
  /// same normal.
  @inline(__always)
  private static func mean(
    _ pixels: [Pixel], _ width: Int, _ height: Int, _ x: Int, _ y: Int, tile: Int,
    _ value: KeyPath<Pixel, Vector>
  ) -> Vector {
    let own = pixels[y * width + x]
    var sum = Vector.zero
    var count: Float = 0
    for row in max(0, y - tile / 2)..<min(height, y + tile / 2) {
      for column in max(0, x - tile / 2)..<min(width, x + tile / 2) {
        let other = pixels[row * width + column]
        guard other.identity == own.identity, dot(other.normal, own.normal) > 0.9 else { continue }
        sum += other[keyPath: value]
        count += 1
      }
    }
    return sum / count
  }

  /// Light on a point anywhere inside a pixel, from a near pixel center on the same face. `nil` if
  /// no neighbor shows the face.
  func irradiance(at pixel: (x: Int, y: Int), on point: SurfacePoint) -> Vector? {
    if isSame(pixels[pixel.y * width + pixel.x], point) {
      return irradiance[pixel.y * width + pixel.x]
    }
    for row in max(0, pixel.y - 1)...min(height - 1, pixel.y + 1) {
      for column in max(0, pixel.x - 1)...min(width - 1, pixel.x + 1) {
        let index = row * width + column
        if isSame(pixels[index], point) { return irradiance[index] }
      }
    }
    return nil
  }

  @inline(__always)
  private func isSame(_ pixel: Pixel, _ point: SurfacePoint) -> Bool {
    pixel.identity == point.identity && dot(pixel.normal, point.normal) > 0.9
  }
}

extension Scene {
  /// One sample of direct and of reflected light. The pixel's place in a tile selects the sample.
  fileprivate func light(on point: SurfacePoint, x: Int, y: Int) -> (Vector, Vector) {
    guard point.material.glow == 0 else { return (.zero, .zero) }
    // Odd factors scatter neighbors over the pattern, and a tile still has all samples.
    let direct = ((x & 3) + 4 * (y & 3)) * 7 & 15
    let indirect = ((x & 7) + 8 * (y & 7)) * 37 & 63
    return (
      irradiance(at: point.position, normal: point.normal, sample: direct),
      indirectIrradiance(at: point.position, normal: point.normal, sample: indirect)
    )
  }
}
