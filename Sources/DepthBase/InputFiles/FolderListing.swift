import DepthErrors
package import SystemEssentials

/// The files and folders directly inside a folder, in the byte order of names; names that are not UTF-8 come last.
package struct FolderListing: Sendable {
  /// A folder's identity, which does not depend on the path.
  package struct Identity: Hashable, Sendable {
    private let device, number: UInt64

    /// - Returns: `nil` if the folder does not exist.
    package init?(of url: URL) {
      var status = stat()
      guard unsafe stat(url.path(percentEncoded: false).systemPath, &status) == 0,
        status.st_mode & S_IFMT == S_IFDIR
      else { return nil }
      (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
  }

  /// Names of ordinary files, and of links to them.
  package private(set) var files: [String] = []
  /// Names of folders, without links to folders, which may be cyclic.
  package private(set) var folders: [String] = []

  /// - Throws: `DepthError` with code `unreadable`.
  package init(of url: URL) throws {
    let path = url.path(percentEncoded: false)
    guard let stream = unsafe opendir(path.systemPath) else {
      throw SystemFailure().depthError(.unreadable, of: url)
    }
    defer { unsafe closedir(stream) }
    let prefix = path.hasSuffix("/") ? path : path + "/"
    errno = 0
    while let entry = unsafe readdir(stream) {
      unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe add($0, in: prefix) }
      }
      errno = 0
    }
    guard errno == 0 else { throw SystemFailure().depthError(.unreadable, of: url) }
    files.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    folders.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private mutating func add(_ bytes: UnsafePointer<CChar>, in prefix: String) {
    let name = unsafe String(fileNameAt: bytes)
    guard name != ".", name != ".." else { return }
    var status = stat()
    // A dangling link counts as a file, so that reading the file reports the error.
    guard unsafe lstat((prefix + name).systemPath, &status) == 0 else { return files.append(name) }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    if isLink, unsafe stat((prefix + name).systemPath, &status) != 0 { return files.append(name) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: files.append(name)
    case S_IFDIR where !isLink: folders.append(name)
    default: break
    }
  }
}
