import DepthBase
import DepthErrors

/// Reads the records of one file, binary or text, with bounds checks.
final class COLMAPReader {
  let name: String
  private let bytes: [UInt8]
  private let isText: Bool
  private var place = 0
  /// The end of the current line of text.
  private var lineEnd = -1

  /// - Throws: `DepthError` with code `insufficientMemory` if a model with this many bytes does not fit.
  init(_ bytes: [UInt8], isText: Bool, _ name: String) throws {
    // A growing dictionary takes about 150 bytes per point. A point has 51 bytes in a binary file, and more as text.
    try MemoryNeed(bytes: 3 * bytes.count).require(for: name)
    (self.bytes, self.isText, self.name) = (bytes, isText, name)
  }

  func damaged(_ reason: String) -> DepthError {
    .damaged(file: name, format: "COLMAP model", reason: reason)
  }

  /// Reads all records: the stated number in a binary file, or all lines of text.
  func forEachRecord(_ read: (COLMAPReader) throws -> Void) throws {
    guard isText else {
      let count = try integer(bytes: 8)
      // Every record has at least eight bytes.
      guard (0...bytes.count / 8).contains(count) else {
        throw damaged("has \(bytes.count) bytes for \(count) records")
      }
      for _ in 0..<count { try read(self) }
      return
    }
    while nextLine() {
      skipBlanks()
      if place < lineEnd, bytes[place] != UInt8(ascii: "#") { try read(self) }
    }
  }

  /// Moves to the next line of text; `false` at the end of the file.
  private func nextLine() -> Bool {
    place = lineEnd + 1
    guard place < bytes.count else { return false }
    lineEnd = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
    return true
  }

  private func skipBlanks() {
    while place < lineEnd, [0x20, 0x09, 0x0D].contains(bytes[place]) { place += 1 }
  }

  private func word() throws -> String {
    skipBlanks()
    let start = place
    while place < lineEnd, ![0x20, 0x09, 0x0D].contains(bytes[place]) { place += 1 }
    guard start < place else { throw damaged("a line has too few fields") }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private func bits(_ count: Int) throws -> UInt64 {
    guard place <= bytes.count - count else { throw damaged("is truncated") }
    defer { place += count }
    return (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(bytes[place + $1]) }
  }

  /// An integer. In text, it has any size. COLMAP writes -1 for none.
  func integer(bytes count: Int = 4) throws -> Int {
    guard isText else {
      let bits = try bits(count)
      return count == 8 ? Int(truncatingIfNeeded: bits) : Int(bits)
    }
    let word = try word()
    guard let value = Int(word) else {
      throw damaged("'\(word.prefix(40))' is not an integer")
    }
    return value
  }

  func byte() throws -> UInt8 {
    let value = try integer(bytes: 1)
    guard let byte = UInt8(exactly: value) else {
      throw damaged("\(value) is not a color value, expected 0 to 255")
    }
    return byte
  }

  func number() throws -> Double {
    let word = isText ? try word() : nil
    let value = try word.map(Double.init) ?? Double(bitPattern: bits(8))
    guard let value, value.isFinite else {
      let found = word.map { "'\($0.prefix(40))'" } ?? value.map { "\($0)" } ?? ""
      throw damaged("\(found) is not a finite number")
    }
    return value
  }

  /// A name, which is the rest of the line or the bytes before a zero byte.
  func text() throws -> String {
    skipBlanks()
    guard var end = isText ? lineEnd : bytes[place...].firstIndex(of: 0), end > place,
      end - place <= 4096
    else { throw damaged("a name is empty or unterminated, expected 1 to 4096 bytes") }
    defer { place = isText ? lineEnd : end + 1 }
    while isText, [0x20, 0x09, 0x0D].contains(bytes[end - 1]) { end -= 1 }
    return String(decoding: bytes[place..<end], as: UTF8.self)
  }

  /// The name of a camera's model.
  func cameraModel() throws -> String {
    if isText { return try word() }
    let number = try integer()
    let names = [
      "SIMPLE_PINHOLE", "PINHOLE", "SIMPLE_RADIAL", "RADIAL", "OPENCV", "OPENCV_FISHEYE",
    ]
    return names.indices.contains(number) ? names[number] : "of the model \(number)"
  }

  /// The observations of a photo: binary records after their count, or the next line of text, which may be empty.
  func places<Place>(_ read: () throws -> Place) throws -> [Place] {
    var places: [Place] = []
    if isText {
      guard nextLine() else { return [] }
      skipBlanks()
      while place < lineEnd {
        places.append(try read())
        skipBlanks()
      }
    } else {
      let count = try integer(bytes: 8)
      guard (0...(bytes.count - place) / 24).contains(count) else {
        throw damaged("ends before \(count) points of a photo")
      }
      places.reserveCapacity(count)
      for _ in 0..<count { places.append(try read()) }
    }
    return places
  }

  /// Skips the photos of a point.
  func skipTrack() throws {
    if isText {
      place = lineEnd
      return
    }
    let count = try integer(bytes: 8)
    guard (0...(bytes.count - place) / 8).contains(count) else {
      throw damaged("ends before \(count) photos of a point")
    }
    place += 8 * count
  }
}
