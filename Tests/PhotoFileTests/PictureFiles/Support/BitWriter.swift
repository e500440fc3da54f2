/// A writer of single bits, for headers of compressed pictures.
struct BitWriter {
  private var bits: [UInt8] = []

  mutating func add(_ value: Int, _ count: Int) {
    for place in (0..<count).reversed() { bits.append(UInt8(value >> place & 1)) }
  }

  mutating func add(_ flag: Bool) { add(flag ? 1 : 0, 1) }

  /// Writes a number as `ue(v)` of H.265.
  mutating func addExponential(_ value: Int) {
    let length = Int.bitWidth - (value + 1).leadingZeroBitCount
    add(0, length - 1)
    add(value + 1, length)
  }

  /// The bytes, which end with a one bit and zeros.
  var bytes: [UInt8] {
    let all = bits + [1] + [UInt8](repeating: 0, count: 7 - bits.count % 8)
    return stride(from: 0, to: all.count, by: 8).map { start in
      all[start..<start + 8].reduce(0) { $0 << 1 | $1 }
    }
  }
}

/// Headers of compressed pictures, written by the tables of their standards.
enum HeaderFixture {
  /// A sequence parameter set of HEVC, with or without the parts before the colors. `nil` omits
  /// colors.
  ///
  /// > Source: ITU-T H.265, section 7.3.2.2.
  static func parameterSet(
    _ codes: (Int, Int, Int)?, subLayers: Int = 0, hasEverything: Bool = false
  ) -> [UInt8] {
    var bits = BitWriter()
    bits.add(0, 4)
    bits.add(subLayers, 3)
    bits.add(true)
    // Zeros need inserted bytes, which prevent false start codes.
    for _ in 0..<12 { bits.add(0, 8) }
    for _ in 0..<subLayers { bits.add(0b11, 2) }
    if subLayers > 0 { bits.add(0, 2 * (8 - subLayers)) }
    for _ in 0..<subLayers { bits.add(0, 96) }
    bits.addExponential(0)
    bits.addExponential(hasEverything ? 3 : 1)
    if hasEverything { bits.add(false) }
    bits.addExponential(64)
    bits.addExponential(48)
    bits.add(hasEverything)
    if hasEverything { for value in 0..<4 { bits.addExponential(value) } }
    for value in [2, 2, 4] { bits.addExponential(value) }
    bits.add(hasEverything)
    for _ in 0..<3 * (hasEverything ? subLayers + 1 : 1) { bits.addExponential(5) }
    for value in [0, 3, 0, 3, 1, 1] { bits.addExponential(value) }
    bits.add(hasEverything)
    if hasEverything { addScalingLists(&bits) }
    bits.add(0b01, 2)
    bits.add(hasEverything)
    if hasEverything {
      bits.add(0x77, 8)
      bits.addExponential(0)
      bits.addExponential(2)
      bits.add(true)
    }
    if hasEverything { addReferencePictures(&bits) } else { bits.addExponential(0) }
    bits.add(hasEverything)
    if hasEverything {
      bits.addExponential(2)
      for value in [17, 200] { bits.add(value, 8 + 1) }  // The order has 4 + 4 bits.
    }
    bits.add(0b01, 2)
    bits.add(codes != nil)
    guard let codes else { return escaped(bits.bytes) }
    bits.add(hasEverything)
    if hasEverything {
      bits.add(255, 8)
      bits.add(4 << 16 | 3, 32)
    }
    bits.add(hasEverything)
    if hasEverything { bits.add(true) }
    bits.add(true)
    bits.add(5, 3)
    bits.add(true)
    bits.add(true)
    for code in [codes.0, codes.1, codes.2] { bits.add(code, 8) }
    return escaped(bits.bytes)
  }

  private static func addScalingLists(_ bits: inout BitWriter) {
    bits.add(true)
    for size in 0..<4 {
      for list in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        bits.add(list == 0)
        guard list == 0 else {
          bits.addExponential(list)
          continue
        }
        if size > 1 { bits.addExponential(3) }
        for coefficient in 0..<min(64, 1 << (4 + 2 * size)) { bits.addExponential(coefficient % 3) }
      }
    }
  }

  /// Two sets of reference pictures. The second set is predicted from the first set.
  private static func addReferencePictures(_ bits: inout BitWriter) {
    bits.addExponential(2)
    bits.addExponential(1)
    bits.addExponential(1)
    for _ in 0..<2 {
      bits.addExponential(0)
      bits.add(true)
    }
    bits.add(true)
    bits.add(false)
    bits.addExponential(0)
    bits.add(true)
    bits.add(0b01, 2)  // The picture is kept, but unused.
    bits.add(0b00, 2)
  }

  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x42, 0x01]
    var zeros = 0
    for byte in bytes {
      if zeros == 2, byte <= 3 {
        result.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }

  /// The content of an `hvcC` box with two arrays. The second array has this parameter set.
  static func hevcConfiguration(_ set: [UInt8]) -> [UInt8] {
    let other: [UInt8] = [0x40, 0x01, 0x0C]
    return [1] + [UInt8](repeating: 0, count: 15) + [0xFD, 0xF8, 0xF8, 0, 0, 0x0F, 2]
      + [32, 0, 1, 0, UInt8(other.count)] + other
      + [33, 0, 1, 0, UInt8(set.count)] + set
  }

  /// A unit with an AV1 sequence header, after another unit. `nil` omits the color description.
  ///
  /// > Source: AV1 Bitstream & Decoding Process Specification, sections 5.3 and 5.5.
  static func av1Units(
    _ codes: (Int, Int, Int)?, isReduced: Bool, hasEverything: Bool = false, hasLength: Bool = true
  ) -> [UInt8] {
    var bits = BitWriter()
    bits.add(hasEverything ? 2 : 0, 3)
    bits.add(isReduced)
    bits.add(isReduced)
    if isReduced {
      bits.add(4, 5)
    } else {
      bits.add(hasEverything)
      if hasEverything {
        bits.add(1, 32)
        bits.add(25, 32)
        bits.add(true)
        bits.addExponential(4)
        bits.add(true)
        bits.add(9, 5)
        bits.add(1, 32)
        bits.add(0, 10)
      }
      bits.add(hasEverything)
      bits.add(hasEverything ? 1 : 0, 5)
      for point in 0..<(hasEverything ? 2 : 1) {
        bits.add(0, 12)
        bits.add(hasEverything ? 9 : 4, 5)
        guard hasEverything else { continue }
        bits.add(true)
        bits.add(point == 0)
        if point == 0 { bits.add(0b1_0000000011_0000000100, 21) }
        bits.add(true)
        bits.add(3, 4)
      }
    }
    bits.add(6, 4)
    bits.add(5, 4)
    bits.add(63, 7)
    bits.add(47, 6)
    if !isReduced {
      bits.add(hasEverything)
      if hasEverything { bits.add(5, 7) }
    }
    bits.add(0b101, 3)
    if !isReduced {
      bits.add(0b1001, 4)
      bits.add(hasEverything)
      if hasEverything { bits.add(0b11, 2) }
      bits.add(!hasEverything)
      if hasEverything { bits.add(true) }
      bits.add(hasEverything)
      if !hasEverything { bits.add(false) }
      if hasEverything { bits.add(6, 3) }
    }
    bits.add(0b010, 3)
    bits.add(true)
    if hasEverything { bits.add(true) }
    bits.add(false)
    bits.add(codes != nil)
    if let codes { for code in [codes.0, codes.1, codes.2] { bits.add(code, 8) } }
    bits.add(true)
    let header = bits.bytes
    return [0x12, 0] + (hasLength ? [0x0A, UInt8(header.count)] : [0x08]) + header
  }
}
