import DepthBase

/// Identifies a weights file: the SHA-256 that a file of version 2 contains; for a file of
/// version 1 the SHA-256 of all its bytes, computed when first needed.
///
/// A child of `fork` may ask for it, whatever its parent was doing: nobody hashes under the lock, and what a thread of the
/// parent has begun counts for nothing in the child.
package final class WeightsDigest: Sendable {
  typealias Hash = @Sendable () throws -> String

  private enum State: Sendable {
    case known(String)
    case open(Hash)
    /// A thread of a process hashes, which is known by its number of forks.
    case hashing(Hash, forks: Int)
  }

  private let state: Monitor<State>

  init(_ known: String) { state = Monitor(.known(known)) }

  /// - Parameter archive: The file whose values are used. It stays open where its digest is not known: its name may lead to
  ///   another one by then.
  package convenience init(of archive: any WeightsFile) {
    if let known = archive.sha256 { self.init(known) } else { self.init(archive.digestOfAllBytes) }
  }

  init(_ hash: @escaping Hash) { state = Monitor(.open(hash)) }

  /// - Parameter forks: The number of forks between the first process and this one.
  /// - Throws: `DepthError` with code `unreadable`, also when somebody has written to the file since it was opened.
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
