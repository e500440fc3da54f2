import AtomicFiles
import NetworkWeights
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Identifies a weights file: the SHA-256 that a file of version 2 contains; for a file of
/// version 1 the SHA-256 of all its bytes, computed when first needed.
final class WeightsDigest: Sendable {
  private let file: URL?
  private let digest: Mutex<String?>

  /// - Parameter known: The digest that the file contains, if it does.
  init(of file: URL, known: String?) {
    self.file = file
    digest = Mutex(known)
  }

  /// The digest of a file in memory.
  ///
  /// - Parameter known: The digest that the file contains, if it does.
  init(of data: Data, known: String?) {
    file = nil
    guard known == nil else {
      digest = Mutex(known)
      return
    }
    var whole = SHA256()
    whole.update(Array(data))
    digest = Mutex(whole.hexadecimal)
  }

  /// - Throws: `DepthError` with code `unreadable`.
  func hexadecimal() throws -> String {
    try digest.withLock { digest in
      if let digest { return digest }
      var whole = SHA256()
      if let file { try InputFile.forEachPiece(of: file) { whole.update($0) } }
      digest = whole.hexadecimal
      return whole.hexadecimal
    }
  }
}
