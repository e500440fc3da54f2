import DepthBase

/// A file's records of equal length, such as vertices or faces, computed in parallel and written in pieces.
enum RecordPieces {
  /// Maximum bytes per piece. Threads synchronize after each piece, which takes long beside other programs.
  static let pieceBytes = 1 << 24
  /// Approximate bytes per chunk of a parallel loop.
  private static let chunkBytes = 1 << 16

  /// Writes `count` records of `recordBytes` bytes.
  ///
  /// - Parameters:
  ///   - pieceBytes: Bytes of a piece, at least `recordBytes`.
  ///   - write: Called for each piece, in order.
  ///   - fill: Sets all `rows.count · recordBytes` bytes of the records in a range.
  /// - Throws: The errors of `write`.
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
