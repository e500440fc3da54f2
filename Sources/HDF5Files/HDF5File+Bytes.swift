import DepthErrors
import SystemEssentials

extension HDF5File {
  /// Fills `buffer` with the file's bytes from `offset` on, without entering the HDF5 library.
  ///
  /// - Parameter what: The part of the file, for the error.
  /// - Throws: `DepthError` with code `unreadable` when the system cannot read the file or somebody has written to
  ///   it since it was opened, and `damaged` when the file ends too early.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, from offset: Int, _ what: String
  ) throws {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let bytes = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if bytes < 0, errno == EINTR { continue }
      guard bytes >= 0 else {
        throw unreadable("\(what) cannot be read: \(systemReason())")
      }
      guard bytes > 0 else { throw invalid("\(what) ends early, the file was shortened") }
      done += bytes
    }
    try requireUnchanged()
  }
}
