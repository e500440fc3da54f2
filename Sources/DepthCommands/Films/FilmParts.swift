import DepthBase
import SystemEssentials

/// The parts of a film that cannot be resumed. A signal that ends the program also removes these parts.
final class FilmParts: Sendable {
  private struct State {
    var folder: FilmFolder?
    var isEnding = false
  }

  private let state = Monitor(State())

  var folder: FilmFolder? {
    get { state.read { $0.folder } }
    set { state.update { $0.folder = newValue } }
  }

  /// Removes the parts repeatedly, since ffmpeg may be creating another part.
  @Sendable func remove() {
    let folder = state.update { state in
      state.isEnding = true
      return state.folder
    }
    guard let folder else { return }
    for _ in 0..<100 where FolderListing.Identity(of: folder.url) != nil {
      folder.remove()
      usleep(10_000)
    }
  }

  /// After a signal, waits until the program ends. Failures due to the removed parts are then not reported.
  func awaitEnd() {
    while state.read({ $0.isEnding }) { sleep(1) }
  }
}
