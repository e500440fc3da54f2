/// An incremental parser of chunked bodies.
///
/// The parser is strict, because a proxy that finds another end of the body would treat the rest as a request.
/// Lines end in CR LF. Trailers and long extensions are valid but rejected, because no client needs them.
///
/// > Source: RFC 9112, “HTTP/1.1,” section 7.1.
package struct ChunkedBody {
  /// The bytes of the body so far.
  package private(set) var bytes: [UInt8] = []
  /// Whether the end of the body was found.
  package var isComplete: Bool { place == .end }

  /// Maximum bytes of a chunk's extensions, which are ignored.
  package static let extensionBytes = 256
  /// Maximum digits of a size, including leading zeros.
  private static let sizeDigits = 16

  private enum Place: Equatable {
    /// Inside the line with a chunk's size.
    case size
    /// Inside a chunk with this number of missing bytes.
    case data(Int)
    /// After this number of bytes of the CR LF that follows a chunk.
    case dataEnd(Int)
    /// After this number of bytes of the empty line that follows the last chunk.
    case emptyLine(Int)
    case end
  }

  private var place = Place.size
  /// The received part of a size line, without its LF.
  private var line: [UInt8] = []
  private let limit: Int

  /// - Parameter limit: Maximum bytes of the whole body.
  package init(limit: Int) { self.limit = limit }

  /// Parses the next bytes of a connection, up to the end of the body.
  ///
  /// - Returns: Number of parsed bytes. Later bytes belong to the next request.
  /// - Throws: ``HTTPRefusal`` with status 413 for a body that is too long, otherwise with status 400. The parser
  ///   is then unusable.
  package mutating func take(_ input: ArraySlice<UInt8>) throws(HTTPRefusal) -> Int {
    var rest = input
    while let byte = rest.first, place != .end {
      if case .data(let missing) = place {
        let part = rest.prefix(missing)
        bytes += part
        rest = rest.dropFirst(part.count)
        place = part.count < missing ? .data(missing - part.count) : .dataEnd(0)
        continue
      }
      rest = rest.dropFirst()
      switch place {
      case .size: try takeSize(byte)
      case .dataEnd(let index):
        guard byte == Self.lineEnd[index] else { throw Self.refusal("a chunk has a wrong length") }
        place = index == 0 ? .dataEnd(1) : .size
      case .emptyLine(let index):
        guard byte == Self.lineEnd[index] else {
          throw Self.refusal("something follows the last chunk, expected no trailers")
        }
        place = index == 0 ? .emptyLine(1) : .end
      case .data, .end: break
      }
    }
    return input.count - rest.count
  }

  private static let lineEnd: [UInt8] = [0x0D, 0x0A]

  private mutating func takeSize(_ byte: UInt8) throws(HTTPRefusal) {
    guard byte == 0x0A else {
      line.append(byte)
      guard line.count <= Self.sizeDigits + Self.extensionBytes + 1 else {
        throw Self.refusal("a chunk's size line is too long")
      }
      return
    }
    let count = try Self.size(line)
    line = []
    guard count <= limit - bytes.count else {
      throw HTTPRefusal(.tooLarge, "the body has more than \(limit) bytes")
    }
    place = count == 0 ? .emptyLine(0) : .data(count)
  }

  /// The number in a size line such as `1f;name=value` with a CR.
  private static func size(_ line: [UInt8]) throws(HTTPRefusal) -> Int {
    let digits = line.prefix { Character(Unicode.Scalar($0)).hexDigitValue != nil }
    let rest = line[digits.endIndex...].dropLast()
    guard line.last == 0x0D, (1...sizeDigits).contains(digits.count),
      rest.isEmpty || rest.first(where: { $0 != 0x20 && $0 != 0x09 }) == 0x3B,
      rest.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F })
    else { throw refusal("a chunk's size line is not a hexadecimal number") }
    guard rest.count <= extensionBytes else {
      throw refusal("the extensions of a chunk have more than \(extensionBytes) bytes")
    }
    return Int(clamping: UInt64(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max)
  }

  private static func refusal(_ reason: String) -> HTTPRefusal { HTTPRefusal(.badRequest, reason) }
}
