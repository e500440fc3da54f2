import Synchronization

/// The time of the last encoded picture.
final class LastPictureTime: Sendable {
  private let state = Mutex<Int?>(nil)

  /// `nil` before the first picture.
  var microseconds: Int? {
    get { state.withLock(\.self) }
    set { state.withLock { $0 = newValue } }
  }
}
