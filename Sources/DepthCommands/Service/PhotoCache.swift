import DepthImages
import MonocularDepth
import Synchronization

/// A photo that is open in a page.
struct OpenPhoto: Sendable {
  /// The photo at one size, and its depth at the same size.
  typealias Sized = (image: Image, depth: DepthMap)

  /// The SHA-256 of the file and of the camera's parameters.
  let id: String
  /// The size of the sent photo, to which points and focal lengths of requests refer.
  let size: PixelSize
  let camera: Camera
  /// The photo at the size shown on the page.
  let shown: Sized
  /// The photo at the size of effects while a slider moves; equal to ``shown`` if ``shown`` is
  /// small enough.
  let draft: Sized
  /// The expected errors of the network's own map; `nil` if the weights do not predict errors.
  let errors: ErrorMap?

  /// Approximate memory in bytes.
  var bytes: Int {
    let floats = shown.depth.values.count + draft.depth.values.count + (errors?.values.count ?? 0)
    return [shown.image, draft.image].reduce(floats * MemoryLayout<Float>.stride) { sum, image in
      let metadata = image.metadata
      return sum + 1024 + image.pixels.count + (metadata.exif?.count ?? 0)
        + (metadata.iccProfile?.count ?? 0)
    }
  }
}

/// A least-recently-used cache of photos with a limit in bytes.
final class PhotoCache: Sendable {
  private struct State {
    /// Photos in the order of their last use.
    var photos: [OpenPhoto] = []
    var bytes = 0
  }

  private let maximumBytes: Int
  private let state = Mutex(State())

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  var count: Int { state.withLock { $0.photos.count } }

  /// The photo with this id, which becomes the most recently used photo; `nil` if it was evicted.
  subscript(id: String) -> OpenPhoto? {
    state.withLock { state in
      guard let index = state.photos.firstIndex(where: { $0.id == id }) else { return nil }
      let photo = state.photos.remove(at: index)
      state.photos.append(photo)
      return photo
    }
  }

  /// Stores a photo, and evicts the least recently used photos.
  ///
  /// - Returns: Whether the photo is stored; `false` if the photo alone exceeds the limit.
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
