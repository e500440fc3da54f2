package import DepthImages
package import MonocularDepth
import Synchronization

/// A photo and its depth at one size.
package struct SizedPhoto: Sendable {
  package let image: Image
  /// Metres, of the image's size.
  package let depth: DepthMap

  /// What it keeps in memory, about.
  package var bytes: Int {
    let metadata = image.metadata
    return 1024 + image.pixels.count + depth.values.count * MemoryLayout<Float>.stride
      + (metadata.exif?.count ?? 0) + (metadata.iccProfile?.count ?? 0)
  }
}

/// A photo that a page has open.
package struct OpenPhoto: Sendable {
  /// The SHA-256 of its file and of what was said of its camera.
  package let id: String
  /// The size of the photo that was sent. Requests give points and focal lengths in its pixels.
  package let size: PixelSize
  /// The photo at the size that the page shows.
  package let shown: SizedPhoto
  /// The photo at the size at which effects are made while a slider moves; ``shown`` if that is as small.
  package let draft: SizedPhoto
  /// The expected errors of the network's own map; `nil` if the weights do not predict them.
  package let errors: ErrorMap?

  package var bytes: Int {
    shown.bytes + draft.bytes + (errors?.values.count ?? 0) * MemoryLayout<Float>.stride
  }
}

/// The photos that were used last, as many as fit into a number of bytes.
package final class PhotoCache: Sendable {
  private struct State {
    /// The one used last comes last.
    var photos: [OpenPhoto] = []
    var bytes = 0
  }

  private let maximumBytes: Int
  private let state = Mutex(State())

  package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  package var count: Int { state.withLock { $0.photos.count } }

  /// The photo with that id, which is then the one used last; `nil` when it has had to go.
  package subscript(id: String) -> OpenPhoto? {
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
  package func insert(_ photo: OpenPhoto) -> Bool {
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
