/// What a file is written from: its bytes, or a closure that makes them piece by piece.
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
  /// - Throws: What making the pieces throws.
  package func gathered() throws -> [UInt8] {
    if case .bytes(let bytes) = self { return bytes }
    var bytes: [UInt8] = []
    try forEachPiece { piece in
      unsafe piece.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
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
