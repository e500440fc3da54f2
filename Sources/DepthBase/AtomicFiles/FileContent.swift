/// A file's content: an array of bytes, or a closure that makes the bytes piece by piece.
///
/// Pieces require less memory. Allocating memory for a large file takes longer than computing its bytes.
package enum FileContent: Sendable {
  case bytes([UInt8])
  /// The closure calls `write` for each piece, in order, and rethrows its errors.
  case pieces(@Sendable (_ write: (_ piece: Span<UInt8>) throws -> Void) throws -> Void)

  /// Calls `body` for each piece of the file, in order.
  ///
  /// - Throws: Any error of `body`, and any error while making the pieces.
  package func forEachPiece(_ body: (_ piece: Span<UInt8>) throws -> Void) throws {
    switch self {
    case .bytes(let bytes): try body(bytes.span)
    case .pieces(let make): try make(body)
    }
  }

  /// The whole file.
  ///
  /// - Parameters:
  ///   - count: Approximate size in bytes, for a file made in pieces.
  ///   - check: Called before each piece.
  /// - Throws: Any error of `check`, and any error while making the pieces.
  package func gathered(
    reserving count: Int = 0, checking check: () throws -> Void = {}
  ) throws -> [UInt8] {
    if case .bytes(let bytes) = self { return bytes }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    try forEachPiece { piece in
      try check()
      bytes.append(piece)
    }
    return bytes
  }

  /// Writes the file to a descriptor.
  ///
  /// - Throws: `SystemFailure`, and any error while making the pieces.
  func write(to descriptor: Int32) throws {
    try forEachPiece { try writeAll($0, to: descriptor) }
  }
}

extension [UInt8] {
  package mutating func append(_ piece: Span<UInt8>) {
    unsafe piece.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
