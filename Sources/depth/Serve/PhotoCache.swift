import DepthImages
import MonocularDepth
import Synchronization

/// A photo that a page has open: both pictures at the size that the page shows.
struct OpenPhoto: Sendable {
  /// The SHA-256 of its file.
  let id: String
  let image: Image
  /// Metres, of the image's size.
  let depth: DepthMap
  let camera: PhotoCamera

  var bytes: Int { image.pixels.count + depth.values.count * MemoryLayout<Float>.stride }
}

/// The photos that were used last, as many as fit into a number of bytes.
final class PhotoCache: Sendable {
  private struct State {
    /// The one used last comes last.
    var photos: [OpenPhoto] = []
    var bytes = 0
  }

  private let maximumBytes: Int
  private let state = Mutex(State())

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  var count: Int { state.withLock { $0.photos.count } }

  /// The photo with that id, which is then the one used last; `nil` when it has had to go.
  subscript(id: String) -> OpenPhoto? {
    state.withLock { state in
      guard let index = state.photos.firstIndex(where: { $0.id == id }) else { return nil }
      let photo = state.photos.remove(at: index)
      state.photos.append(photo)
      return photo
    }
  }

  /// Keeps a photo; those that have not been used for longest go.
  func insert(_ photo: OpenPhoto) {
    state.withLock { state in
      state.photos.removeAll { old in
        if old.id == photo.id { state.bytes -= old.bytes }
        return old.id == photo.id
      }
      state.photos.append(photo)
      state.bytes += photo.bytes
      while state.bytes > maximumBytes, !state.photos.isEmpty {
        state.bytes -= state.photos.removeFirst().bytes
      }
    }
  }
}
