/// Inputs that differ a little from others, always the same ones for a seed.
public struct Mutations {
  private var random: Generator

  public init(seed: UInt64) { random = Generator(state: seed) }

  /// Numbers at which lengths, counts and offsets go wrong.
  private static let edges: [UInt64] = [
    0, 1, 2, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000,
    0xFFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, .max,
  ]

  /// The same of numbers in texts.
  private static let words = [
    "0", "-1", "1e308", "-1e308", "1e-320", "nan", "inf", "65536", "2147483648", "4294967296",
    "9223372036854775807", "9223372036854775808", "18446744073709551616", "", "\u{0}", "\"", "\\",
    "\n",
    "{", "[", "=", "%", "é", "\u{1F600}",
  ].map { Array($0.utf8) }

  /// One to four changes.
  ///
  /// - Parameter others: Inputs of which parts may be taken.
  public mutating func mutated(_ bytes: [UInt8], others: [[UInt8]]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, others) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8], _ others: [[UInt8]]) {
    guard !bytes.isEmpty else {
      bytes = others.first ?? []
      return
    }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes.insert(contentsOf: bytes[place...].prefix(32), at: place)
    case 3: bytes.removeSubrange(place..<min(place + Int(random.next() & 31), bytes.count))
    case 4: bytes = Array(bytes.prefix(max(place, 1)))
    case 5:
      let edge = Self.edges.randomElement(using: &random) ?? 0
      let count = min([1, 2, 4, 8].randomElement(using: &random) ?? 1, bytes.count - place)
      let isBig = Bool.random(using: &random)
      for index in 0..<count {
        let shift = 8 * (isBig ? count - 1 - index : index)
        bytes[place + index] = UInt8(truncatingIfNeeded: edge >> shift)
      }
    case 6:
      // A number in a text, or any byte of another file.
      var end = place
      while end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1 }
      let word = Self.words.randomElement(using: &random) ?? []
      bytes.replaceSubrange(place..<max(end, min(place + 1, bytes.count)), with: word)
    case 7:
      guard let other = others.randomElement(using: &random), !other.isEmpty else { return }
      let start = Int.random(in: 0..<other.count, using: &random)
      bytes = Array(bytes.prefix(place)) + other[start...]
    default:
      guard let other = others.randomElement(using: &random), !other.isEmpty else { return }
      let start = Int.random(in: 0..<other.count, using: &random)
      let part = other[start...].prefix(Int(random.next() & 63) + 1)
      let end = min(place + part.count, bytes.count)
      bytes.replaceSubrange(place..<end, with: part)
    }
  }
}

/// SplitMix64.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
