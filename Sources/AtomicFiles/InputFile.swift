
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Whole files into memory.
public enum InputFile {
  /// More than any picture or map within ``PixelLimit`` needs: 4 GiB.
  static let maximumBytes = 1 << 32

  /// All bytes of a file, a pipe, or standard input (`/dev/stdin`).
  ///
  /// - Throws: ``ImageCodingError/unreadable(file:reason:)``.
  public static func bytes(of url: URL) throws -> [UInt8] {
    let path = url.path(percentEncoded: false)
    // Opening /dev/stdin anew fails when standard input is a socket, the descriptor never does.
    let isStandardInput = path == "/dev/stdin"
    let descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(url, systemReason()) }
    defer { if !isStandardInput { close(descriptor) } }

    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(url, systemReason()) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw failure(url, systemReason(EISDIR)) }
    guard status.st_size <= maximumBytes else { throw failure(url, tooLong) }
    let size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
    var bytes = try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = try fill(UnsafeMutableRawBufferPointer(buffer), from: descriptor, of: url)
    }
    // What is left: all of a pipe, or what was appended to a file meanwhile.
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { chunk in
      while true {
        let count = try fill(chunk, from: descriptor, of: url)
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        guard bytes.count <= maximumBytes else { throw failure(url, tooLong) }
        guard count == chunk.count else { return }
      }
    }
    return bytes
  }

  private static let tooLong = "is longer than \(maximumBytes) bytes"

  /// Reads until `buffer` is full or the end is reached.
  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, of url: URL
  ) throws -> Int {
    var filled = 0
    while filled < buffer.count {
      let spare = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = read(descriptor, spare.baseAddress, spare.count)
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        throw failure(url, systemReason())
      }
    }
    return filled
  }

  private static func failure(_ url: URL, _ reason: String) -> ImageCodingError {
    .unreadable(file: url.relativePath, reason: reason)
  }
}
