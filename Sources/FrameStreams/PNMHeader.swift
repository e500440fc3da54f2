import DepthErrors
import DepthImages

/// The header of a binary PGM or PPM picture.
///
/// > Source: Netpbm, `pgm(5)` and `ppm(5)`.
struct PNMHeader: Sendable, Hashable {
  let size: PixelSize
  /// 1 for PGM (`P5`), 3 for PPM (`P6`).
  let channels: Int
  /// The sample value of white, 1…65535; above 255 a sample has two bytes, high byte first.
  let maximum: Int

  var frameBytes: Int { size.width * size.height * channels * (maximum > 255 ? 2 : 1) }

  /// Parses the header, including the single white space before the samples.
  ///
  /// - Throws: `DepthError` with code `damaged` or `unsupportedFormat`.
  init(_ source: inout ByteSource) throws {
    let file = source.name
    let kind = String(decoding: try source.bytes(2), as: UTF8.self)
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: file, format: kind == "P5" ? "PGM" : "PPM", reason: reason)
    }
    switch kind {
    case "P5": channels = 1
    case "P6": channels = 3
    default:
      throw DepthError.unsupportedFormat(
        file: file, expected: "binary PGM (P5) or PPM (P6) frames", found: "a '\(kind)' picture")
    }
    var numbers: [Int] = []
    var digits: [UInt8] = []
    var length = 0
    while numbers.count < 3 {
      guard var byte = try source.byte() else { throw damaged("ends inside its header") }
      length += 1
      guard length <= 4096 else { throw damaged("the header is longer than 4096 bytes") }
      if byte == UInt8(ascii: "#") {
        guard try source.line(limit: 4096) != nil else { throw damaged("ends inside its header") }
        byte = 0x0A
      }
      switch byte {
      case 0x30...0x39 where digits.count < 9: digits.append(byte)
      case 0x09...0x0D, 0x20:
        guard !digits.isEmpty else { continue }
        numbers.append(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        digits = []
      default: throw damaged("the header has no width, height and maximum")
      }
    }
    size = PixelSize(width: numbers[0], height: numbers[1])
    maximum = numbers[2]
    guard (1...65535).contains(maximum) else {
      throw damaged("the maximum is \(maximum), expected 1 to 65535")
    }
  }

  /// - Parameter samples: ``frameBytes`` bytes.
  func image(_ samples: [UInt8]) -> Image {
    precondition(samples.count == frameBytes, "\(samples.count) bytes, expected \(frameBytes)")
    var bytes = samples
    if maximum > 255 {
      bytes = (0..<samples.count / 2).map { index in
        let sample = Int(samples[2 * index]) << 8 | Int(samples[2 * index + 1])
        return UInt8(min((sample * 255 + maximum / 2) / maximum, 255))
      }
    } else if maximum < 255 {
      bytes = samples.map { UInt8(min((Int($0) * 255 + maximum / 2) / maximum, 255)) }
    }
    if channels == 1 { bytes = bytes.flatMap { [$0, $0, $0] } }
    return Image(height: size.height, width: size.width, pixels: bytes)
  }
}
