import CDepthBase
import DepthBase
package import DepthErrors
import SystemEssentials

#if HDF5
  // Declares the system's `stat` for this file.
  import CDepthHDF5
#endif

/// An HDF5 file open for reading.
///
/// The file owns a descriptor, through which values are read. ``describe(_:)`` parses the structure with
/// ``describer``.
package final class HDF5File: Sendable {
  /// The path as given by the caller, for messages.
  package let name: String
  /// Path of the file; `nil` for a file in memory.
  let path: String?
  /// The parser of the structure.
  let describer: HDF5Describer
  /// Length in bytes when the file was opened.
  package let size: Int
  /// Byte at which the HDF5 data begins: 0, or the length of the user block.
  package let start: Int
  /// Descriptor of the file, open for reading.
  package let descriptor: Int32
  /// The comparison of the file with its own checksum; see ``init(path:describer:verifyingWith:)``.
  let verify: Verification?
  /// The file's state before its first byte was read.
  private let state: FileState

  /// A comparison that throws if a file's bytes have changed since the file was written.
  package typealias Verification = @Sendable () throws -> Void

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - describer: The parser of the structure.
  ///   - verification: Receives the descriptor and the length in bytes. Returns the comparison of the file
  ///     with its own checksum; `nil` for a file without a checksum. The comparison runs before the file is
  ///     described.
  /// - Throws: `DepthError` with code `unreadable` if the file is missing, is not a regular file or may not be
  ///   read; with code `unsupportedFormat` if the file is not HDF5; also the errors of `verification`.
  package convenience init(
    path: String, describer: HDF5Describer = .inThisBuild,
    verifyingWith verification: (_ descriptor: Int32, _ size: Int) throws -> Verification? = {
      _, _ in nil
    }
  ) throws {
    let name = path
    func unreadable(_ reason: String) -> DepthError { .unreadable(file: name, reason: reason) }

    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw unreadable(Self.reason(for: errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw unreadable("is a folder, expected an HDF5 file")
    default: throw unreadable("is not a regular file")
    }
    guard status.st_size > 0 else {
      throw DepthError(.unsupportedFormat, file: name, "is empty, expected an HDF5 file")
    }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(Self.reason(for: errno)) }
    try self.init(
      descriptor: descriptor, path: path, name: name, describer: describer,
      verifyingWith: verification)
  }

  /// Opens a file in memory by copying its bytes into an anonymous file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; not used after this call.
  ///   - name: The file's name in errors.
  ///   - describer: The parser of the structure.
  ///   - verification: The same as for a file with a path.
  /// - Throws: The same errors as for a file with a path.
  package convenience init(
    bytes: UnsafeRawBufferPointer, name: String, describer: HDF5Describer = .inThisBuild,
    verifyingWith verification: (_ descriptor: Int32, _ size: Int) throws -> Verification? = {
      _, _ in nil
    }
  ) throws {
    guard unsafe !bytes.isEmpty else {
      throw DepthError(.unsupportedFormat, file: name, "is empty, expected an HDF5 file")
    }
    let descriptor = unsafe cpf_memory_file(bytes.baseAddress, bytes.count)
    guard descriptor >= 0 else {
      throw DepthError.unreadable(
        file: name, reason: "cannot be held in memory: \(systemReason())")
    }
    try self.init(
      descriptor: descriptor, path: nil, name: name, describer: describer,
      verifyingWith: verification)
  }

  /// Takes ownership of an open descriptor, and closes it on failure.
  private init(
    descriptor: Int32, path: String?, name: String, describer: HDF5Describer,
    verifyingWith verification: (_ descriptor: Int32, _ size: Int) throws -> Verification?
  ) throws {
    (self.descriptor, self.path, self.name, self.describer) = (descriptor, path, name, describer)
    // The state is recorded before the first read, so that every later change is detected.
    let state = FileState(of: descriptor)
    do {
      guard let state else {
        throw DepthError.unreadable(file: name, reason: Self.reason(for: errno))
      }
      (self.state, size) = (state, state.bytes)
      verify = try verification(descriptor, size)
      guard let start = Self.signatureOffset(descriptor, size: size) else {
        // If the checksum differs, damage is the better reason.
        try verify?()
        throw DepthError(.unsupportedFormat, file: name, "is not an HDF5 file")
      }
      self.start = start
    } catch {
      let isChanged = state.map { FileState(of: descriptor)?.hasContent(of: $0) == false } ?? false
      close(descriptor)
      throw isChanged ? Self.changed(name) : error
    }
  }

  deinit { close(descriptor) }

  /// Throws if the file has changed since it was opened, because earlier and later reads would then mix
  /// different contents.
  ///
  /// - Throws: `DepthError` with code `unreadable`. The failure is temporary while the file is being written.
  package func requireUnchanged() throws {
    guard FileState(of: descriptor)?.hasContent(of: state) == true else {
      throw Self.changed(name)
    }
  }

  static func changed(_ name: String) -> DepthError {
    DepthError(
      .unreadable, file: name,
      "was changed while it was read, expected a file that does not change",
      cause: SystemFailure(EAGAIN))
  }

  /// The offset of the HDF5 signature, one of 0, 512, 1024, 2048, …; `nil` without a signature.
  private static func signatureOffset(_ descriptor: Int32, size: Int) -> Int? {
    let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]
    var found = [UInt8](repeating: 0, count: signature.count)
    var offset = 0
    while offset + found.count <= size {
      if unsafe pread(descriptor, &found, found.count, off_t(offset)) == found.count,
        found == signature
      {
        return offset
      }
      offset = offset == 0 ? 512 : offset * 2
    }
    return nil
  }

  private static func reason(for code: Int32) -> String {
    switch code {
    case ENOENT, ENOTDIR: "no such file"
    default: "cannot be opened: \(systemReason(code))"
    }
  }

  /// An error for a file that the system cannot read.
  func unreadable(_ reason: String) -> DepthError {
    .unreadable(file: name, reason: reason)
  }

  /// An error for valid HDF5 that this package does not read.
  package func unsupported(_ reason: String) -> DepthError {
    DepthError(.unsupportedFormat, file: name, reason)
  }

  /// An error for content that contradicts itself or the file's length.
  package func invalid(_ reason: String) -> DepthError {
    DepthError(.damaged, file: name, reason)
  }

  /// An error for a part of the file that the HDF5 library cannot read, with the library's reason.
  package func damaged(_ part: String, _ cause: String = "") -> DepthError {
    invalid(Self.damage(part, cause))
  }

  /// The message for a damaged part, with the library's reason.
  package static func damage(_ part: String, _ cause: String) -> String {
    "\(part) is damaged" + (cause.isEmpty ? "" : " (\(cause))")
  }
}
