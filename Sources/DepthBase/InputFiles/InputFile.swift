import DepthErrors
package import SystemEssentials

/// Reading of whole files into memory.
package enum InputFile {
  /// Maximum bytes passed to a check of a file's start.
  static let startBytes = 4096
  /// Size below which the available memory is not checked.
  private static let negligibleBytes = 1 << 26

  /// Reads all bytes of a file, a pipe, or standard input (`/dev/stdin`).
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - maximumBytes: Maximum size. The default of 4 GiB exceeds every picture or map within ``ImageLimits``.
  ///   - checkStart: Called with up to 4096 bytes from the start and the file's name. A thrown error ends the reading, even of
  ///     an endless file.
  /// - Throws: `DepthError` with code `unreadable` or `insufficientMemory`; any error of `checkStart`.
  package static func bytes(
    of url: URL, maximumBytes: Int = 1 << 32,
    checkStart: (_ start: [UInt8], _ name: String) throws -> Void = { _, _ in }
  ) throws -> [UInt8] {
    let path = url.path(percentEncoded: false)
    // Reopening /dev/stdin fails for a socket, but descriptor 0 always works.
    let isStandardInput = path == "/dev/stdin"
    let descriptor =
      unsafe isStandardInput ? STDIN_FILENO : open(path.systemPath, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw systemFailure(url) }
    defer { if !isStandardInput { close(descriptor) } }

    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw systemFailure(url) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw failure(url, systemReason(EISDIR)) }
    let tooLong = failure(url, "is longer than \(maximumBytes) bytes")
    guard status.st_size <= maximumBytes else { throw tooLong }
    let start = try piece(startBytes, from: descriptor, of: url)
    try checkStart(start, url.relativePath)

    let size = status.st_mode & S_IFMT == S_IFREG ? max(Int(status.st_size), start.count) : 0
    try requireMemory(size, for: url)
    // The array has at least one byte: for an empty array, the standard library would write the count 0 into the single empty
    // array that all threads share.
    var bytes = try unsafe [UInt8](unsafeUninitializedCapacity: max(size, start.count, 1)) {
      buffer, count in
      _ = unsafe buffer.update(fromContentsOf: start)
      let rest = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(buffer)[start.count...])
      count = unsafe start.count + (try fill(rest, from: descriptor, of: url))
    }
    // Reads the rest: all bytes of a pipe, or bytes appended to a file after its size was read.
    var checked = negligibleBytes
    try unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { chunk in
      while true {
        let count = try unsafe fill(chunk, from: descriptor, of: url)
        guard count > 0 else { return }
        if bytes.count + count > checked {
          // The array doubles in size and is copied.
          checked = 2 * bytes.count
          try requireMemory(checked, for: url)
        }
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        guard bytes.count <= maximumBytes else { throw tooLong }
        guard count == chunk.count else { return }
      }
    }
    return bytes
  }

  /// Fails unless a path refers to an ordinary file, with links followed. Reading a named pipe without a writer would block.
  ///
  /// - Throws: `DepthError` with code `unreadable`.
  package static func requireOrdinaryFile(_ url: URL) throws {
    var status = stat()
    guard unsafe stat(url.path(percentEncoded: false).systemPath, &status) == 0 else {
      throw systemFailure(url)
    }
    let kind: String? =
      switch status.st_mode & S_IFMT {
      case S_IFREG: nil
      case S_IFDIR: "a folder"
      case S_IFIFO: "a named pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    if let kind { throw failure(url, "is \(kind), expected a file") }
  }

  /// Whether users besides this user and root can write to a file or create files in a folder; `false` for a missing path.
  package static func canBeWrittenByOthers(_ url: URL) -> Bool {
    var status = stat()
    guard unsafe stat(url.path(percentEncoded: false).systemPath, &status) == 0 else {
      return false
    }
    let isOwn = status.st_uid == geteuid() || status.st_uid == 0
    return !isOwn || status.st_mode & (S_IWGRP | S_IWOTH) != 0
  }

  /// Whether every user of this machine can read an ordinary file.
  package static func isWorldReadable(_ url: URL) -> Bool {
    var status = stat()
    return unsafe stat(url.path(percentEncoded: false).systemPath, &status) == 0
      && status.st_mode & S_IFMT == S_IFREG && status.st_mode & S_IROTH != 0
  }

  /// Up to `count` bytes from the start of an ordinary file; `nil` for anything else.
  package static func beginning(of url: URL, count: Int) -> [UInt8]? {
    // Without O_NONBLOCK, opening a named pipe would block.
    let path = url.path(percentEncoded: false)
    let descriptor = unsafe open(path.systemPath, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return try? piece(min(count, max(Int(status.st_size), 0)), from: descriptor, of: url)
  }

  /// Reads a file in pieces of at most `size` bytes, and passes each to `body`.
  ///
  /// - Throws: `DepthError` with code `unreadable`, and any error of `body`.
  /// - Precondition: `size` is positive.
  package static func forEachPiece(
    of url: URL, size: Int = 1 << 20, _ body: ([UInt8]) throws -> Void
  ) throws {
    precondition(size > 0, "pieces of \(size) bytes, expected at least 1")
    let descriptor = unsafe open(url.path(percentEncoded: false).systemPath, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw systemFailure(url) }
    defer { close(descriptor) }
    while case let piece = try piece(size, from: descriptor, of: url), !piece.isEmpty {
      try body(piece)
    }
  }

  private static func requireMemory(_ bytes: Int, for url: URL) throws {
    guard bytes > negligibleBytes else { return }
    try MemoryNeed(bytes: bytes).require(for: url.relativePath)
  }

  /// Reads up to `count` bytes.
  private static func piece(_ count: Int, from descriptor: Int32, of url: URL) throws -> [UInt8] {
    try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = try unsafe fill(UnsafeMutableRawBufferPointer(buffer), from: descriptor, of: url)
    }
  }

  /// Reads until `buffer` is full or the file ends.
  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, of url: URL
  ) throws -> Int {
    var filled = 0
    while filled < buffer.count {
      let spare = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = unsafe read(descriptor, spare.baseAddress, spare.count)
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        throw systemFailure(url)
      }
    }
    return filled
  }

  private static func failure(_ url: URL, _ reason: String) -> DepthError {
    .unreadable(file: url.relativePath, reason: reason)
  }

  /// The error for the last system call.
  private static func systemFailure(_ url: URL) -> DepthError {
    SystemFailure().depthError(.unreadable, of: url)
  }
}
