import DepthBase
import DepthImages
import DepthPipeline
import PictureFiles

/// A run's only photo, decoded by a thread of its own while the weights are loaded.
///
/// What goes wrong is kept until the photo is asked for: errors are the same, and come in the same order, as
/// without it.
final class PhotoAhead: Sendable {
  private enum State: Sendable {
    case working
    case opened(Opened)
    case failed(any Error)
    /// The photo was handed over, and its file is held no longer.
    case taken
  }

  private struct Opened: Sendable {
    let file: PhotoFile
    let image: Image?
    let time: Duration
  }

  private let state = Monitor(State.working)

  /// Bytes above which decoding waits for its turn, when it is known what else needs memory.
  private static let limit = 256e6

  /// - Returns: `nil` when the system gives no further thread.
  init?(_ photo: PhotoInput, limits: ImageLimits) {
    let started = OwnThread.start { [state] in
      var watch = Stopwatch()
      let result: State
      do {
        let file = try PhotoFile(contentsOf: photo.url, limits: limits)
        let bytes = file.decodingBytesPerPixel * Double(file.width * file.height)
        let image = bytes <= Self.limit ? try? file.image() : nil
        result = .opened(Opened(file: file, image: image, time: watch.lap()))
      } catch { result = .failed(error) }
      state.update { $0 = result }
    }
    guard started else { return nil }
  }

  /// The photo's file. Waits for it.
  ///
  /// - Throws: What `PhotoFile` throws.
  func file() throws -> PhotoFile { try opened().file }

  /// The decoded photo, and the time that reading and decoding took. Asked for once, after ``file()``.
  ///
  /// - Throws: What ``PhotoFile/image()`` throws.
  func image() throws -> (image: Image, time: Duration) {
    let opened = try opened()
    state.update { $0 = .taken }
    if let image = opened.image { return (image, opened.time) }
    // It was too large to be decoded ahead, or decoding failed and now says why.
    var watch = Stopwatch()
    let image = try opened.file.decoded()
    return (image, opened.time + watch.lap())
  }

  private func opened() throws -> Opened {
    try state.wait { state in
      switch state {
      case .working: nil
      case .opened(let opened): opened
      case .failed(let error): throw error
      case .taken: preconditionFailure("the photo was taken already")
      }
    }
  }
}
