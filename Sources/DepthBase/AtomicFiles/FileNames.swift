import SystemEssentials

/// File names that are not UTF-8.
///
/// A byte of a name that is no part of valid UTF-8 becomes one of the last private-use characters, U+10FF00 plus the byte, and so does
/// each byte of these characters themselves: every name has one string, and the string has the name's bytes.
///
/// > Source: M. von Löwis. “PEP 383: Non-decodable Bytes in System Character Interfaces.” 2009, with characters that Swift's strings hold.
extension String {
  /// The string of a name of any bytes.
  package init(fileName bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self), text.isUTF8Name {
      self = text
      return
    }
    var text = UnicodeScalarView()
    var place = 0
    while place < bytes.count {
      let end = Swift.min(bytes.count, place + length(ofCharacterFrom: bytes[place]))
      let part = String(validating: bytes[place..<end], as: UTF8.self)?.unicodeScalars
      if let part, part.count == 1, let scalar = part.first, scalar.fileNameByte == nil {
        text.append(scalar)
        place = end
      } else {
        text.append(Unicode.Scalar(0x10FF00 + UInt32(bytes[place]))!)
        place += 1
      }
    }
    self = String(text)
  }

  /// The string of a name that the system gives.
  init(fileNameAt start: UnsafePointer<CChar>) {
    let count = unsafe strlen(start)
    self.init(
      fileName: unsafe Array(UnsafeRawBufferPointer(start: start, count: count)))
  }

  /// Whether the name's bytes are those of the string.
  package var isUTF8Name: Bool {
    !utf8.contains(0xF4) || unicodeScalars.allSatisfy { $0.fileNameByte == nil }
  }

  /// The bytes of the name.
  package var fileNameBytes: [UInt8] {
    isUTF8Name
      ? Array(utf8)
      : unicodeScalars.flatMap { $0.fileNameByte.map { [$0] } ?? Array(UTF8.encode($0)!) }
  }

  /// The bytes of the name with a zero at the end, for calls of the system.
  package var systemPath: [CChar] { fileNameBytes.map { CChar(bitPattern: $0) } + [0] }

  /// The name for people and records, with bytes that are not UTF-8 as `\xE9`.
  package var spelledOut: String {
    isUTF8Name
      ? self
      : unicodeScalars.reduce(into: "") { text, scalar in
        if let byte = scalar.fileNameByte {
          text += "\\x" + String(byte, radix: 16, uppercase: true)
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
  }
}

extension Unicode.Scalar {
  /// The byte of a file's name that the character stands for; `nil` for others.
  fileprivate var fileNameByte: UInt8? {
    (0x10FF80...0x10FFFF).contains(value) ? UInt8(value & 0xFF) : nil
  }
}

/// Bytes of the character in UTF-8 that begins with a byte.
private func length(ofCharacterFrom byte: UInt8) -> Int {
  switch byte {
  case 0xC0...0xDF: 2
  case 0xE0...0xEF: 3
  case 0xF0...0xF7: 4
  default: 1
  }
}
