/// A baseline JPEG of flat blocks, assembled by hand. The decoder is then not tested with the
/// encoder of its own library.
///
/// > Source: ITU-T T.81, annexes B and F.
struct FlatJPEG {
  /// The value of each component, 0…255, in every block.
  var components: [UInt8]
  var width = 8
  var height = 8
  /// The `transform` byte of an Adobe segment: 0 for none, 2 for YCCK. `nil` omits the segment.
  var adobeTransform: UInt8?

  var bytes: [UInt8] { header + entropyCodedData + [0xFF, 0xD9] }

  /// All bytes before the first coded bit.
  var header: [UInt8] {
    let count = UInt8(components.count)
    var result: [UInt8] = [0xFF, 0xD8]
    if let adobeTransform {
      result += segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, adobeTransform])
    }
    result += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    let sides = [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
    result += segment(0xC0, [8] + sides + [count] + (1...count).flatMap { [$0, 0x11, 0] })
    // DC has categories 0…11 as 4-bit codes. AC has only the end of block, coded as bit 0.
    result += segment(0xC4, [0x00] + lengths(12, of: 4) + Array(0...11))
    result += segment(0xC4, [0x10] + lengths(1, of: 1) + [0])
    return result + segment(0xDA, [count] + (1...count).flatMap { [$0, 0x00] } + [0, 63, 0])
  }

  private var entropyCodedData: [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, count: Int) {
      for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
    }
    let blocks = (width + 7) / 8 * ((height + 7) / 8)
    for block in 0..<blocks {
      for component in components {
        // A flat block's DC coefficient is eight times the level. Later blocks have the difference
        // 0.
        let difference = block == 0 ? 8 * (Int(component) - 128) : 0
        let category = Int.bitWidth - abs(difference).leadingZeroBitCount
        append(category, count: 4)
        append(difference < 0 ? difference - 1 : difference, count: category)
        append(0, count: 1)
      }
    }
    while bits.count % 8 != 0 { bits.append(true) }
    return stride(from: 0, to: bits.count, by: 8).flatMap { start -> [UInt8] in
      let byte = bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
      return byte == 0xFF ? [0xFF, 0] : [byte]
    }
  }

  private func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
  }

  /// The number of codes for each of 16 lengths.
  private func lengths(_ count: UInt8, of length: Int) -> [UInt8] {
    (1...16).map { $0 == length ? count : 0 }
  }
}
