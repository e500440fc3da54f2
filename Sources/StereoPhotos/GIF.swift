import DepthBase
import DepthErrors
import PictureFiles

extension PictureAnimation {
  /// An animated GIF of at most 256 colors, for programs that cannot play other formats.
  ///
  /// Colors are converted to sRGB if the frames have a matrix profile, because a GIF has no profile.
  ///
  /// All frames share one palette, and the dither pattern is fixed, so that unchanged parts of the pictures do not flicker.
  ///
  /// - Throws: `DepthError` if a side has more than 65 535 pixels.
  ///
  /// > Source: CompuServe, "Graphics Interchange Format, version 89a"; the Netscape looping extension.
  public func gif() throws -> [UInt8] { try gif(call: CallContext(threads: 1)) }

  /// - Parameter call: Cancellation is checked between frames.
  func gif(call: CallContext) throws -> [UInt8] {
    guard max(width, height) <= 65_535 else {
      throw DepthError.unencodable(
        format: "GIF",
        reason: "the picture is \(width)×\(height), expected at most 65535 pixels per side")
    }
    let frames = frames.map(\.inSRGB)
    let palette = Palette(of: frames, count: 256)
    try call.cancellation?.check()
    var file = Array("GIF89a".utf8)
    file.append(littleEndian: UInt16(width))
    file.append(littleEndian: UInt16(height))
    file += [0xF7, 0, 0]  // global table of 256 colors, 8 bits each
    for color in palette.colors { file += [color.x, color.y, color.z] }
    file += [UInt8](repeating: 0, count: (256 - palette.colors.count) * 3)
    file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    for frame in frames {
      file += [0x21, 0xF9, 4, 4]  // graphic control; leave the frame in place
      file.append(littleEndian: UInt16((delay * 100).rounded()))
      file += [0, 0, 0x2C]
      file.append(littleEndian: UInt32(0))  // left and top
      file.append(littleEndian: UInt16(width))
      file.append(littleEndian: UInt16(height))
      file += [0, 8]  // no local table; 8 bits per pixel
      try call.cancellation?.check()
      let code = LZW.compress(palette.indices(of: frame))
      for start in stride(from: 0, to: code.count, by: 255) {
        let block = code[start..<min(code.count, start + 255)]
        file.append(UInt8(block.count))
        file += block
      }
      file.append(0)
    }
    file.append(0x3B)
    return file
  }
}

/// GIF's LZW compression with variable code lengths.
///
/// > Source: T. Welch, "A technique for high-performance data compression", 1984; GIF 89a, appendix F.
enum LZW {
  private static let clear = 256
  private static let end = 257
  private static let largest = 4095

  /// Encodes bytes as codes of 9 to 12 bits, least significant bit first.
  static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    var width: UInt32 = 9
    func flushWhole() {
      while bitCount >= 8 {
        out.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        bitCount -= 8
      }
    }
    func put(_ code: Int) {
      bits |= UInt32(code) << bitCount
      bitCount += width
      flushWhole()
    }
    // The code of the string (code, byte) is at code · 256 + byte; 0 means no code.
    var table = [UInt16](repeating: 0, count: (largest + 1) * 256)
    var next = end + 1
    put(clear)
    guard var code = bytes.first.map(Int.init) else {
      put(end)
      bitCount += 7
      flushWhole()
      return out
    }
    for byte in bytes.dropFirst() {
      let slot = code << 8 | Int(byte)
      if table[slot] != 0 {
        code = Int(table[slot])
        continue
      }
      put(code)
      if next <= largest {
        table[slot] = UInt16(next)
        if next == 1 << Int(width), width < 12 { width += 1 }
        next += 1
      } else {
        put(clear)
        table = [UInt16](repeating: 0, count: table.count)
        next = end + 1
        width = 9
      }
      code = Int(byte)
    }
    put(code)
    put(end)
    bitCount += 7
    flushWhole()
    return out
  }
}
