/// Smooth pseudorandom functions of the plane, for irregular plaster, wood and cloth.
enum Noise {
  /// A number in 0…1 for each cell of the integer grid.
  @inline(__always)
  static func cell(_ x: Int32, _ y: Int32, seed: UInt32) -> Float {
    var h = UInt32(bitPattern: x) &* 0x8DA6_B343 ^ UInt32(bitPattern: y) &* 0xD816_3841
    h ^= seed &* 0xCB1A_B31F
    h = (h ^ (h >> 16)) &* 0x7FEB_352D  // lowbias32, C. Wellons 2018
    h = (h ^ (h >> 15)) &* 0x846C_A68B
    return Float((h ^ (h >> 16)) >> 8) * 0x1p-24
  }

  /// Value noise, 0…1, with features one unit apart.
  static func value(_ p: SIMD2<Float>, seed: UInt32) -> Float {
    let corner = p.rounded(.down)
    let f = p - corner
    let s = f * f * (3 - 2 * f)
    let (x, y) = (gridIndex(corner.x), gridIndex(corner.y))
    let low = mix(cell(x, y, seed: seed), cell(x &+ 1, y, seed: seed), s.x)
    let high = mix(cell(x, y &+ 1, seed: seed), cell(x &+ 1, y &+ 1, seed: seed), s.x)
    return mix(low, high, s.y)
  }

  /// Four octaves of value noise, 0…1 around ½. Octaves finer than `footprint` are omitted.
  static func fractal(_ p: SIMD2<Float>, footprint: Float, seed: UInt32) -> Float {
    var (sum, amplitude, frequency) = (Float(0.5), Float(0.5), Float(1))
    for octave in 0..<4 {
      let visible = clamp(2 - 2 * footprint * frequency)
      guard visible > 0 else { break }
      sum += amplitude * visible * (value(p * frequency, seed: seed &+ UInt32(octave)) - 0.5)
      amplitude /= 2
      frequency *= 2.17
    }
    return clamp(sum)
  }

  /// The cell that contains a coordinate. All far coordinates share the last cell.
  @inline(__always)
  static func gridIndex(_ x: Float) -> Int32 { Int32(clamp(x, -1e9, 1e9)) }
}

/// The mean of a pulse train over a window of this width around `x`. The train has period 1 and is
/// 1 for the first `duty` of each period. Stripes thus fade to their mean instead of aliasing.
@inline(__always)
func filteredPulse(_ x: Float, duty: Float, width: Float) -> Float {
  func integral(_ x: Float) -> Float {
    let whole = x.rounded(.down)
    return whole * duty + min(x - whole, duty)
  }
  let width = max(width, 1e-4)
  if width > 4 { return duty }
  return clamp((integral(x + width / 2) - integral(x - width / 2)) / width)
}
