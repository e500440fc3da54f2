import DepthBase

/// A file's records of equal length, such as vertices or faces, made in parallel and written in pieces.
enum RecordPieces {
  /// Bytes per piece, at most: threads wait for each other after each, which takes long beside other programs.
  static let pieceBytes = 1 << 24
  /// Bytes per chunk of a parallel loop, about.
  private static let chunkBytes = 1 << 16

  /// Writes `count` records of `recordBytes` bytes.
  ///
  /// - Parameters:
  ///   - pieceBytes: At least one record.
  ///   - write: Called for each piece, in order.
  ///   - fill: Called with the numbers of some records and their `rows.count · recordBytes` bytes, all of which
  ///     it must set.
  /// - Throws: What `write` throws.
  static func write(
    _ count: Int, recordBytes: Int, pieceBytes: Int = pieceBytes, threads: Int,
    to write: (Span<UInt8>) throws -> Void,
    _ fill: @Sendable (_ rows: Range<Int>, _ out: inout MutableSpan<UInt8>) -> Void
  ) throws {
    let (most, grain) = (pieceBytes / recordBytes, chunkBytes / recordBytes)
    var piece = [UInt8](repeating: 0, count: min(count, most) * recordBytes)
    var first = 0
    while first < count {
      let next = min(count, first + most)
      // Only the last piece may be shorter.
      piece.removeLast(piece.count - (next - first) * recordBytes)
      let start = first
      updateRows(of: &piece, width: recordBytes, grain: grain, threads: threads) { rows, out in
        fill(start + rows.lowerBound..<start + rows.upperBound, &out)
      }
      try write(piece.span)
      first = next
    }
  }
}
