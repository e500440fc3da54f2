import DepthBase

/// Progress in steps of hundredths, so that it is a hundred lines at most.
final class ShownProgress: Sendable {
  private let last = Monitor(-1)
  private let show: @Sendable (Double) -> Void

  init(_ show: @escaping @Sendable (Double) -> Void) { self.show = show }

  func report(_ share: Double) {
    let hundredths = Int(share * 100)
    last.update { last in
      guard hundredths > last else { return }
      last = hundredths
      // Here, so that another thread's later share is not told before.
      show(Double(hundredths) / 100)
    }
  }
}
