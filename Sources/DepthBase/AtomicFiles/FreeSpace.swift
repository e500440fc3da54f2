package import SystemEssentials

/// The free space of a file system.
package enum FreeSpace {
  /// Bytes that this user can still write below a folder; `nil` if unknown.
  package static func bytes(in folder: URL) -> Int? {
    let path = folder.path(percentEncoded: false)
    var status = statvfs()
    guard unsafe statvfs((path.isEmpty ? "." : path).systemPath, &status) == 0 else { return nil }
    let (bytes, overflows) = Int(status.f_bavail).multipliedReportingOverflow(
      by: Int(status.f_frsize))
    return overflows ? .max : bytes
  }
}
