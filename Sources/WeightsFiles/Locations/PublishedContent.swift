package import DepthBase

/// The bytes of a published file, as far as they are known without it.
package enum PublishedContent: Sendable, Hashable {
  case sha256(String, bytes: Int)
  /// The name that git gives to the content, a SHA-1; the length is no more than `atMost`.
  case gitBlob(String, atMost: Int)

  /// The most bytes that the file may have.
  package var limit: Int {
    switch self {
    case .sha256(_, let bytes), .gitBlob(_, let bytes): bytes
    }
  }

  /// The length, where it is known.
  package var bytes: Int? {
    if case .sha256(_, let bytes) = self { bytes } else { nil }
  }

  /// Whether the file may have this length.
  package func accepts(bytes count: Int) -> Bool {
    bytes.map { $0 == count } ?? (1...limit).contains(count)
  }

  /// Hexadecimal digits.
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

  /// The digest of a file, to be compared with ``digest``.
  ///
  /// - Throws: `DepthError`, as `RandomAccessFile.bytes(_:_:)`.
  package func digest(of file: RandomAccessFile) throws -> String {
    switch self {
    case .sha256: try file.sha256()
    case .gitBlob: try file.gitBlob()
    }
  }

  /// Whether a file has this content.
  ///
  /// - Throws: As ``digest(of:)``.
  package func matches(_ file: RandomAccessFile) throws -> Bool {
    try accepts(bytes: file.size) && digest(of: file) == digest
  }
}
