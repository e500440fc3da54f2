import DepthImages

/// OpenEXR files of one depth map: scan lines of 32-bit floats in the channel `Z`, distances along the optical axis. They are written,
/// not read.
///
/// > Source: “OpenEXR File Layout” and “Technical Introduction to OpenEXR”, openexr.com: header, chunks, predictor of ZIP compression,
/// > channel names.
enum EXR {
  static let signature: [UInt8] = [0x76, 0x2F, 0x31, 0x01]
  /// The channel of relative disparity has a name that no reader takes for a distance.
  private static let (channel, relativeChannel) = ("Z", "disparity")
  /// Rows that are compressed together.
  private static let rowsPerChunk = Codecs.areAvailable ? 16 : 1

  /// A file that records its unit, with the same texts as a depth PNG.
  ///
  /// - Throws: `DepthError` when zlib has no memory.
  static func encode(_ grid: FloatGrid, metadata: DepthFileMetadata) throws -> [UInt8] {
    let isRelative = metadata.unit == .relativeDisparity
    let comment =
      isRelative
      ? "disparity: unknown scale and shift, larger is nearer, NaN = no value"
      : "Z: distance along the optical axis in metres, NaN = no value"
    var file = signature
    file.append(littleEndian: UInt32(2))  // version; one part of scan lines
    // Float samples, linear, one for each pixel in both directions.
    let channels =
      Array((isRelative ? relativeChannel : channel).utf8) + [0] + numbers([2, 0, 1, 1])
    let window = numbers([0, 0, UInt32(grid.width - 1), UInt32(grid.height - 1)])
    let one = numbers([Float(1).bitPattern])
    file += attribute("channels", "chlist", channels + [0])
    file += attribute("compression", "compression", [Codecs.areAvailable ? 3 : 0])  // ZIP, none
    file += attribute("dataWindow", "box2i", window)
    file += attribute("displayWindow", "box2i", window)
    file += attribute("lineOrder", "lineOrder", [0])  // top row first
    file += attribute("pixelAspectRatio", "float", one)
    file += attribute("screenWindowCenter", "v2f", [UInt8](repeating: 0, count: 8))
    file += attribute("screenWindowWidth", "float", one)
    for (name, text) in [("comments", comment)] + metadata.texts(metres: .metre) {
      file += attribute(name, "string", Array(text.utf8))
    }
    file.append(0)

    let rows = stride(from: 0, to: grid.height, by: rowsPerChunk)
    let bytes = grid.littleEndianBytes(after: [])
    let chunks = try rows.map { first in
      let last = min(first + rowsPerChunk, grid.height)
      return try chunk(bytes[4 * first * grid.width..<4 * last * grid.width])
    }
    // The place of each chunk, after the table of these places.
    var place = file.count + 8 * chunks.count
    for chunk in chunks {
      file.append(littleEndian: UInt64(place))
      place += 8 + chunk.count
    }
    file.reserveCapacity(place)
    for (first, chunk) in zip(rows, chunks) {
      file += numbers([UInt32(first), UInt32(chunk.count)]) + chunk
    }
    return file
  }

  /// The rows of one chunk, compressed where that makes them shorter.
  private static func chunk(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
    let plain = Array(bytes)
    guard Codecs.areAvailable else { return plain }
    // Bytes of even places come first, then those of odd places; each is replaced by its difference from the one before.
    let half = (plain.count + 1) / 2
    var differences = [UInt8](repeating: 0, count: plain.count)
    for index in plain.indices { differences[index / 2 + (index % 2) * half] = plain[index] }
    var before = differences[0]
    for index in 1..<differences.count {
      let byte = differences[index]
      differences[index] = byte &- before &+ 128
      before = byte
    }
    let compressed = try Deflate.compressed(differences)
    return compressed.count < plain.count ? compressed : plain
  }

  /// Name, type, length and value.
  private static func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
    Array(name.utf8) + [0] + Array(type.utf8) + [0] + numbers([UInt32(value.count)]) + value
  }

  private static func numbers(_ numbers: [UInt32]) -> [UInt8] {
    numbers.flatMap { [UInt8](littleEndian: $0) }
  }
}
