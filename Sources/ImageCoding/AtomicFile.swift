#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writes files so that nobody ever sees half of one.
public enum AtomicFile {
  /// Writes `bytes` under a temporary name in the same folder, then renames.
  ///
  /// A device, a named pipe, standard output (`/dev/stdout`) or another open descriptor (`/dev/fd/3`)
  /// cannot be renamed over and is written straight through. A symbolic link is followed. A file that
  /// is replaced keeps its permissions.
  ///
  /// - Parameters:
  ///   - bytes: The whole content.
  ///   - url: Where it goes; the folder must exist.
  ///   - overwrite: Whether a file of that name may be replaced.
  /// - Throws: ``ImageCodingError/unwritable(file:reason:)``; nothing of the new file is left then.
  public static func write(_ bytes: [UInt8], to url: URL, overwrite: Bool = true) throws {
    do {
      try write(bytes, to: url.path(percentEncoded: false), overwrite: overwrite)
    } catch let failure as SystemFailure {
      throw unwritable(url, failure.code)
    }
  }

  /// Whether ``write(_:to:overwrite:)`` would fail for a reason that can be seen beforehand: so that a
  /// long computation is not lost.
  ///
  /// - Throws: ``ImageCodingError/unwritable(file:reason:)``.
  public static func check(_ url: URL, overwrite: Bool) throws {
    let path = url.path(percentEncoded: false)
    guard !isDescriptor(path) else { return }
    var status = stat()
    var target = path
    if stat(path, &status) == 0 {
      let type = status.st_mode & S_IFMT
      if type == S_IFDIR { throw unwritable(url, EISDIR) }
      guard type == S_IFREG else {
        guard access(path, W_OK) == 0 else { throw unwritable(url, errno) }
        return
      }
      if !overwrite { throw unwritable(url, EEXIST) }
      target = (try? resolved(path)) ?? path
    } else if errno != ENOENT {
      throw unwritable(url, errno)
    }
    // A new file, and a new version of an old one, is made in its folder.
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw unwritable(url, noFolder)
    }
    guard access(folder, W_OK | X_OK) == 0 else { throw unwritable(url, errno) }
  }

  private static func unwritable(_ url: URL, _ code: Int32) -> ImageCodingError {
    .unwritable(
      file: url.relativePath,
      reason: code == noFolder ? "the folder does not exist" : systemReason(code))
  }

  /// Stands for `ENOENT` where it is the folder, not the file, that is missing.
  private static let noFolder: Int32 = -1

  /// The `errno` of the call that failed.
  private struct SystemFailure: Error {
    let code: Int32
    init(_ code: Int32 = errno) { self.code = code }
  }

  private static func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws {
    // Opening /dev/stdout anew fails when it is a socket and rewinds it when it is a file.
    if path == "/dev/stdout" { return try write(bytes, to: STDOUT_FILENO) }
    if path.hasPrefix("/dev/fd/"), let descriptor = Int32(path.dropFirst(8)) {
      return try write(bytes, to: descriptor)
    }
    var status = stat()
    let exists = stat(path, &status) == 0
    if !exists && errno != ENOENT { throw SystemFailure() }
    if exists {
      let type = status.st_mode & S_IFMT
      if type == S_IFDIR || path.hasSuffix("/") { throw SystemFailure(EISDIR) }
      if type != S_IFREG || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/") {
        return try writeThrough(bytes, to: path)
      }
      if !overwrite { throw SystemFailure(EEXIST) }
    }
    let target = exists ? try resolved(path) : path
    let temporary = temporaryPath(beside: target)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SystemFailure(errno == ENOENT ? noFolder : errno) }
    do {
      try closing(descriptor) {
        if exists { fchmod(descriptor, status.st_mode & 0o777) }
        try write(bytes, to: descriptor)
      }
      try move(temporary, to: target, overwrite: overwrite)
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Puts the finished file in its place in one step.
  private static func move(_ temporary: String, to target: String, overwrite: Bool) throws {
    // A link, unlike a rename, fails where a file has appeared since we looked.
    if !overwrite {
      if link(temporary, target) == 0 {
        unlink(temporary)
        return
      }
      // Some file systems have no links; there the look beforehand has to do.
      if errno == EEXIST { throw SystemFailure() }
    }
    guard rename(temporary, target) == 0 else { throw SystemFailure() }
  }

  private static func writeThrough(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure() }
    try closing(descriptor) { try write(bytes, to: descriptor) }
  }

  /// Runs `body`, then closes: network file systems report a full disk only now.
  private static func closing(_ descriptor: Int32, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      close(descriptor)
      throw error
    }
    guard close(descriptor) == 0 || errno == EINTR else { throw SystemFailure() }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let slice = UnsafeRawBufferPointer(rebasing: rest)
        let count = systemWrite(descriptor, slice.baseAddress, slice.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          throw SystemFailure()
        }
      }
    }
  }

  /// The file that a chain of symbolic links ends in.
  private static func resolved(_ path: String) throws -> String {
    guard let real = realpath(path, nil) else { throw SystemFailure() }
    defer { free(real) }
    return String(cString: real)
  }

  /// A short name of our own, so that the longest allowed name can still be written.
  private static func temporaryPath(beside path: String) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let unique = String(UInt64.random(in: .min ... .max), radix: 36)
    return "\(folder).depth-\(unique).part"
  }
}

/// `write(2)`, under a name that the overloads above do not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
