/// The source of a file's content: its bytes, or a closure that makes them piece by piece.
///
/// A file made in pieces needs memory for one of them. Fresh memory for a large file takes longer to get than its
/// bytes take to compute.
package enum FileContent: Sendable {
  case bytes([UInt8])
  /// The closure calls `write` for each piece, in order, and lets through what that throws.
  case pieces(@Sendable (_ write: (_ piece: Span<UInt8>) throws -> Void) throws -> Void)

  /// Calls `body` for each piece of the file, in order.
  ///
  /// - Throws: What `body` throws, and what making the pieces throws.
  package func forEachPiece(_ body: (_ piece: Span<UInt8>) throws -> Void) throws {
    switch self {
    case .bytes(let bytes): try body(bytes.span)
    case .pieces(let make): try make(body)
    }
  }

  /// The whole file.
  ///
  /// - Parameters:
  ///   - count: About how many bytes it has, for one that is made in pieces.
  ///   - check: Called before each piece is taken.
  /// - Throws: What making the pieces throws, and what `check` throws.
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
  /// - Throws: `SystemFailure`, and what making the pieces throws.
  func write(to descriptor: Int32) throws {
    try forEachPiece { try writeAll($0, to: descriptor) }
  }
}

extension [UInt8] {
  /// Appends the bytes of a piece.
  package mutating func append(_ piece: Span<UInt8>) {
    unsafe piece.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
