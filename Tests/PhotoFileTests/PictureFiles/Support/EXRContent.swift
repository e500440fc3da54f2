import Testing

@testable import PictureFiles

/// The content of an OpenEXR file of scan lines with ZIP compression.
struct EXRContent {
  var attributes: [String: (type: String, value: [UInt8])] = [:]
  /// The values of all rows. In a row, channels follow each other.
  var values: [Float] = []

  init(_ file: [UInt8], height: Int, width: Int, channels: Int = 1) throws {
    func integer(_ place: Int, bytes: Int = 4) -> Int {
      (0..<bytes).reversed().reduce(0) { $0 << 8 | Int(file[place + $1]) }
    }
    #expect(file.prefix(8) == [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0])
    var place = 8
    func word() throws -> String {
      let end = try #require(file[place...].firstIndex(of: 0))
      defer { place = end + 1 }
      return String(decoding: file[place..<end], as: UTF8.self)
    }
    while file[place] != 0 {
      let (name, type) = (try word(), try word())
      let size = integer(place)
      attributes[name] = (type, Array(file[place + 4..<place + 4 + size]))
      place += 4 + size
    }
    place += 1
    var end = place + 8 * ((height + 15) / 16)
    for first in stride(from: 0, to: height, by: 16) {
      #expect(integer(place, bytes: 8) == end && integer(end) == first)
      let (size, count) = (integer(end + 4), 4 * channels * min(16, height - first) * width)
      // Readers take a block of the uncompressed length for uncompressed rows.
      #expect(size <= count)
      let chunk = file[end + 8..<end + 8 + size]
      values += Self.floats(try size == count ? Array(chunk) : Self.unpacked(chunk, count))
      (place, end) = (place + 8, end + 8 + size)
    }
    #expect(end == file.count)
  }

  private static func unpacked(_ chunk: ArraySlice<UInt8>, _ count: Int) throws -> [UInt8] {
    var bytes = try #require(Deflate.decompressed(chunk, limit: count))
    for index in bytes.indices.dropFirst() { bytes[index] &+= bytes[index - 1] &- 128 }
    let half = (count + 1) / 2
    return (0..<count).map { bytes[$0 / 2 + $0 % 2 * half] }
  }

  private static func floats(_ bytes: [UInt8]) -> [Float] {
    stride(from: 0, to: bytes.count, by: 4).map { place in
      Float(bitPattern: (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) })
    }
  }
}
