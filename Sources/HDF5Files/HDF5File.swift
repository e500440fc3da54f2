import CDepthHDF5
package import DepthErrors
import NeuralEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An HDF5 file open for reading.
///
/// It owns a descriptor of the file, through which values are read. What the file says about them is found
/// out by the HDF5 library in a child process, see ``describe(_:)``.
package final class HDF5File: Sendable {
  /// The file's path as the caller named it, which messages repeat.
  package let name: String
  package let path: String
  /// Length in bytes when the file was opened.
  package let size: Int
  /// Byte at which HDF5 begins: 0, or the length of a block before it.
  package let start: Int
  package let descriptor: Int32
  /// The checksums before the HDF5 data, where there are some; they fit the file's length and bytes.
  package let block: WeightsBlock?

  /// Opens `path`, and compares length and checksum where the file begins with them.
  ///
  /// - Throws: ``DepthError`` with code `unreadable` when the file is missing, is not a regular
  ///   file, may not be read, is not HDF5, or differs from its checksum.
  package init(path: String) throws {
    let name = path
    func unreadable(_ reason: String) -> DepthError { .unreadable(file: name, reason: reason) }

    var status = stat()
    guard stat(path, &status) == 0 else { throw unreadable(Self.reason(for: errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw unreadable("is a folder, expected an HDF5 file")
    default: throw unreadable("is not a regular file")
    }
    guard status.st_size > 0 else { throw unreadable("is empty, expected an HDF5 file") }
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(Self.reason(for: errno)) }
    (self.name, self.path, size) = (name, path, Int(status.st_size))
    do {
      block = try WeightsBlock(of: descriptor, size: size, file: name)
      guard let start = Self.signatureOffset(descriptor, size: size) else {
        throw unreadable("is not an HDF5 file")
      }
      self.start = start
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// The signature is at byte 0, 512, 1024, 2048, … of the file.
  private static func signatureOffset(_ descriptor: Int32, size: Int) -> Int? {
    let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]
    var found = [UInt8](repeating: 0, count: signature.count)
    var offset = 0
    while offset + found.count <= size {
      if pread(descriptor, &found, found.count, off_t(offset)) == found.count, found == signature {
        return offset
      }
      offset = offset == 0 ? 512 : offset * 2
    }
    return nil
  }

  private static func reason(for code: Int32) -> String {
    switch code {
    case ENOENT, ENOTDIR: "there is no such file"
    case EACCES, EPERM: "may not be read (permission denied)"
    default: "cannot be opened (\(String(cString: strerror(code))))"
    }
  }

  /// An error about this file.
  package func unreadable(_ reason: String) -> DepthError {
    .unreadable(file: name, reason: reason)
  }

  /// An error about damage in `part`, with the library's reason.
  package func damaged(_ part: String, _ cause: String = "") -> DepthError {
    unreadable(Self.damage(part, cause))
  }

  package static func damage(_ part: String, _ cause: String) -> String {
    "\(part) is damaged" + (cause.isEmpty ? "" : " (\(cause))")
  }
}
