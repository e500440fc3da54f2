/// Counts frames, and how old each was when its depth was written.
package struct StreamMeter: Sendable {
  /// Ages are kept of so many frames at most, the newest.
  private static let kept = 4096

  private let start: ContinuousClock.Instant
  private var ages: [Double] = []
  package private(set) var frames = 0
  /// Frames that did not decode.
  package private(set) var damaged = 0

  package init(start: ContinuousClock.Instant) { self.start = start }

  /// - Parameters:
  ///   - arrival: When the frame's last byte was read.
  ///   - now: When its depth was written.
  package mutating func count(arrival: ContinuousClock.Instant, now: ContinuousClock.Instant) {
    let age = (now - arrival) / .milliseconds(1)
    if ages.count < Self.kept { ages.append(age) } else { ages[frames % Self.kept] = age }
    frames += 1
  }

  /// Counts a frame that did not decode.
  package mutating func countDamaged() { damaged += 1 }

  /// The age that a share of the frames did not exceed, milliseconds; `nil` before the first frame.
  package func age(share: Double) -> Double? {
    guard !ages.isEmpty else { return nil }
    // Nearest rank.
    let rank = Int((share * Double(ages.count)).rounded(.up))
    return ages.sorted()[max(rank, 1) - 1]
  }

  /// One line for people: `300 frames in 12.0 s, 25.0 per second, 0 dropped, age p50 52 ms, p95 70 ms`.
  ///
  /// - Parameter damaged: Frames that the reader stepped over.
  package func summary(
    dropped: Int, damaged: Int = 0, now: ContinuousClock.Instant
  ) -> String {
    var text = "\(Self.speed(frames: frames, time: now - start)), \(dropped) dropped"
    let damaged = damaged + self.damaged
    if damaged > 0 { text += ", \(damaged) damaged" }
    if let middle = age(share: 0.5), let high = age(share: 0.95) {
      text += ", age p50 \(Self.tenths(middle)) ms, p95 \(Self.tenths(high)) ms"
    }
    return text
  }

  /// `300 frames in 12.0 s, 25.0 per second`.
  package static func speed(frames: Int, time: Duration) -> String {
    let seconds = time / .seconds(1)
    let rate = seconds > 0 ? Double(frames) / seconds : 0
    return "\(frames) frame\(frames == 1 ? "" : "s") in \(tenths(seconds)) s, "
      + "\(tenths(rate)) per second"
  }

  package static func tenths(_ x: Double) -> String { "\((x * 10).rounded() / 10)" }
}
