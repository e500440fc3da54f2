import CDepthBase
package import DepthErrors
package import SystemEssentials

/// Atomic writing of files. Each file has a temporary name until it is complete.
package enum AtomicFile {
  /// Writes `bytes` under a temporary name in the same folder, then renames the file.
  ///
  /// Writes directly to devices, named pipes, standard output (`/dev/stdout`) and other open descriptors (`/dev/fd/3`).
  /// Symbolic links are followed. A replaced file keeps its permissions.
  ///
  /// - Parameters:
  ///   - bytes: The whole content.
  ///   - url: The file, in an existing folder.
  ///   - overwrite: Whether an existing file may be replaced.
  /// - Throws: `DepthError` with code `unwritable`; no partial file remains.
  package static func write(_ bytes: [UInt8], to url: URL, overwrite: Bool = true) throws {
    try write([(.bytes(bytes), url)], overwrite: overwrite)
  }

  /// Writes several files as one unit: all files, or none.
  ///
  /// All files are completed under temporary names before the first rename. If a later rename fails, renamed files are
  /// removed, and replaced files are restored.
  ///
  /// - Parameters:
  ///   - files: Contents and URLs; see ``write(_:to:overwrite:)``.
  ///   - overwrite: Whether existing files may be replaced.
  /// - Throws: `DepthError` with code `unwritable` and the name of the failed file; any error while making the pieces of a
  ///   file. No new file remains.
  package static func write(
    _ files: [(content: FileContent, url: URL)], overwrite: Bool = true
  ) throws {
    var finished: [(file: Finished, url: URL)] = []
    for (content, url) in files {
      do {
        let path = url.path(percentEncoded: false)
        if let file = try prepare(content, for: path, overwrite: overwrite) {
          finished.append((file, url))
        }
      } catch {
        for (file, _) in finished { file.part.discard() }
        switch error {
        case let error as FolderFailure: throw error.unwritable(url)
        case let error as SystemFailure: throw unwritable(url, error.code)
        default: throw error
        }
      }
    }
    cpf_begin_renaming()
    defer { cpf_end_renaming() }
    var moved: [(file: Finished, old: String?)] = []
    for (index, (file, url)) in finished.enumerated() {
      let old = finished.count > 1 ? file.keepingOld() : nil
      do { try file.move(overwrite: overwrite) } catch {
        for (file, old) in moved {
          if let old {
            unsafe rename(old.systemPath, file.target.systemPath)
          } else if !file.exists {
            unsafe unlink(file.target.systemPath)
          }
        }
        if let old { unsafe unlink(old.systemPath) }
        for (file, _) in finished[index...] { file.part.discard() }
        throw unwritable(url, error.code)
      }
      moved.append((file, old))
    }
    for case (_, let old?) in moved { unsafe unlink(old.systemPath) }
  }

  /// Renames a file that another program has finished, after its bytes are on the disk.
  ///
  /// - Parameters:
  ///   - path: A file in the same file system.
  ///   - url: A result of ``target(of:)``, or a file in a folder of this program.
  ///   - overwrite: Whether an existing file may be replaced.
  /// - Throws: `DepthError` with code `unwritable`.
  package static func move(_ path: String, to url: URL, overwrite: Bool = true) throws {
    let descriptor = unsafe open(path.systemPath, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unwritable(url, errno) }
    defer { close(descriptor) }
    do throws(SystemFailure) {
      try PartFile.synchronize(descriptor)
      try name(path, url.path(percentEncoded: false), overwrite: overwrite)
    } catch {
      throw unwritable(url, error.code)
    }
  }

  /// The file to write at a URL, after resolving symbolic links to existing files.
  ///
  /// - Throws: `DepthError`: code `fileExists` for an existing file or dangling link that may not be replaced; code
  ///   `unwritable` for anything but an ordinary file.
  package static func target(of url: URL, overwrite: Bool) throws -> URL {
    let path = url.path(percentEncoded: false)
    var status = stat()
    guard unsafe lstat(path.systemPath, &status) == 0 else { return url }
    guard overwrite else { throw unwritable(url, EEXIST) }
    guard unsafe stat(path.systemPath, &status) == 0 else { return url }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw DepthError.unwritable(
        file: url.relativePath, reason: "is not a regular file, expected one or a new name")
    }
    do throws(SystemFailure) { return URL(filePath: try resolved(path)) } catch {
      throw unwritable(url, error.code)
    }
  }

  /// The error for a name that is too long for a file; `nil` for other names.
  package static func nameFailure(_ url: URL) -> DepthError? {
    var status = stat()
    // The file's folder may not exist yet.
    var isTooLong = url.lastPathComponent.fileNameBytes.count > Int(NAME_MAX)
    if unsafe lstat(url.path(percentEncoded: false).systemPath, &status) != 0, errno == ENAMETOOLONG
    {
      isTooLong = true
    }
    return isTooLong ? unwritable(url, ENAMETOOLONG) : nil
  }

  /// Renames a finished file in one step.
  private static func name(
    _ path: String, _ target: String, overwrite: Bool
  ) throws(SystemFailure) {
    // Unlike a rename, a link fails if a file has appeared since the check.
    if !overwrite {
      if unsafe link(path.systemPath, target.systemPath) == 0 {
        unsafe unlink(path.systemPath)
        return
      }
      // Some file systems have no links, so only the earlier check protects an existing file.
      if errno == EEXIST { throw SystemFailure() }
    }
    guard unsafe rename(path.systemPath, target.systemPath) == 0 else { throw SystemFailure() }
  }

  /// Throws before a long computation if ``write(_:to:overwrite:)`` would foreseeably fail.
  ///
  /// - Throws: `DepthError` with code `unwritable`.
  package static func check(_ url: URL, overwrite: Bool) throws {
    let path = url.path(percentEncoded: false)
    guard !isDescriptor(path) else { return }
    var status = stat()
    var target = path
    if unsafe stat(path.systemPath, &status) == 0 {
      let type = status.st_mode & S_IFMT
      if type == S_IFDIR { throw unwritable(url, EISDIR) }
      guard type == S_IFREG else {
        guard unsafe access(path.systemPath, W_OK) == 0 else { throw unwritable(url, errno) }
        return
      }
      if !overwrite { throw unwritable(url, EEXIST) }
      target = (try? resolved(path)) ?? path
    } else if errno != ENOENT {
      throw unwritable(url, errno)
    } else if !overwrite, unsafe lstat(path.systemPath, &status) == 0 {
      // A dangling link, which writing would replace.
      throw unwritable(url, EEXIST)
    }
    // New files and new versions of existing files are created in the target's folder.
    let folder = target.contains("/") ? folder(of: target) : "."
    guard unsafe access(folder.systemPath, W_OK | X_OK) == 0 else {
      throw FolderFailure(making: target).unwritable(url)
    }
  }

  private static func unwritable(_ url: URL, _ code: Int32) -> DepthError {
    if code == EEXIST { return .fileExists(url.relativePath) }
    return SystemFailure(code).depthError(.unwritable, of: url)
  }

  /// Writes directly to a target that cannot be renamed. For an ordinary file, returns the finished part file.
  private static func prepare(
    _ content: FileContent, for path: String, overwrite: Bool
  ) throws -> Finished? {
    // Reopening /dev/stdout fails for a socket, and truncates a file.
    if path == "/dev/stdout" {
      try content.write(to: STDOUT_FILENO)
      return nil
    }
    if path.hasPrefix("/dev/fd/"), let descriptor = Int32(path.dropFirst(8)) {
      try content.write(to: descriptor)
      return nil
    }
    var status = stat()
    let exists = unsafe stat(path.systemPath, &status) == 0
    if !exists && errno != ENOENT { throw SystemFailure() }
    if exists {
      let type = status.st_mode & S_IFMT
      if type == S_IFDIR || path.hasSuffix("/") { throw SystemFailure(EISDIR) }
      if type != S_IFREG || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/") {
        try writeThrough(content, to: path)
        return nil
      }
      if !overwrite { throw SystemFailure(EEXIST) }
    }
    let target = exists ? try resolved(path) : path
    let part: PartFile
    do throws(SystemFailure) { part = try PartFile(beside: target) } catch {
      throw FolderFailure(making: target, error)
    }
    do { try part.write(content, permissions: exists ? status.st_mode & 0o777 : nil) } catch {
      part.discard()
      throw error
    }
    return Finished(part: part, target: target, exists: exists)
  }

  /// A complete part file, and its final path.
  private struct Finished {
    let part: PartFile
    let target: String
    /// Whether an existing file is replaced.
    let exists: Bool

    /// Links the file to be replaced under a second name, for restoring it; `nil` if that is impossible.
    func keepingOld() -> String? {
      guard exists else { return nil }
      let old = PartFile.temporaryPath(beside: target)
      return unsafe link(target.systemPath, old.systemPath) == 0 ? old : nil
    }

    func move(overwrite: Bool) throws(SystemFailure) {
      try AtomicFile.name(part.path, target, overwrite: overwrite)
    }
  }

  private static func writeThrough(_ content: FileContent, to path: String) throws {
    let descriptor = unsafe open(path.systemPath, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure() }
    do { try content.write(to: descriptor) } catch {
      close(descriptor)
      throw error
    }
    guard close(descriptor) == 0 || errno == EINTR else { throw SystemFailure() }
  }

  /// The target of a chain of symbolic links.
  private static func resolved(_ path: String) throws(SystemFailure) -> String {
    guard let real = unsafe realpath(path.systemPath, nil) else { throw SystemFailure() }
    defer { unsafe free(real) }
    return unsafe String(fileNameAt: real)
  }
}
