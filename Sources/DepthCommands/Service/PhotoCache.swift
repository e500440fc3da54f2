import DepthImages
import MonocularDepth
import Synchronization

/// A photo that a page has open.
struct OpenPhoto: Sendable {
  /// The photo at one size, and its depth of that size.
  typealias Sized = (image: Image, depth: DepthMap)

  /// The SHA-256 of its file and of what was said of its camera.
  let id: String
  /// The size of the photo that was sent. Requests give points and focal lengths in its pixels.
  let size: PixelSize
  /// The photo's camera.
  let camera: Camera
  /// The photo at the size that the page shows.
  let shown: Sized
  /// The photo at the size at which effects are made while a slider moves; ``shown`` if that is as small.
  let draft: Sized
  /// The expected errors of the network's own map; `nil` if the weights do not predict them.
  let errors: ErrorMap?

  /// Bytes that it keeps in memory, about.
  var bytes: Int {
    let floats = shown.depth.values.count + draft.depth.values.count + (errors?.values.count ?? 0)
    return [shown.image, draft.image].reduce(floats * MemoryLayout<Float>.stride) { sum, image in
      let metadata = image.metadata
      return sum + 1024 + image.pixels.count + (metadata.exif?.count ?? 0)
        + (metadata.iccProfile?.count ?? 0)
    }
  }
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
  ///
  /// - Returns: Whether it is kept: not if it alone takes more than there may be.
  @discardableResult
  func insert(_ photo: OpenPhoto) -> Bool {
    guard photo.bytes <= maximumBytes else { return false }
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
    return true
  }
}
