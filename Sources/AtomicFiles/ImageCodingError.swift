#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a picture or a depth file cannot be read or written.
public enum ImageCodingError: Error, Equatable, Sendable {
  /// The system does not let the file be read.
  case unreadable(file: String, reason: String)
  /// The system does not let the file be written; nothing of it is left behind.
  case unwritable(file: String, reason: String)
  /// The content is of a kind that is not read here.
  case unsupportedFormat(file: String, expected: String, found: String)
  /// The content starts as the format says and then breaks its rules, or ends too early.
  case damaged(file: String, format: String, reason: String)
  /// A side is zero.
  case noPixels(file: String, width: Int, height: Int)
  /// More pixels than ``ImageLimits`` let in.
  case tooLarge(file: String, width: Int, height: Int, limit: Int)
  /// The work needs more memory than this process may still take; both in bytes.
  case insufficientMemory(file: String, needed: Int, available: Int)
  /// A depth file does not say what its numbers mean, and the caller did not either.
  case unknownUnit(file: String, options: [String])
  /// The caller names another unit than the file itself.
  case unitMismatch(file: String, expected: String, found: String)
  /// The name to write to does not say which format is wanted.
  case unknownExtension(file: String, expected: [String], found: String)
  /// The format has no room for this picture.
  case unencodable(format: String, reason: String)
}

extension ImageCodingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let file, let reason), .unwritable(let file, let reason):
      "\(file): \(reason)"
    case .unsupportedFormat(let file, let expected, let found):
      "\(file): holds \(found), expected \(expected)"
    case .damaged(let file, let format, let reason):
      "\(file): damaged \(format): \(reason)"
    case .noPixels(let file, let width, let height):
      "\(file): is \(width)×\(height) pixels, expected at least 1×1"
    case .tooLarge(let file, let width, let height, let limit):
      "\(file): is \(width)×\(height) pixels, expected at most \(limit) in all"
    case .insufficientMemory(let file, let needed, let available):
      "\(file): needs about \(MemoryNeed.text(needed)) of memory, "
        + "\(MemoryNeed.text(available)) are available"
    case .unknownUnit(let file, let options):
      "\(file): does not say what its values mean, "
        + "name the depth unit: \(options.joined(separator: ", "))"
    case .unitMismatch(let file, let expected, let found):
      "\(file): says that its values are \(found), asked to read them as \(expected)"
    case .unknownExtension(let file, let expected, let found):
      "\(file): \(found.isEmpty ? "has no extension" : "ends in .\(found)"), "
        + "expected \(expected.joined(separator: ", "))"
    case .unencodable(let format, let reason):
      "\(format): \(reason)"
    }
  }
}

extension ImageCodingError: LocalizedError {
  public var errorDescription: String? { description }
}
