import CHDF5
import NeuralLayers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An HDF5 file open for reading.
///
/// It owns the library's handle and a second descriptor of the same file, through which contiguous
/// data is read without entering the library.
package final class HDF5File: Sendable {
  /// The file's path as the caller named it, which messages repeat.
  package let name: String
  /// Length in bytes when the file was opened.
  package let size: Int
  /// Byte at which HDF5 begins: 0, or the length of a block that belongs to somebody else.
  let start: Int
  let id: hid_t
  let descriptor: Int32

  /// Opens `path`.
  ///
  /// - Throws: ``WeightsError/unreadable(file:reason:)`` when the file is missing, is not a regular
  ///   file, may not be read, is not HDF5, is truncated or has a damaged header.
  package init(path: String) throws {
    let name = path
    func unreadable(_ reason: String) -> WeightsError { .unreadable(file: name, reason: reason) }

    var status = stat()
    guard stat(path, &status) == 0 else { throw unreadable(Self.reason(for: errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw unreadable("is a folder, expected an HDF5 file")
    default: throw unreadable("is not a regular file")
    }
    guard status.st_size > 0 else { throw unreadable("is empty, expected an HDF5 file") }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(Self.reason(for: errno)) }
    guard let start = Self.signatureOffset(descriptor, size: Int(status.st_size)) else {
      close(descriptor)
      throw unreadable("is not an HDF5 file")
    }
    let (id, message) = HDF5Library.locked {
      var text = [CChar](repeating: 0, count: 256)
      let id = ch5_open_for_reading(path, &text, text.count)
      let message = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return (id, String(decoding: message, as: UTF8.self))
    }
    guard id >= 0 else {
      close(descriptor)
      throw unreadable(
        message.hasPrefix("truncated file")
          ? "is truncated at \(status.st_size) bytes" : Self.damage("header", message))
    }
    (self.name, self.size, self.start) = (name, Int(status.st_size), start)
    (self.id, self.descriptor) = (id, descriptor)
  }

  deinit {
    _ = HDF5Library.locked { H5Fclose(id) }
    close(descriptor)
  }

  /// The signature stands at byte 0, 512, 1024, 2048, … of the file.
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
  func unreadable(_ reason: String) -> WeightsError { .unreadable(file: name, reason: reason) }

  /// An error about damage in `part`, with the library's reason. Call inside the lock.
  func damaged(_ part: String) -> WeightsError {
    unreadable(Self.damage(part, HDF5Library.lastMessage))
  }

  private static func damage(_ part: String, _ message: String) -> String {
    "\(part) is damaged" + (message.isEmpty ? "" : " (\(message))")
  }
}
