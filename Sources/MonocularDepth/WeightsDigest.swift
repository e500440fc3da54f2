import DepthBase
import NetworkWeights

/// Identifies a weights file: the SHA-256 that a file of version 2 contains; for a file of
/// version 1 the SHA-256 of all its bytes, computed when first needed.
final class WeightsDigest: Sendable {
  private enum State: Sendable {
    case known(String)
    /// The open file: its name may lead to another one by then.
    case open(HDF5WeightArchive)
  }

  private let state: Monitor<State>

  init(_ known: String) { state = Monitor(.known(known)) }

  /// - Parameter archive: The file whose values are used. It stays open where its digest is not known.
  init(of archive: HDF5WeightArchive) {
    state = Monitor(archive.sha256.map(State.known) ?? .open(archive))
  }

  /// - Throws: `DepthError` with code `unreadable`, also when somebody has written to the file since it was opened.
  func hexadecimal() throws -> String {
    try state.update { state in
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
