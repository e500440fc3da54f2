import SystemEssentials

/// A file that this process has open.
package enum OpenFile {
  /// Whether a path, however it is spelt, leads to the file, pipe or device behind a descriptor.
  ///
  /// - Parameter countsDevices: Whether a device may: `/dev/null` gives and takes the bytes of anybody.
  package static func isNamed(
    _ path: String, descriptor: Int32, countsDevices: Bool = true
  ) -> Bool {
    var (named, open) = (stat(), stat())
    guard unsafe stat(path, &named) == 0, unsafe fstat(descriptor, &open) == 0 else { return false }
    return named.st_dev == open.st_dev && named.st_ino == open.st_ino
      && (countsDevices || open.st_mode & S_IFMT != S_IFCHR)
  }
}
