import DepthBase
import DepthImages

/// Writes OpenEXR files of a depth map, of normals, or of both: scan lines of 32-bit floats, with distances along the optical
/// axis in the channel `Z`, and normals in `N.X`, `N.Y` and `N.Z`.
///
/// > Source: “OpenEXR File Layout” and “Technical Introduction to OpenEXR”, openexr.com: header, chunks, predictor of ZIP compression,
/// > channel names.
enum EXR {
  static let signature: [UInt8] = [0x76, 0x2F, 0x31, 0x01]
  /// The separate channel keeps readers from using relative disparity as distances.
  private static let (channel, relativeChannel) = ("Z", "disparity")
  /// Rows compressed together.
  private static let rowsPerChunk = Codecs.areAvailable ? 16 : 1

  /// A channel's name, and a function that returns its number at each pixel, row by row.
  typealias Channel = (name: String, number: @Sendable (_ pixel: Int) -> Float)

  /// A depth file with the map's unit and the texts of a depth PNG.
  ///
  /// - Throws: `DepthError` when zlib has no memory.
  static func encode(
    _ grid: FloatGrid, metadata: DepthFileMetadata,
    normals: (map: NormalMap, frame: NormalMap.Frame)? = nil, threads: Int
  ) throws -> [UInt8] {
    let isRelative = metadata.unit == .relativeDisparity
    let comment =
      isRelative
      ? "disparity: unknown scale and shift, larger is nearer, NaN = no value"
      : "Z: distance along the optical axis in metres, NaN = no value"
    return try encode(
      [(isRelative ? relativeChannel : channel, { grid.stored(at: $0) })],
      (grid.height, grid.width), normals: normals, comments: [comment],
      texts: metadata.texts(metres: .metre), threads: threads)
  }

  /// A file of the given channels.
  ///
  /// - Parameters:
  ///   - channels: Channels in alphabetical order. Those of normals come first.
  ///   - comments: Descriptions of the channels.
  ///   - texts: Names and texts of other attributes.
  /// - Throws: `DepthError` when zlib has no memory.
  static func encode(
    _ channels: [Channel], _ size: (height: Int, width: Int),
    normals: (map: NormalMap, frame: NormalMap.Frame)?, comments: [String] = [],
    texts: [(name: String, text: String)], threads: Int
  ) throws -> [UInt8] {
    let (height, width) = size
    var (channels, comments, texts) = (channels, comments, texts)
    if let (map, frame) = normals {
      channels =
        (0..<3).map { axis in
          ("N.\(["X", "Y", "Z"][axis])", { map.number(at: $0, axis, in: frame) })
        }
        + channels
      comments.append("N: \(frame.axes), NaN = no normal")
      texts.append((NormalMap.frameKeyword, frame.rawValue))
    }
    var file = signature
    file.append(littleEndian: UInt32(2))  // version; one part of scan lines
    // Samples are linear floats, one per pixel in both directions.
    let list = channels.flatMap { Array($0.name.utf8) + [0] + numbers([2, 0, 1, 1]) }
    let window = numbers([0, 0, UInt32(width - 1), UInt32(height - 1)])
    let one = numbers([Float(1).bitPattern])
    file += attribute("channels", "chlist", list + [0])
    file += attribute("compression", "compression", [Codecs.areAvailable ? 3 : 0])  // ZIP, none
    file += attribute("dataWindow", "box2i", window)
    file += attribute("displayWindow", "box2i", window)
    file += attribute("lineOrder", "lineOrder", [0])  // top row first
    file += attribute("pixelAspectRatio", "float", one)
    file += attribute("screenWindowCenter", "v2f", [UInt8](repeating: 0, count: 8))
    file += attribute("screenWindowWidth", "float", one)
    for (name, text) in [("comments", comments.joined(separator: "; "))] + texts {
      file += attribute(name, "string", Array(text.utf8))
    }
    file.append(0)

    let rows = Array(stride(from: 0, to: height, by: rowsPerChunk))
    let chunks = try parallelMap(rows.count, threads: threads) { [channels] index in
      let lines = rows[index]..<min(rows[index] + rowsPerChunk, height)
      return Result { try chunk(bytes(of: channels, rows: lines, width: width)) }
    }.map { try $0.get() }
    // The offset of each chunk, after the table of offsets.
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

  /// Numbers of some rows; in each row, one channel follows another.
  private static func bytes(of channels: [Channel], rows: Range<Int>, width: Int) -> [UInt8] {
    filledArray(count: 4 * rows.count * channels.count * width) { out in
      var place = 0
      for row in rows {
        for channel in channels {
          for pixel in row * width..<(row + 1) * width {
            let bits = channel.number(pixel).bitPattern
            for shift in 0..<4 {
              out[place + shift] = UInt8(truncatingIfNeeded: bits >> (8 * shift))
            }
            place += 4
          }
        }
      }
    }
  }

  /// The rows of one chunk, in compressed form if this is shorter.
  private static func chunk(_ plain: [UInt8]) throws -> [UInt8] {
    guard Codecs.areAvailable else { return plain }
    // Bytes at even positions precede bytes at odd positions. Each byte is stored as the difference from its predecessor.
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

  /// An attribute: name, type, length and value.
  private static func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
    Array(name.utf8) + [0] + Array(type.utf8) + [0] + numbers([UInt32(value.count)]) + value
  }

  private static func numbers(_ numbers: [UInt32]) -> [UInt8] {
    numbers.flatMap { [UInt8](littleEndian: $0) }
  }
}
