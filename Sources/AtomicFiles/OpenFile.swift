import SystemEssentials

/// A file that this process has open.
package enum OpenFile {
  /// Whether a path, however it is spelt, leads to the file, pipe or device behind a descriptor.
  package static func isNamed(_ path: String, descriptor: Int32) -> Bool {
    var named = stat()
    var open = stat()
    guard unsafe stat(path, &named) == 0, unsafe fstat(descriptor, &open) == 0 else { return false }
    return named.st_dev == open.st_dev && named.st_ino == open.st_ino
  }

  /// As ``isNamed(_:descriptor:)``, but never for devices: `/dev/null` gives and takes the bytes of anybody.
  package static func isNamedButNoDevice(_ path: String, descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFCHR
      && isNamed(path, descriptor: descriptor)
  }
}
