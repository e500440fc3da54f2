import DepthBase
import SystemEssentials

/// The parts of an unfinished film that cannot be resumed, for removal when a signal ends the program.
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

  /// Removes the parts repeatedly, since ffmpeg may be creating another one.
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

  /// After a signal, waits for the program's end, since failures are then due to the removed parts.
  func awaitEnd() {
    while state.read({ $0.isEnding }) { sleep(1) }
  }
}
