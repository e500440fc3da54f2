import DepthErrors

/// Copying of maps into the caller's memory, such as another library's array, a texture or shared memory.
extension DepthMap {
  /// Copies the values into the caller's memory.
  ///
  /// - Parameters:
  ///   - buffer: Receives value `(y, x)` at `y · floatsPerRow + x`. Other elements of the buffer do not change.
  ///   - floatsPerRow: The stride of rows in floats; `nil` for rows without padding.
  /// - Throws: `DepthError` with code `invalidArgument` if the map does not fit; the buffer is then unchanged.
  public func copyValues(into buffer: inout MutableSpan<Float>, floatsPerRow: Int? = nil) throws {
    try unsafe buffer.withUnsafeMutableBufferPointer {
      try unsafe copyValues(into: $0, floatsPerRow: floatsPerRow)
    }
  }

  /// Copies the values into the caller's raw memory; see ``copyValues(into:floatsPerRow:)``.
  ///
  /// - Throws: `DepthError` with code `invalidArgument` if the map does not fit; the buffer is then unchanged.
  package func copyValues(
    into buffer: UnsafeMutableBufferPointer<Float>, floatsPerRow: Int? = nil
  ) throws {
    let floatsPerRow = floatsPerRow ?? width
    try floatsPerRow.checked(
      in: width...1 << 30, "the number of floats per row", "\(width) to \(1 << 30)")
    let needed = (height - 1) * floatsPerRow + width
    guard buffer.count >= needed, let to = buffer.baseAddress else {
      throw DepthError.invalidArgument(
        name: "the number of floats of the buffer", found: "\(buffer.count)",
        expected: "at least \(needed) for a map of \(width)×\(height), \(floatsPerRow) per row")
    }
    unsafe values.withUnsafeBufferPointer { values in
      for y in 0..<height {
        unsafe (to + y * floatsPerRow).update(from: values.baseAddress! + y * width, count: width)
      }
    }
  }
}
