import DepthBase
import SystemEssentials

/// The parts of the film in the making that nobody can go on with, for the signals that end the program.
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

  /// Removes them, while ffmpeg may be making one more.
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

  /// Waits for the program's end where a signal has come: what fails then fails because the parts are gone.
  func awaitEnd() {
    while state.read({ $0.isEnding }) { sleep(1) }
  }
}
