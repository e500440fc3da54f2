/// The code points that define a picture's stored numbers, from boxes or compressed pictures. Code points that a header omits
/// are unspecified.
///
/// > Source: ITU-T H.273, tables 2 to 4.
struct CodePoints: Equatable {
  var primaries = ColorCoding.unspecified
  var transfer = ColorCoding.unspecified
  var matrix = ColorCoding.unspecified

  /// The name of a matrix that libheif does not support but replaces with another matrix; `nil` for supported matrices.
  var unknownMatrix: String? {
    switch matrix {
    case 0, 1, 2, 4, 5, 6, 7, 8, 9, 12: nil
    case 10: "BT.2020 with constant luminance"
    case 11: "SMPTE ST 2085"
    case 13: "of the primaries, with constant luminance"
    case 14: "ICtCp"
    case 15: "IPT-C2"
    case 16: "YCgCo-Re"
    case 17: "YCgCo-Ro"
    default: "reserved"
    }
  }
}

extension CodePoints {
  private init(_ bits: inout BitReader) throws {
    self.init(primaries: try bits.next(8), transfer: try bits.next(8), matrix: try bits.next(8))
  }
}

extension ColorCoding {
  /// - Parameter brightest: The brightest pixel in cd/m²; 0 if unknown.
  init(_ codes: CodePoints, brightest: Double) {
    // Decoders return the full range.
    self.init(primaries: codes.primaries, transfer: codes.transfer, brightest: brightest)
  }
}

/// > Source: ITU-T H.265, sections 7.3.1.2 (header), 7.3.2.2 (sequence parameter set), 7.3.3 (profile), 7.3.4 (scaling lists), 7.3.7
/// > (reference pictures), E.2.1 (usability information).
extension CodePoints {
  /// - Parameter bytes: A unit. The initializer fails unless the unit is a sequence parameter set.
  init?(hevcParameterSet bytes: ArraySlice<UInt8>) {
    guard bytes.count > 2, bytes.first.map({ $0 >> 1 & 63 }) == 33 else { return nil }
    var bits = BitReader(Self.unescaped(bytes.dropFirst(2)))
    do {
      self.init()
      if try Self.skipToColors(&bits) { self = try CodePoints(&bits) }
    } catch { return nil }
  }

  /// The bytes without emulation prevention, which inserts a byte 3 after two zeros to keep start codes out of the data.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }

  /// - Returns: Whether the set has a color description, which then follows.
  private static func skipToColors(_ bits: inout BitReader) throws -> Bool {
    try bits.skip(4)
    let subLayers = try bits.next(3)
    try bits.skip(1)
    try skipProfile(&bits, subLayers: subLayers)
    _ = try bits.exponential()
    if try bits.exponential() == 3 { try bits.skip(1) }  // chroma; separate planes
    for _ in 0..<2 { _ = try bits.exponential() }  // size
    if try bits.flag() { for _ in 0..<4 { _ = try bits.exponential() } }  // conformance window
    for _ in 0..<2 { _ = try bits.exponential() }  // bit depths
    let orderBits = try bits.exponential() + 4
    let layers = try bits.flag() ? subLayers + 1 : 1
    for _ in 0..<3 * layers { _ = try bits.exponential() }
    for _ in 0..<6 { _ = try bits.exponential() }  // block sizes
    if try bits.flag(), try bits.flag() { try skipScalingLists(&bits) }
    try bits.skip(2)
    if try bits.flag() {  // pulse code modulation
      try bits.skip(8)
      for _ in 0..<2 { _ = try bits.exponential() }
      try bits.skip(1)
    }
    try skipReferencePictureSets(&bits)
    if try bits.flag() {
      let count = try bits.exponential()
      guard count <= 32, orderBits <= 16 else { throw BitReader.End() }
      try bits.skip(count * (orderBits + 1))
    }
    try bits.skip(2)
    guard try bits.flag() else { return false }
    if try bits.flag(), try bits.next(8) == 255 { try bits.skip(32) }  // shape of pixels
    if try bits.flag() { try bits.skip(1) }  // overscan
    guard try bits.flag() else { return false }
    try bits.skip(4)  // format, range
    return try bits.flag()
  }

  private static func skipProfile(
    _ bits: inout BitReader, subLayers: Int
  ) throws {
    try bits.skip(96)
    var more = 0
    for _ in 0..<subLayers { more += try (bits.flag() ? 88 : 0) + (bits.flag() ? 8 : 0) }
    if subLayers > 0 { try bits.skip(2 * (8 - subLayers)) }
    try bits.skip(more)
  }

  private static func skipScalingLists(_ bits: inout BitReader) throws {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        // A list is a copy of another list, or consists of differences between coefficients.
        let isListed = try bits.flag()
        let count = isListed ? min(64, 1 << (4 + size << 1)) + (size > 1 ? 1 : 0) : 1
        for _ in 0..<count { _ = try bits.exponential() }
      }
    }
  }

  private static func skipReferencePictureSets(_ bits: inout BitReader) throws {
    let sets = try bits.exponential()
    guard sets <= 64 else { throw BitReader.End() }
    var pictures = 0
    for set in 0..<sets {
      if try set > 0 && bits.flag() {
        // Predicted from the previous set.
        try bits.skip(1)
        _ = try bits.exponential()
        var used = 0
        for _ in 0...pictures { used += try bits.flag() || bits.flag() ? 1 : 0 }
        pictures = used
      } else {
        pictures = try bits.exponential() + bits.exponential()
        guard pictures <= 32 else { throw BitReader.End() }
        for _ in 0..<pictures {
          _ = try bits.exponential()
          try bits.skip(1)
        }
      }
    }
  }
}

/// > Source: AV1 Bitstream & Decoding Process Specification, sections 5.3 (units), 5.5 (sequence header).
extension CodePoints {
  /// - Parameter bytes: Units of AV1. The initializer fails if they contain no sequence header.
  init?(av1Units bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while let head = rest.first {
      rest = rest.dropFirst(head & 4 == 0 ? 1 : 2)
      var length = rest.count
      if head & 2 != 0 {
        guard let stated = Self.length(&rest), stated <= rest.count else { return nil }
        length = stated
      }
      if head >> 3 & 15 == 1 {
        var bits = BitReader(Array(rest.prefix(length)))
        do {
          self.init()
          if try Self.skipToAV1Colors(&bits) { self = try CodePoints(&bits) }
          return
        } catch { return nil }
      }
      rest = rest.dropFirst(length)
    }
    return nil
  }

  /// A number of seven bits per byte.
  private static func length(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    for place in 0..<8 {
      guard let byte = bytes.popFirst() else { return nil }
      value |= Int(byte & 0x7F) << (7 * place)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }

  /// - Returns: Whether the header has a color description, which then follows.
  private static func skipToAV1Colors(_ bits: inout BitReader) throws -> Bool {
    let profile = try bits.next(3)
    try bits.skip(1)
    let isReduced = try bits.flag()
    if isReduced { try bits.skip(5) } else { try skipOperatingPoints(&bits) }
    let (widthBits, heightBits) = (try bits.next(4), try bits.next(4))
    try bits.skip(widthBits + heightBits + 2)
    if !isReduced, try bits.flag() { try bits.skip(7) }  // numbers of frames
    try bits.skip(3)
    if !isReduced { try skipTools(&bits) }
    try bits.skip(3)
    let isDeep = try bits.flag()
    if profile == 2, isDeep { try bits.skip(1) }
    if profile != 1 { try bits.skip(1) }  // monochrome
    return try bits.flag()
  }

  private static func skipOperatingPoints(_ bits: inout BitReader) throws {
    var delayBits: Int?
    if try bits.flag() {  // timing
      try bits.skip(64)
      if try bits.flag() { _ = try bits.exponential() }
      if try bits.flag() {
        delayBits = try bits.next(5) + 1
        try bits.skip(42)
      }
    }
    let hasDelays = try bits.flag()
    for _ in 0...(try bits.next(5)) {
      try bits.skip(12)
      if try bits.next(5) > 7 { try bits.skip(1) }
      if let delayBits, try bits.flag() { try bits.skip(2 * delayBits + 1) }
      if hasDelays, try bits.flag() { try bits.skip(4) }
    }
  }

  private static func skipTools(_ bits: inout BitReader) throws {
    try bits.skip(4)
    let hasOrder = try bits.flag()
    if hasOrder { try bits.skip(2) }
    // Screen content tools, and motion in whole pixels.
    let hasScreenTools = try bits.flag() ? true : bits.flag()
    if hasScreenTools, try !bits.flag() { try bits.skip(1) }
    if hasOrder { try bits.skip(3) }
  }
}
