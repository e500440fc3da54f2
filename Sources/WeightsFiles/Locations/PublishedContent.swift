package import DepthBase

/// The expected content of a published file, by its digest and size.
package enum PublishedContent: Sendable, Hashable {
  case sha256(String, bytes: Int)
  /// Git's blob identifier of the content, a SHA-1. The length is at most `atMost`.
  case gitBlob(String, atMost: Int)

  /// Maximum bytes of the file.
  package var limit: Int {
    switch self {
    case .sha256(_, let bytes), .gitBlob(_, let bytes): bytes
    }
  }

  /// The exact length, if known.
  package var bytes: Int? {
    if case .sha256(_, let bytes) = self { bytes } else { nil }
  }

  /// Whether the file can have this length.
  package func accepts(bytes count: Int) -> Bool {
    bytes.map { $0 == count } ?? (1...limit).contains(count)
  }

  /// The digest as hexadecimal digits.
  package var digest: String {
    switch self {
    case .sha256(let digest, _), .gitBlob(let digest, _): digest
    }
  }

  /// The name of the digest in messages.
  package var digestName: String {
    switch self {
    case .sha256: "SHA-256"
    case .gitBlob: "git SHA-1"
    }
  }

  /// Computes the digest of a file, for comparison with ``digest``.
  ///
  /// - Throws: The errors of `RandomAccessFile.bytes(_:_:)`.
  package func digest(of file: RandomAccessFile) throws -> String {
    switch self {
    case .sha256: try file.sha256()
    case .gitBlob: try file.gitBlob()
    }
  }

  /// Whether a file has this content.
  ///
  /// - Throws: The errors of ``digest(of:)``.
  package func matches(_ file: RandomAccessFile) throws -> Bool {
    try accepts(bytes: file.size) && digest(of: file) == digest
  }
}
