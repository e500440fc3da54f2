/// Patterns that need more than one line.
extension Texture {
  /// Tiles of `first` with joints of `second`. A tile is `aspect` as high as wide, and each row is
  /// moved by `stagger`.
  func tiles(
    _ p: SIMD2<Float>, _ width: Float, aspect: Float, stagger: Float, joint: Float
  ) -> Vector {
    let row = p.y / aspect
    let x = p.x + stagger * row.rounded(.down)
    let face =
      filteredPulse(x, duty: 1 - joint, width: width)
      * filteredPulse(row, duty: 1 - joint / aspect, width: width / aspect)
    let own = Noise.cell(
      Noise.gridIndex(x.rounded(.down)), Noise.gridIndex(row.rounded(.down)), seed: seed)
    let stain = Noise.fractal(p * 5, footprint: width * 5, seed: seed)
    // Tiles smaller than a pixel show only their mean shade.
    let variety = clamp(2 - 2 * width)
    let shade = 1 + variety * (0.25 * (own - 0.5) + 0.2 * (stain - 0.5))
    return mix(second, first * shade, face)
  }

  /// Boards along u, 1/8 of a repeat wide, each with a shade, grain and dark seams.
  func planks(_ p: SIMD2<Float>, _ width: Float) -> Vector {
    let row = p.y * 8
    let board = Noise.gridIndex(row.rounded(.down))
    let start = Noise.cell(board, 7, seed: seed)
    let along = p.x + start
    let own = Noise.cell(Noise.gridIndex(along.rounded(.down)), board, seed: seed)
    let seam =
      filteredPulse(row, duty: 0.97, width: width * 8)
      * filteredPulse(along, duty: 0.996, width: width)
    let wood = grain(p + SIMD2(own * 17, 0), width, seed: seed &+ UInt32(own * 64))
    return wood * (0.85 + 0.3 * own * clamp(2 - 8 * width)) * mix(0.35, 1, seam)
  }

  /// Streaks along u with slow waves across.
  func grain(_ p: SIMD2<Float>, _ width: Float, seed: UInt32) -> Vector {
    let wave = Noise.fractal(p * SIMD2(2, 8), footprint: width * 8, seed: seed)
    let streak = Noise.fractal(
      SIMD2(p.x * 3, p.y * 50 + 6 * wave), footprint: width * 50, seed: seed &+ 3)
    return mix(first, second, clamp(0.5 + 0.9 * (wave - 0.5) + 0.8 * (streak - 0.5)))
  }

  /// Diamonds and dots between faint vertical lines.
  func wallpaper(_ p: SIMD2<Float>, _ width: Float) -> Vector {
    let q = p - p.rounded(.down) - 0.5
    let edge = max(width, 0.02)
    let diamond = clamp((0.3 - abs(q.x) - abs(q.y)) / edge)
    let hole = clamp((0.16 - abs(q.x) - abs(q.y)) / edge)
    let line = filteredPulse(p.x, duty: 0.06, width: width)
    let drawn = clamp(diamond - hole + 0.7 * line)
    // The motif fades to its mean before it is smaller than a pixel.
    return mix(first, second, mix(drawn, 0.17, clamp(2 * width - 0.5)))
  }

  /// A made-up picture of color washes in layers, which differs for each seed.
  func painting(_ p: SIMD2<Float>, _ width: Float) -> Vector {
    let a = Noise.fractal(p * 3, footprint: width * 3, seed: seed)
    let b = Noise.fractal(p * SIMD2(2, 5), footprint: width * 5, seed: seed &+ 11)
    let c = Noise.fractal(p * 9, footprint: width * 9, seed: seed &+ 23)
    let wash = mix(first, second, clamp(3 * (a - 0.33)))
    let other = Vector(second.z, first.y, second.x)
    return mix(wash, other, clamp(5 * (b - 0.55))) * (0.6 + 0.8 * c)
  }

  /// Trees out of focus against a bright sky.
  func outdoors(_ p: SIMD2<Float>, _ width: Float) -> Vector {
    let crown = Noise.fractal(p * 2, footprint: width * 2, seed: seed)
    let leaves = Noise.fractal(p * 7, footprint: width * 7, seed: seed &+ 5)
    let share = clamp(3 * (p.y + 0.9 * (crown - 0.5)) + 0.4)
    return mix(second * (0.4 + 0.9 * leaves), first, share)
  }
}
