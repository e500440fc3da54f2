/// A pattern on a surface: linear reflectance as a function of surface coordinates in metres.
///
/// Every pattern is filtered over the footprint of a pixel, so two views of a surface agree.
public struct Texture: Sendable, Hashable {
  /// A pattern of two colors.
  public enum Pattern: UInt8, Sendable, CaseIterable {
    /// `first` alone.
    case plain
    /// A chequerboard.
    case checks
    /// Vertical stripes of `second` on `first`.
    case stripes
    /// Square tiles of `first`, slightly different, with grout of `second`.
    case tiles
    /// Running-bond bricks of `first` with mortar of `second`.
    case bricks
    /// Floorboards of `first` with grain towards `second`.
    case planks
    /// Wood grain along u.
    case wood
    /// Faint clouds between the two colors.
    case plaster
    /// Veins of `second` in `first`.
    case marble
    /// A repeated motif of `second` on `first`.
    case wallpaper
    /// Woven threads.
    case weave
    /// Fine speckle.
    case carpet
    /// Blots, sky and ground, as in a picture on a wall.
    case painting
    /// Strong coarse and fine noise in every direction, for stereo tests.
    case speckle
    /// Sky above blurred greenery, as in the view through a window.
    case outdoors
    /// Chips of `second` in a ground of `first`.
    case terrazzo
    /// Round holes of `second` in a square grid on `first`.
    case holes
  }

  public var pattern: Pattern
  /// Linear red, green and blue, 0…1.
  public var first, second: Vector
  /// The length of one repeat, in metres.
  public var scale: Float
  /// The seed that distinguishes textures of the same pattern.
  public var seed: UInt32

  public init(
    _ pattern: Pattern, _ first: Vector, _ second: Vector? = nil, scale: Float = 1, seed: UInt32 = 0
  ) {
    precondition(scale > 0, "texture scale is \(scale) metres, expected positive")
    (self.pattern, self.first, self.second) = (pattern, first, second ?? first)
    (self.scale, self.seed) = (scale, seed)
  }

  /// Whether the pattern's direction follows the longer side of the surface.
  var hasGrain: Bool { pattern == .wood || pattern == .planks }

  /// - Parameters:
  ///   - point: Surface coordinates in metres.
  ///   - footprint: The width of a pixel on the surface, in metres.
  func color(at point: SIMD2<Float>, footprint: Float) -> Vector {
    let p = point / scale
    let width = footprint / scale
    switch pattern {
    case .plain: return first
    case .checks:
      let x = 2 * filteredPulse(p.x / 2, duty: 0.5, width: width / 2) - 1
      let y = 2 * filteredPulse(p.y / 2, duty: 0.5, width: width / 2) - 1
      return mix(first, second, 0.5 - 0.5 * x * y)
    case .stripes: return mix(first, second, filteredPulse(p.x, duty: 0.4, width: width))
    case .tiles: return tiles(p, width, aspect: 1, stagger: 0, joint: 0.03)
    case .bricks: return tiles(p, width, aspect: 0.32, stagger: 0.5, joint: 0.045)
    case .planks: return planks(p, width)
    case .wood: return grain(p, width, seed: seed)
    case .plaster: return mix(first, second, Noise.fractal(p * 3, footprint: width * 3, seed: seed))
    case .marble:
      let bend = Noise.fractal(p * 2, footprint: width * 2, seed: seed)
      let vein = abs(
        2 * Noise.fractal(p * 1.3 + 6 * bend, footprint: width * 8, seed: seed &+ 9) - 1)
      return mix(second, first, clamp(vein * 4 + width * 3))
    case .wallpaper: return wallpaper(p, width)
    case .weave:
      let x = filteredPulse(p.x * 60, duty: 0.5, width: width * 60)
      let y = filteredPulse(p.y * 60, duty: 0.5, width: width * 60)
      let cloud = Noise.fractal(p * 4, footprint: width * 4, seed: seed)
      return mix(first, second, clamp(0.25 * (x + y) + 0.6 * (cloud - 0.25)))
    case .carpet:
      let fine = Noise.fractal(p * 40, footprint: width * 40, seed: seed)
      let coarse = Noise.fractal(p * 5, footprint: width * 5, seed: seed &+ 5)
      return mix(first, second, clamp(0.5 + 1.2 * (fine - 0.5) + 0.8 * (coarse - 0.5)))
    case .painting: return painting(p, width)
    case .speckle:
      let fine = Noise.fractal(p * 14, footprint: width * 14, seed: seed)
      let coarse = Noise.fractal(p * 3, footprint: width * 3, seed: seed &+ 5)
      return mix(first, second, clamp(0.5 + 1.3 * (fine - 0.5) + 1.3 * (coarse - 0.5)))
    case .outdoors: return outdoors(p, width)
    case .terrazzo:
      let chips = Noise.fractal(p * 2, footprint: width * 2, seed: seed)
      let tint = Noise.fractal(p * 0.7, footprint: width, seed: seed &+ 7)
      return mix(first, second * (0.5 + tint), clamp(14 * (chips - 0.6)))
    case .holes:
      let q = p - p.rounded(.down) - 0.5
      let edge = max(width, 0.03)
      let hole = clamp((0.22 - (q.x * q.x + q.y * q.y).squareRoot()) / edge + 0.5)
      return mix(first, second, mix(hole, 0.15, clamp(2 * width - 0.5)))
    }
  }
}
