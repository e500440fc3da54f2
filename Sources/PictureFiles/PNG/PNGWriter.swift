import DepthBase
import DepthErrors
import DepthImages

/// A PNG file of samples in memory, which several threads filter and compress.
///
/// The picture is divided into strips of whole rows. A strip's bytes depend only on the picture, so the file does not depend
/// on the number of threads.
///
/// > Source: W3C PNG (Third Edition), sections 5, 9 and 10; RFC 1950.
package struct PNGWriter {
  package enum Layout: Sendable {
    case rgb8, rgba8, rgba16, gray8, gray16

    package var pixelBytes: Int {
      switch self {
      case .rgb8: 3
      case .rgba8: 4
      case .rgba16: 8
      case .gray8: 1
      case .gray16: 2
      }
    }
    fileprivate var bitDepth: UInt8 { self == .gray16 || self == .rgba16 ? 16 : 8 }
    fileprivate var colorType: UInt8 { hasColor ? self == .rgb8 ? 2 : 6 : 0 }
    fileprivate var hasColor: Bool { self == .rgb8 || self == .rgba8 || self == .rgba16 }
  }

  let height, width: Int
  let layout: Layout
  private let compression: PNGCompression
  private let rowBytes: Int
  private let rowsOfStrip: Int

  /// - Throws: `DepthError` with code `unsupportedFormat` when the file would be too large to read back.
  init(
    height: Int, width: Int, layout: Layout, compression: PNGCompression = .default
  ) throws {
    let limit = ImageLimits().maximumPixels
    guard height <= limit / width else {
      throw DepthError.unencodable(
        format: "PNG",
        reason: "holds at most \(limit) pixels here, the picture is \(width)×\(height)")
    }
    (self.height, self.width, self.layout) = (height, width, layout)
    self.compression = compression
    rowBytes = width * layout.pixelBytes
    // With 128 KiB, the cost of one strip's codes is negligible, and small pictures still have several strips.
    rowsOfStrip = max(1, 131_072 / (rowBytes + 1))
  }

  /// The bytes of the file.
  ///
  /// - Parameters:
  ///   - samples: `height · width` pixels; 16-bit samples are big-endian.
  ///   - chunks: Whole chunks to insert after the header.
  ///   - threads: Number of threads, at least 1.
  ///   - cancellation: Stops before the next strip.
  /// - Throws: `DepthError` with code `unsupportedFormat` when zlib runs out of memory; `CancellationError`.
  func file(
    _ samples: [UInt8], chunks: [UInt8] = [], threads: Int, cancellation: Cancellation? = nil
  ) throws -> [UInt8] {
    precondition(
      samples.count == height * rowBytes,
      "\(samples.count) bytes of samples, expected \(height * rowBytes)")
    return try file(chunks: chunks, threads: threads, cancellation: cancellation) { rows, body in
      try body(
        samples.span.extracting(rows.lowerBound * rowBytes..<rows.upperBound * rowBytes))
    }
  }

  /// Writes samples that are computed strip by strip and used from the cache; see ``file(_:chunks:threads:cancellation:)``.
  ///
  /// - Parameter samples: Returns the bytes of some rows. Several threads call it, and for some rows more than once.
  /// - Throws: See ``file(_:chunks:threads:cancellation:)``.
  func file(
    chunks: [UInt8], threads: Int, cancellation: Cancellation? = nil,
    making samples: @Sendable (_ rows: Range<Int>) -> [UInt8]
  ) throws -> [UInt8] {
    try file(chunks: chunks, threads: threads, cancellation: cancellation) { rows, body in
      let bytes = samples(rows)
      precondition(
        bytes.count == rows.count * rowBytes,
        "\(bytes.count) bytes of samples, expected \(rows.count * rowBytes)")
      return try body(bytes.span)
    }
  }

  /// Calls `body` with the samples of some rows.
  private typealias Samples =
    @Sendable (_ rows: Range<Int>, _ body: (Span<UInt8>) throws -> Strip) throws -> Strip

  private func file(
    chunks: [UInt8], threads: Int, cancellation: Cancellation?, _ samples: Samples
  ) throws -> [UInt8] {
    let strips = try strips(of: samples, threads: threads, cancellation)
    var file = PNGChunks.signature + header + chunks
    file.reserveCapacity(file.count + strips.reduce(64) { $0 + $1.data.count })
    for strip in strips { file += strip.data }
    // The deflate data is complete. The stream ends with the checksum.
    let sum = Deflate.adler32(joining: strips.lazy.map { ($0.sum, $0.count) })
    return file + PNGChunks.chunk("IDAT", [UInt8](bigEndian: sum)) + PNGChunks.chunk("IEND", [])
  }

  private var header: [UInt8] {
    let size = [UInt8](bigEndian: UInt32(width)) + [UInt8](bigEndian: UInt32(height))
    // Compression, filter and interlace methods.
    return PNGChunks.chunk("IHDR", size + [layout.bitDepth, layout.colorType, 0, 0, 0])
  }

  /// One IDAT chunk, with the checksum and the number of uncompressed bytes.
  ///
  /// A chunk's length never exceeds 31 bits: the longest row is 3 · 2²⁸ bytes.
  private struct Strip {
    let data: [UInt8]
    let sum: UInt32
    let count: Int
  }

  private func strips(
    of samples: Samples, threads: Int, _ cancellation: Cancellation?
  ) throws -> [Strip] {
    let count = (height + rowsOfStrip - 1) / rowsOfStrip
    let strips = parallelMap(count, threads: threads) { index in
      Result {
        try cancellation?.check()
        return try strip(index, of: samples, isLast: index == count - 1)
      }
    }
    return try strips.map { try $0.get() }
  }

  private func strip(_ index: Int, of samples: Samples, isLast: Bool) throws -> Strip {
    let rows = index * rowsOfStrip..<min(height, (index + 1) * rowsOfStrip)
    // Matches may begin in the previous strip, so its last rows are filtered again. A filter also reads the row above.
    let rowsBefore = min(rows.lowerBound, (Deflate.window + rowBytes) / (rowBytes + 1))
    let first = max(rows.lowerBound - rowsBefore - 1, 0)
    return try samples(first..<rows.upperBound) { samples in
      try strip(
        rows.lowerBound - first..<rows.upperBound - first, after: rowsBefore, of: samples,
        isFirst: index == 0, isLast: isLast)
    }
  }

  /// - Parameters:
  ///   - rows: Rows of the strip in `samples`.
  ///   - rowsBefore: Preceding rows in which matches may begin.
  private func strip(
    _ rows: Range<Int>, after rowsBefore: Int, of samples: Span<UInt8>, isFirst: Bool, isLast: Bool
  ) throws -> Strip {
    let bytes = filtered(rows, of: samples)
    var code: [UInt8] = []
    if layout.hasColor {
      code = try Deflate.piece(bytes, by: .runs, isLast: isLast)
    }
    if let search = compression.search(layout, count: bytes.count, runs: code.count) {
      let before = filtered(rows.lowerBound - rowsBefore..<rows.lowerBound, of: samples)
      let other = try Deflate.piece(bytes, after: before, by: .matches(search), isLast: isLast)
      if code.isEmpty || other.count < code.count { code = other }
    }
    // The header of the zlib stream: deflate, a window of 32 KiB, default effort.
    let start: [UInt8] = isFirst ? [0x78, 0x9C] : []
    return Strip(
      data: PNGChunks.chunk("IDAT", start + code), sum: Deflate.adler32(bytes), count: bytes.count)
  }

  private func filtered(_ rows: Range<Int>, of samples: Span<UInt8>) -> [UInt8] {
    let count = rows.count * (rowBytes + 1)
    return filledArray(count: count) { filtered in
      filterForPNG(
        rows: rows, of: samples, rowBytes: rowBytes, layout: layout, into: &filtered)
    }
  }
}
