import NetworkWeights
import Synchronization

/// Identifies a weights file: the SHA-256 that a file of version 2 contains; for a file of
/// version 1 the SHA-256 of all its bytes, computed when first needed.
final class WeightsDigest: Sendable {
  private enum State: Sendable {
    case known(String)
    /// The open file: its name may lead to another one by then.
    case open(HDF5WeightArchive)
  }

  private let state: Mutex<State>

  init(_ known: String) { state = Mutex(.known(known)) }

  /// - Parameter archive: The file whose values are used. It stays open where its digest is not known.
  init(of archive: HDF5WeightArchive) {
    state = Mutex(archive.sha256.map(State.known) ?? .open(archive))
  }

  /// - Throws: `DepthError` with code `unreadable`, also when somebody has written to the file since it was opened.
  func hexadecimal() throws -> String {
    try state.withLock { state in
      switch state {
      case .known(let digest): return digest
      case .open(let archive):
        let digest = try archive.digestOfAllBytes()
        state = .known(digest)
        return digest
      }
    }
  }
}
