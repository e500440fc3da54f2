import DepthBase

/// The identifier of a weights file: the stated SHA-256, or else the SHA-256 of all bytes, computed on first use.
///
/// A child of `fork` can request the identifier at any time: no thread hashes under the lock, and the child ignores hashing
/// that its parent began.
package final class WeightsDigest: Sendable {
  typealias Hash = @Sendable () throws -> String

  private enum State: Sendable {
    case known(String)
    case open(Hash)
    /// A thread is hashing in the process with this number of forks.
    case hashing(Hash, forks: Int)
  }

  private let state: Monitor<State>

  init(_ known: String) { state = Monitor(.known(known)) }

  /// - Parameter archive: The file whose values are used. The file stays open until the digest is known, because the file
  ///   name may later refer to another file.
  package convenience init(of archive: any WeightsFile) {
    if let known = archive.sha256 { self.init(known) } else { self.init(archive.digestOfAllBytes) }
  }

  init(_ hash: @escaping Hash) { state = Monitor(.open(hash)) }

  /// - Parameter forks: Number of `fork` calls between the first process and this process.
  /// - Throws: `DepthError` with code `unreadable` for an unreadable file, and for a file modified since it was opened.
  package func hexadecimal(forks: Int = HelperThreads.forks) throws -> String {
    enum Step {
      case done(String)
      case hash(Hash)
    }
    let step: Step = state.wait { state in
      switch state {
      case .known(let digest): return .done(digest)
      case .hashing(_, forks): return nil
      case .open(let hash), .hashing(let hash, _):
        state = .hashing(hash, forks: forks)
        return .hash(hash)
      }
    }
    switch step {
    case .done(let digest): return digest
    case .hash(let hash):
      do {
        let digest = try hash()
        state.update { $0 = .known(digest) }
        return digest
      } catch {
        state.update { $0 = .open(hash) }
        throw error
      }
    }
  }
}
