import DepthErrors
package import SystemEssentials

/// A folder of this program that is used by one process at a time.
///
/// The folder is opened once, without following a link, and files are removed through its descriptor. A link planted under
/// the folder's name therefore cannot redirect a removal.
package final class OwnedFolder: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Opens the folder, or creates it with access for this user only.
  ///
  /// - Parameters:
  ///   - file: The file whose folder this is, for errors.
  ///   - owner: Returns the owner of an open file.
  /// - Throws: `DepthError` with code `unwritable` for a link, a file, another user's folder, or a folder in use by another
  ///   process.
  package init(
    at url: URL, for file: String, owner: (Int32) -> uid_t? = OwnedFolder.owner(of:)
  ) throws {
    let path = url.path(percentEncoded: false)
    // A trailing slash would make the system follow a link.
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    descriptor = try Self.open(self.path, url, for: file, owner)
  }

  private static func open(
    _ path: String, _ url: URL, for file: String, _ owner: (Int32) -> uid_t?
  ) throws -> Int32 {
    func refusal(_ reason: String) -> DepthError { .unwritable(file: file, reason: reason) }
    while true {
      guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw FolderFailure(making: path).unwritable(url)
      }
      let descriptor = unsafe SystemEssentials.open(
        path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else {
        let reason = errno
        if reason == ENOENT { continue }
        guard reason == ELOOP || reason == ENOTDIR else { throw refusal(systemReason(reason)) }
        throw refusal("\(url.relativePath) is a link or a file, expected a folder of this program")
      }
      guard isOwn(descriptor, owner) else {
        close(descriptor)
        throw refusal("\(url.relativePath) belongs to another user")
      }
      // Some file systems have no permissions or no locks.
      _ = fchmod(descriptor, 0o700)
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
        close(descriptor)
        throw refusal("another run of this program is creating it")
      }
      // A run that has just ended may have removed the folder before this lock.
      if hasName(descriptor, path) { return descriptor }
      close(descriptor)
    }
  }

  /// Whether a path refers to this open file or folder without a link.
  static func hasName(_ descriptor: Int32, _ path: String) -> Bool {
    var (open, named) = (stat(), stat())
    guard unsafe fstat(descriptor, &open) == 0, unsafe lstat(path, &named) == 0 else {
      return false
    }
    return named.st_ino == open.st_ino && named.st_dev == open.st_dev
  }

  /// Whether a folder belongs to the owner of this user's new files.
  ///
  /// New files may belong to another user on network file systems that squash root, and on file systems without users.
  private static func isOwn(_ folder: Int32, _ owner: (Int32) -> uid_t?) -> Bool {
    guard let user = owner(folder) else { return false }
    if user == geteuid() { return true }
    let name = PartFile.temporaryName
    let probe = unsafe openat(
      folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard probe >= 0 else { return false }
    defer {
      close(probe)
      unsafe unlinkat(folder, name, 0)
    }
    return owner(probe) == user
  }

  /// The owner of an open file; `nil` if unknown.
  package static func owner(of descriptor: Int32) -> uid_t? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? status.st_uid : nil
  }

  deinit { close(descriptor) }

  /// Names of all entries; empty if the folder is unreadable.
  package var names: [String] {
    let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return [] }
    guard let stream = unsafe fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a file in the folder; ignores names with a slash.
  package func removeFile(_ name: String) {
    guard !name.contains("/") else { return }
    unsafe unlinkat(descriptor, name, 0)
  }

  /// Removes the folder if it is empty.
  package func remove() { unsafe rmdir(path) }
}
