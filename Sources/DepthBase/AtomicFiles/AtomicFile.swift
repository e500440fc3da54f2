import CDepthBase
package import DepthErrors
package import SystemEssentials

/// Writes files atomically: under a temporary name, then renamed.
package enum AtomicFile {
  /// Writes `bytes` under a temporary name in the same folder, then renames.
  ///
  /// A device, a named pipe, standard output (`/dev/stdout`) or another open descriptor
  /// (`/dev/fd/3`) cannot be renamed over and is written straight through. A symbolic link is
  /// followed. A file that is replaced keeps its permissions.
  ///
  /// - Parameters:
  ///   - bytes: The whole content.
  ///   - url: Where it goes; the folder must exist.
  ///   - overwrite: Whether a file of that name may be replaced.
  /// - Throws: `DepthError` with code `unwritable`; nothing of the new file is left then.
  package static func write(_ bytes: [UInt8], to url: URL, overwrite: Bool = true) throws {
    try write([(.bytes(bytes), url)], overwrite: overwrite)
  }

  /// Writes several files that belong together: all of them, or none.
  ///
  /// Every file is complete under a temporary name before the first of them gets its own. Should
  /// one then not get its name, those before it are removed, and what they have replaced comes
  /// back.
  ///
  /// - Parameters:
  ///   - files: Contents and where they go; see ``write(_:to:overwrite:)``.
  ///   - overwrite: Whether files of those names may be replaced.
  /// - Throws: `DepthError` with code `unwritable`, naming the file that failed, and what making a file's pieces
  ///   throws; nothing of any new file is left then.
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

  /// Gives a file that another program has finished its name, as soon as its bytes are on the disk.
  ///
  /// - Parameters:
  ///   - path: In the same file system.
  ///   - url: What ``target(of:)`` gives, or a file in a folder of this program.
  ///   - overwrite: Whether a file of that name may be replaced.
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

  /// The file that a name leads to: another one for a symbolic link whose file exists.
  ///
  /// - Throws: `DepthError` with code `fileExists` for a name that is taken, links that lead nowhere included, unless it may be
  ///   replaced; with code `unwritable` for anything but an ordinary file.
  package static func target(of url: URL, overwrite: Bool) throws -> URL {
    let path = url.path(percentEncoded: false)
    var status = stat()
    guard unsafe lstat(path.systemPath, &status) == 0 else { return url }
    guard overwrite else { throw unwritable(url, EEXIST) }
    guard unsafe stat(path.systemPath, &status) == 0 else { return url }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw DepthError.unwritable(
        file: url.relativePath, reason: "is not an ordinary file, expected one or a new name")
    }
    do throws(SystemFailure) { return URL(filePath: try resolved(path)) } catch {
      throw unwritable(url, error.code)
    }
  }

  /// Why no file can have a name: it is too long; `nil` for others.
  package static func nameFailure(_ url: URL) -> DepthError? {
    var status = stat()
    // Its folder may not exist yet.
    var isTooLong = url.lastPathComponent.fileNameBytes.count > Int(NAME_MAX)
    if unsafe lstat(url.path(percentEncoded: false).systemPath, &status) != 0, errno == ENAMETOOLONG
    {
      isTooLong = true
    }
    return isTooLong ? unwritable(url, ENAMETOOLONG) : nil
  }

  /// Gives a finished file its name in one step.
  private static func name(
    _ path: String, _ target: String, overwrite: Bool
  ) throws(SystemFailure) {
    // A link, unlike a rename, fails where a file has appeared since we looked.
    if !overwrite {
      if unsafe link(path.systemPath, target.systemPath) == 0 {
        unsafe unlink(path.systemPath)
        return
      }
      // Some file systems have no links; there the look beforehand has to do.
      if errno == EEXIST { throw SystemFailure() }
    }
    guard unsafe rename(path.systemPath, target.systemPath) == 0 else { throw SystemFailure() }
  }

  /// Whether ``write(_:to:overwrite:)`` would fail for a reason that can be seen beforehand: so
  /// that a long computation is not lost.
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
      // A link that leads nowhere: writing would replace it.
      throw unwritable(url, EEXIST)
    }
    // A new file, and a new version of an old one, is made in its folder.
    let folder = target.contains("/") ? folder(of: target) : "."
    guard unsafe access(folder.systemPath, W_OK | X_OK) == 0 else {
      throw FolderFailure(making: target).unwritable(url)
    }
  }

  private static func unwritable(_ url: URL, _ code: Int32) -> DepthError {
    if code == EEXIST { return .fileExists(url.relativePath) }
    return SystemFailure(code).depthError(.unwritable, of: url)
  }

  /// Writes what cannot be renamed; for the rest, the finished part file.
  private static func prepare(
    _ content: FileContent, for path: String, overwrite: Bool
  ) throws -> Finished? {
    // Opening /dev/stdout again fails when it is a socket and truncates it when it is a file.
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

  /// A part file with all of its bytes, and the name that it waits for.
  private struct Finished {
    let part: PartFile
    let target: String
    /// Whether a file of that name is replaced.
    let exists: Bool

    /// A second name for the file that is replaced, so that it can come back; `nil` where none can
    /// be had.
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

  /// The file that a chain of symbolic links ends in.
  private static func resolved(_ path: String) throws(SystemFailure) -> String {
    guard let real = unsafe realpath(path.systemPath, nil) else { throw SystemFailure() }
    defer { unsafe free(real) }
    return unsafe String(fileNameAt: real)
  }
}
