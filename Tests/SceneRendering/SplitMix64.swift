/// A small generator with equal numbers on every machine and in every Swift version.
///
/// `Float.random(in:using:)` does not promise equal numbers, so the draws are here.
///
/// > Source: G. Steele, D. Lea, C. Flood. “Fast Splittable Pseudorandom Number Generators.”
/// > OOPSLA 2014, figure 16.
struct SplitMix64: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A uniform number in 0 ..< 1, a multiple of 2⁻²⁴.
  mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }

  mutating func callAsFunction(_ range: ClosedRange<Float>) -> Float {
    mix(range.lowerBound, range.upperBound, unit())
  }

  mutating func callAsFunction(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + min(Int(unit() * Float(range.count)), range.count - 1)
  }

  /// True with the given probability.
  mutating func chance(_ probability: Float) -> Bool { unit() < probability }

  /// A standard normal number: the sum of twelve uniform numbers, minus six (Irwin–Hall).
  mutating func normal() -> Float { (0..<12).reduce(Float(-6)) { sum, _ in sum + unit() } }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[self(0...choices.count - 1)]
  }
}
