import DepthBase
import DepthErrors

/// What libpng's simplified interface reads otherwise than the format says, put right before it is called.
extension PNGChunks {
  /// The pixels of a photo, sRGB, `height × width × 3`.
  ///
  /// Transparency is laid over white, as most viewers show it: the color stored under a transparent
  /// pixel is not meant to be seen.
  ///
  /// - Throws: `DepthError` with code `damaged`.
  func photoPixels(file: String) throws -> [UInt8] {
    let isOverridden = hasOtherGamma && (data(of: "sRGB") != nil || ICCProfile.isStored(in: self))
    let types = Set(chunks.map(\.type)).subtracting(isOverridden ? ["gAMA"] : [])
    if needsOrder { return try passPixels(keeping: types, file: file) }
    return try PNGPixels.decode(
      isOverridden ? rebuilt(keeping: types) : bytes, as: .rgb8, of: UInt8.self, file: file)
  }

  /// Whether the file has a `gAMA` other than that of sRGB. `iCCP` and `sRGB` take precedence over it.
  ///
  /// > Source: W3C PNG (Third Edition), section 4.3, “Color spaces”.
  private var hasOtherGamma: Bool {
    guard let gamma = data(of: "gAMA") else { return false }
    let value = ByteReader(bytes: gamma).integer(UInt32.self, at: 0) ?? 0
    return !(45_000...46_000).contains(value)
  }

  /// Whether each pass must be read as a picture of its own.
  ///
  /// From interlaced samples of 16 bits libpng's simplified interface makes wrong rows since 1.6.51, and wrote beyond its
  /// buffer before (CVE-2025-65018).
  var needsOrder: Bool { bitDepth == 16 && isInterlaced }

  /// Bytes of a pixel of such a file.
  var pixelBytes: Int { channels * bitDepth / 8 }

  /// The pixels of a file in seven passes: pixels from (x, y) in steps, whose filtered rows lie one pass after the other.
  ///
  /// > Source: W3C PNG (Third Edition), section 8, “Interlacing and pass extraction”.
  private func passPixels(keeping types: Set<String>, file: String) throws -> [UInt8] {
    guard Codecs.areAvailable else { throw DepthError.withoutCodecs(format: "PNG", file: file) }
    let passes = [
      (x: 0, y: 0, stepX: 8, stepY: 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4),
      (1, 0, 2, 2), (0, 1, 1, 2),
    ].compactMap { pass in
      let columns = Array(stride(from: pass.x, to: width, by: pass.stepX))
      let rows = Array(stride(from: pass.y, to: height, by: pass.stepY))
      return columns.isEmpty || rows.isEmpty ? nil : (columns, rows)
    }
    func byteCount(_ columns: [Int], _ rows: [Int]) -> Int {
      rows.count * (1 + columns.count * pixelBytes)
    }
    let stream = chunks.filter { $0.type == "IDAT" }.map { checked($0) ?? [] }.joined()
    guard
      let filtered = Deflate.decompressed(
        Array(stream)[...], count: passes.reduce(0) { $0 + byteCount($1.0, $1.1) })
    else {
      throw DepthError.damaged(
        file: file, format: "PNG", reason: "its compressed pixels are damaged or incomplete")
    }
    var pixels = [UInt8](repeating: 0, count: height * width * 3)
    var start = 0
    for (columns, rows) in passes {
      let end = start + byteCount(columns, rows)
      let decoded = try PNGPixels.decode(
        picture(filtered[start..<end], columns.count, rows.count, keeping: types), as: .rgb8,
        of: UInt8.self, file: file)
      var target = pixels.mutableSpan
      let source = decoded.span
      var from = 0
      for y in rows {
        for x in columns {
          for channel in 0..<3 { target[(y * width + x) * 3 + channel] = source[from + channel] }
          from += 3
        }
      }
      start = end
    }
    return pixels
  }

  /// A file of one pass, compressed only as far as is fast: it is unpacked at once.
  private func picture(
    _ filtered: ArraySlice<UInt8>, _ columns: Int, _ rows: Int, keeping types: Set<String>
  ) throws -> [UInt8] {
    var stream = try Deflate.compressed(Array(filtered), by: .runs)[...]
    var result = Self.signature
    for chunk in chunks where types.contains(chunk.type) {
      switch chunk.type {
      case "IHDR":
        let size = [UInt8](bigEndian: UInt32(columns)) + [UInt8](bigEndian: UInt32(rows))
        result += Self.chunk("IHDR", size + bytes[chunk.data].dropFirst(8).dropLast() + [0])
      case "IDAT":
        // libpng refuses longer chunks than it thinks the rows can need.
        while !stream.isEmpty {
          result += Self.chunk("IDAT", Array(stream.prefix(1 << 20)))
          stream = stream.dropFirst(1 << 20)
        }
      default: result += bytes[chunk.data.lowerBound - 8..<chunk.end]
      }
    }
    return result
  }
}
