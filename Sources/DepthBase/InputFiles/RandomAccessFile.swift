import CDepthBase
package import DepthErrors
import SystemEssentials

/// An ordinary file for concurrent reads at any offset. The file must not be modified while it is open.
package final class RandomAccessFile: Sendable {
  /// The file's name in messages.
  package let name: String
  /// Whether the file is a copy of bytes in memory, which belongs to no folder.
  package let isInMemory: Bool
  private let descriptor: Int32
  private let state: FileState

  /// Length in bytes at opening.
  package var size: Int { state.bytes }

  /// - Throws: `DepthError` with code `unreadable` for a file that is missing, irregular or unreadable.
  package convenience init(path: String) throws {
    try InputFile.requireOrdinaryFile(URL(filePath: path))
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw DepthError.unreadable(file: path, reason: "cannot be opened: \(systemReason(errno))")
    }
    try self.init(descriptor: descriptor, name: path, isInMemory: false)
  }

  /// Opens a copy of bytes in memory as a file.
  ///
  /// - Throws: `DepthError` with code `unreadable` if the copy cannot be created.
  package convenience init(bytes: Span<UInt8>, name: String) throws {
    let descriptor = unsafe bytes.withUnsafeBytes {
      unsafe cpf_memory_file($0.baseAddress, $0.count)
    }
    guard descriptor >= 0 else {
      throw DepthError.unreadable(
        file: name, reason: "cannot be held in memory: \(systemReason(errno))")
    }
    try self.init(descriptor: descriptor, name: name, isInMemory: true)
  }

  private init(descriptor: Int32, name: String, isInMemory: Bool) throws {
    guard let state = FileState(of: descriptor) else {
      let reason = systemReason(errno)
      close(descriptor)
      throw DepthError.unreadable(file: name, reason: reason)
    }
    (self.descriptor, self.name, self.isInMemory, self.state) = (
      descriptor, name, isInMemory, state
    )
  }

  deinit { close(descriptor) }

  /// Fails if the file was modified since it was opened.
  ///
  /// - Throws: `DepthError` with code `unreadable`, which is temporary.
  package func requireUnchanged() throws {
    guard FileState(of: descriptor)?.hasContent(of: state) == true else {
      throw DepthError(
        .unreadable, file: name,
        "was changed while it was read, expected a file that does not change",
        cause: SystemFailure(EAGAIN))
    }
  }

  /// The error for content that contradicts itself or the file's length.
  package func damaged(_ reason: String) -> DepthError {
    DepthError(.damaged, file: name, "is damaged: \(reason)")
  }

  /// Reads a range of bytes.
  ///
  /// - Parameter part: The part of the file, for errors.
  /// - Throws: `DepthError` with code `damaged` for a range beyond the end; with code `unreadable` for a modified
  ///   file or a read error.
  package func bytes(_ range: Range<Int>, _ part: String) throws -> [UInt8] {
    try unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      try unsafe read(into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound, part)
      count = range.count
    }
  }

  /// Reads consecutive numbers, converted to 32-bit floats.
  ///
  /// - Throws: The errors of ``bytes(_:_:)``.
  package func floats(
    _ format: FloatFormat, at offset: Int, count: Int, _ part: String
  ) throws -> [Float] {
    try unsafe [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      let floats = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<count])
      if format == .float32 {
        try unsafe read(into: UnsafeMutableRawBufferPointer(floats), at: offset, part)
      } else {
        try unsafe withUnsafeTemporaryAllocation(
          byteCount: count * format.bytes, alignment: 8
        ) { stored in
          try unsafe read(into: stored, at: offset, part)
          unsafe format.widen(UnsafeRawBufferPointer(stored), into: floats)
        }
      }
      initialized = count
    }
  }

  /// Reads a range of bytes in pieces, and passes each to `body`.
  ///
  /// - Throws: The errors of ``bytes(_:_:)``, and any error of `body`.
  package func forEachPiece(
    of range: Range<Int>, _ part: String, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 18) {
      let piece = try bytes(start..<min(start + 1 << 18, range.upperBound), part)
      try body(piece[...])
    }
  }

  private func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int, _ part: String
  ) throws {
    guard offset >= 0, offset <= size - buffer.count else {
      throw damaged("\(part) extends beyond the end of the file, which has \(size) bytes")
    }
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let found = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if found < 0, errno == EINTR { continue }
      guard found >= 0 else {
        throw DepthError.unreadable(
          file: name, reason: "\(part) cannot be read: \(systemReason(errno))")
      }
      guard found > 0 else {
        try requireUnchanged()
        throw damaged("\(part) ends early")
      }
      done += found
    }
    try requireUnchanged()
  }
}
