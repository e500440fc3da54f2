import AtomicFiles
import NetworkWeights
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// SHA-256 of a weights file, computed when somebody first asks for it.
final class WeightsDigest: Sendable {
  private let file: URL
  private let digest = Mutex<String?>(nil)

  init(of file: URL) { self.file = file }

  /// - Throws: ``ImageCodingError/unreadable(file:reason:)``.
  func hexadecimal() throws -> String {
    try digest.withLock { digest in
      if let digest { return digest }
      let value = try Self.hexadecimal(of: file)
      digest = value
      return value
    }
  }

  static func hexadecimal(of file: URL) throws -> String {
    var digest = SHA256()
    try InputFile.forEachPiece(of: file) { digest.update($0) }
    return digest.hexadecimal
  }
}
