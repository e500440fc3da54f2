import DepthBase
import DepthErrors
import SystemEssentials

/// A file for random access that reads and replaces bytes.
struct FileBytes {
  private let descriptor: Int32
  let count: Int

  init(_ file: String) throws(SystemFailure) {
    descriptor = unsafe open(file, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure() }
    count = Int(lseek(descriptor, 0, SEEK_END))
  }

  func close() { closeDescriptor(descriptor) }

  /// Reads `wanted` bytes, or fewer at the end of the file.
  func read(_ wanted: Int, at place: Int) throws(SystemFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(min(wanted, count - place), 0))
    var done = 0
    while done < bytes.count {
      let part = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(
          descriptor, $0.baseAddress.map { unsafe $0 + done }, $0.count - done,
          off_t(place + done))
      }
      guard part > 0 else { throw SystemFailure(part == 0 ? EIO : errno) }
      done += part
    }
    return bytes
  }

  func write(_ bytes: [UInt8], at place: Int) throws(SystemFailure) {
    var done = 0
    while done < bytes.count {
      let part = unsafe bytes.withUnsafeBytes {
        unsafe pwrite(
          descriptor, $0.baseAddress.map { unsafe $0 + done }, $0.count - done,
          off_t(place + done))
      }
      guard part > 0 else { throw SystemFailure() }
      done += part
    }
  }
}

extension FileBytes {
  /// Opens a film to write a stereo tag.
  ///
  /// - Parameter body: Writes the tag, and returns the reason if writing is impossible.
  /// - Throws: `DepthError` with code `unwritable`.
  static func tagStereo(
    _ file: String, _ body: (FileBytes) throws(SystemFailure) -> String?
  ) throws(DepthError) {
    var fault: String?
    do throws(SystemFailure) {
      let bytes = try FileBytes(file)
      defer { bytes.close() }
      fault = try body(bytes)
    } catch { fault = systemReason(error.code) }
    guard let fault else { return }
    throw DepthError(.unwritable, file: file, "cannot be tagged as stereo: \(fault)")
  }
}

/// Calls `close` of the C library, which the type's method hides.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
