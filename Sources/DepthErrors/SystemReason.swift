import SystemEssentials

/// A lower-case message for `errno`. For common codes, the message is clearer than `strerror`'s message.
package func systemReason(_ code: Int32 = errno) -> String {
  switch code {
  case ENOENT: return "no such file or folder"
  case EISDIR: return "is a folder, expected a file"
  case ENOTDIR: return "a part of the path is not a folder"
  case EACCES, EPERM: return "permission denied"
  case EROFS: return "the file system is read-only"
  case ENOSPC: return "no space left on the device"
  case EEXIST: return "exists already"
  case ENAMETOOLONG: return "the name is too long"
  default:
    let text = unsafe String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
