import CDepthBase
import SystemEssentials

/// A file that is being written under a temporary name in its final folder.
///
/// The writer holds a lock (`flock`) on the file until it is renamed, and signals remove it (``removeOnSignals()``). A
/// killed process leaves its part files unlocked; the next process that writes to the folder removes them.
package final class PartFile {
  let path: String
  private let descriptor: Int32
  private let slot: Int32

  /// Creates the file, locked, with the permissions of a new file.
  ///
  /// - Parameter target: The final path.
  /// - Throws: `SystemFailure`.
  init(beside target: String) throws(SystemFailure) {
    Self.removeOrphans(in: AtomicFile.folder(of: target))
    while true {
      let path = Self.temporaryPath(beside: target)
      let slot = unsafe cpf_remember(path.systemPath)
      let descriptor = unsafe open(path.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        let code = errno
        cpf_forget(slot)
        throw SystemFailure(code)
      }
      // Between creation and lock, another process may have removed the file as an orphan.
      if Self.lock(descriptor), Self.hasName(descriptor) {
        (self.path, self.descriptor, self.slot) = (path, descriptor, slot)
        return
      }
      close(descriptor)
      cpf_forget(slot)
    }
  }

  deinit {
    close(descriptor)
    cpf_forget(slot)
  }

  /// Writes the whole content, with the permissions of the file to be replaced.
  ///
  /// - Throws: `SystemFailure`, and any error while making the pieces.
  func write(_ content: FileContent, permissions: mode_t?) throws {
    if let permissions { fchmod(descriptor, permissions) }
    try content.write(to: descriptor)
    try Self.synchronize(descriptor)
    // Network file systems may report a full disk only at a close. The first descriptor keeps the lock.
    let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if second >= 0, close(second) != 0, errno != EINTR { throw SystemFailure() }
  }

  /// Flushes the bytes to disk. After a rename without this flush, a power failure could leave an empty file.
  ///
  /// - Throws: `SystemFailure`, except on file systems without support.
  static func synchronize(_ descriptor: Int32) throws(SystemFailure) {
    #if canImport(Darwin)
      let result = fsync(descriptor)
    #else
      let result = fdatasync(descriptor)
    #endif
    guard result == 0 || [EINVAL, ENOTSUP, ENOSYS, EROFS].contains(errno) else {
      throw SystemFailure()
    }
  }

  /// Removes the file if it still has its temporary name.
  func discard() { unsafe unlink(path.systemPath) }

  /// Installs handlers that remove this process's part files before SIGINT, SIGTERM or SIGHUP ends the process.
  package static func removeOnSignals() { cpf_remove_on_signals() }

  /// Whether a signal is ignored. A signal that was ignored at the start stays ignored after ``removeOnSignals()``.
  package static func isIgnored(_ signal: Int32) -> Bool { cpf_is_ignored(signal) != 0 }

  /// Sets whether the next SIGINT is only counted, which lets the current work finish. A second SIGINT ends the process.
  package static func finishOnInterrupt(_ finishes: Bool) {
    cpf_finish_on_interrupt(finishes ? 1 : 0)
  }

  /// Whether a SIGINT was counted.
  package static var isInterrupted: Bool { cpf_interrupts() > 0 }

  // MARK: - Orphans

  private static let (prefix, suffix) = (".depth-", ".part")
  /// Folders that this process has already searched for orphans.
  private static let searched = Monitor<Set<String>>([])

  /// Removes abandoned part files from a folder, once per process and folder.
  ///
  /// - Parameter folder: Ends in `/`; empty for the current folder.
  package static func removeOrphans(in folder: String) {
    guard searched.update({ $0.insert(folder).inserted }) else { return }
    guard let stream = unsafe opendir((folder.isEmpty ? "." : folder).systemPath) else { return }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard isPartFile(name) else { continue }
      // Does not follow links, and does not block on named pipes.
      let path = folder + name
      let descriptor = unsafe open(path.systemPath, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unsafe unlink(path.systemPath) }
    }
  }

  /// A temporary path with a short name, so that target names of maximum length work.
  static func temporaryPath(beside target: String) -> String {
    "\(AtomicFile.folder(of: target))\(temporaryName)"
  }

  /// A random, unique file name.
  static var temporaryName: String {
    "\(prefix)\(String(UInt64.random(in: .min ... .max), radix: 36))\(suffix)"
  }

  /// Whether ``init(beside:)`` could have chosen a name.
  package static func isPartFile(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix),
      name.utf8.count > prefix.utf8.count + suffix.utf8.count
    else { return false }
    return UInt64(name.dropFirst(prefix.count).dropLast(suffix.count), radix: 36) != nil
  }

  /// Locks a new file. In a file system without locks, no process can mistake the file for an orphan.
  private static func lock(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  private static func hasName(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }
}

/// Writes all bytes to a descriptor.
package func writeAll(_ bytes: Span<UInt8>, to descriptor: Int32) throws(SystemFailure) {
  var done = 0
  while done < bytes.count {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe write(descriptor, $0.baseAddress.map { unsafe $0 + done }, bytes.count - done)
    }
    if count >= 0 {
      done += count
    } else if errno != EINTR {
      throw SystemFailure()
    }
  }
}
