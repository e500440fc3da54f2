import DepthBase

/// Progress in steps of 1 %, for at most a hundred lines.
final class ShownProgress: Sendable {
  private let last = Monitor(-1)
  private let show: @Sendable (Double) -> Void

  init(_ show: @escaping @Sendable (Double) -> Void) { self.show = show }

  func report(_ share: Double) {
    let hundredths = Int(share * 100)
    last.update { last in
      guard hundredths > last else { return }
      last = hundredths
      // `show` is called under the lock, so that no other thread reports a larger share first.
      show(Double(hundredths) / 100)
    }
  }
}
