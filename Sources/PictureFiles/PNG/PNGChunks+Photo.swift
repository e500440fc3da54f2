import AtomicFiles
import DepthErrors

/// What libpng's simplified interface reads otherwise than the format says, put right before it is called.
extension PNGChunks {
  /// The file for libpng to read as a photo.
  ///
  /// - Throws: `DepthError` with code `damaged` if the rows of a file that must be put in order are damaged.
  func forPhoto(file: String) throws -> [UInt8] {
    let isOverridden = hasOtherGamma && (data(of: "sRGB") != nil || ICCProfile.isStored(in: self))
    if needsOrder { return try ordered(without: isOverridden ? ["gAMA"] : [], file: file) }
    guard isOverridden else { return bytes }
    return rebuilt(keeping: Set(chunks.map(\.type)).subtracting(["gAMA"]))
  }

  /// Whether the file has a `gAMA` other than that of sRGB. `iCCP` and `sRGB` take precedence over it.
  ///
  /// > Source: W3C PNG (Third Edition), section 4.3, “Color spaces”.
  private var hasOtherGamma: Bool {
    guard let gamma = data(of: "gAMA") else { return false }
    let value = ByteReader(bytes: gamma).integer(UInt32.self, at: 0) ?? 0
    return !(45_000...46_000).contains(value)
  }

  /// Whether the file must lie row by row to be read with 8 bits.
  ///
  /// From interlaced samples of 16 bits libpng's simplified interface makes wrong rows since 1.6.51, and wrote beyond its
  /// buffer before (CVE-2025-65018).
  var needsOrder: Bool { bitDepth == 16 && isInterlaced }

  /// Bytes of a pixel of such a file.
  var pixelBytes: Int { channels * bitDepth / 8 }

  /// The file with its pixels row by row.
  private func ordered(without dropped: Set<String>, file: String) throws -> [UInt8] {
    guard Codecs.areAvailable else { throw DepthError.withoutCodecs(format: "PNG", file: file) }
    let stream = chunks.filter { $0.type == "IDAT" }.map { checked($0) ?? [] }.joined()
    let passes = Adam7(width: width, height: height, pixelBytes: pixelBytes)
    guard var passBytes = Self.inflated(Array(stream), count: passes.byteCount),
      passes.unfilter(&passBytes)
    else {
      throw DepthError.damaged(
        file: file, format: "PNG", reason: "its compressed pixels are damaged or incomplete")
    }
    var result = Self.signature
    for chunk in chunks where !dropped.contains(chunk.type) {
      switch chunk.type {
      case "IHDR": result += Self.chunk("IHDR", bytes[chunk.data].dropLast() + [0])
      case "IDAT":
        guard !passBytes.isEmpty else { continue }
        result += try Self.pixelChunks(passes, passBytes)
        passBytes = []
      default: result += bytes[chunk.data.lowerBound - 8..<chunk.data.upperBound + 4]
      }
    }
    return result
  }

  /// The rows as `IDAT` chunks, compressed only as far as is fast: they are unpacked at once.
  private static func pixelChunks(_ passes: Adam7, _ passBytes: [UInt8]) throws -> [UInt8] {
    let rowsOfStrip = max(1, (1 << 20) / (1 + passes.width * passes.pixelBytes))
    var result: [UInt8] = []
    var sums: [(sum: UInt32, count: Int)] = []
    for start in stride(from: 0, to: passes.height, by: rowsOfStrip) {
      let rows = start..<min(start + rowsOfStrip, passes.height)
      let strip = passes.rows(rows, of: passBytes)
      let code = try Deflate.piece(strip, by: .runs, isLast: rows.upperBound == passes.height)
      result += chunk("IDAT", (start == 0 ? [0x78, 0x01] : []) + code)
      sums.append((Deflate.adler32(strip), strip.count))
    }
    var sum: [UInt8] = []
    sum.append(bigEndian: Deflate.adler32(joining: sums))
    return result + chunk("IDAT", sum)
  }
}
