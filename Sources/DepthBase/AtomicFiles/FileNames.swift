import SystemEssentials

/// File names that are not UTF-8.
///
/// A string encodes each byte that is not part of valid UTF-8 as the private-use character U+10FF00 plus the byte. The
/// bytes of such a private-use character are encoded in the same way. Every name therefore has exactly one string.
///
/// > Source: M. von Löwis. “PEP 383: Non-decodable Bytes in System Character Interfaces.” 2009, with characters that Swift's strings hold.
extension String {
  /// The string that encodes the bytes of a file name.
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

  /// The string that encodes a zero-terminated file name.
  init(fileNameAt start: UnsafePointer<CChar>) {
    let count = unsafe strlen(start)
    self.init(
      fileName: unsafe Array(UnsafeRawBufferPointer(start: start, count: count)))
  }

  /// Whether the file name is valid UTF-8, without encoded bytes.
  package var isUTF8Name: Bool {
    !utf8.contains(0xF4) || unicodeScalars.allSatisfy { $0.fileNameByte == nil }
  }

  /// The bytes of the file name.
  package var fileNameBytes: [UInt8] {
    isUTF8Name
      ? Array(utf8)
      : unicodeScalars.flatMap { $0.fileNameByte.map { [$0] } ?? Array(UTF8.encode($0)!) }
  }

  /// The file name as a C string, for system calls.
  package var systemPath: [CChar] { (fileNameBytes + [0]).map { CChar(bitPattern: $0) } }

  /// The file name as text for messages and records, where invalid bytes are written like `\xE9`.
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
  /// The byte that a private-use character encodes; `nil` for other characters.
  fileprivate var fileNameByte: UInt8? {
    (0x10FF80...0x10FFFF).contains(value) ? UInt8(value & 0xFF) : nil
  }
}

/// The number of bytes of a UTF-8 character, from its first byte.
private func length(ofCharacterFrom byte: UInt8) -> Int {
  switch byte {
  case 0xC0...0xDF: 2
  case 0xE0...0xEF: 3
  case 0xF0...0xF7: 4
  default: 1
  }
}
