/// A time in a film, such as `90`, `90s`, `1:30` or `0:01:30.5`.
package struct FilmTime: Sendable {
  package let seconds: Double

  /// - Returns: `nil` for any other text, and for a million seconds or more.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (place, part) in parts.enumerated() {
      // A time with minutes has no unit.
      let number = parts.count == 1 && part.hasSuffix("s") ? part.dropLast() : part
      guard let value = Double(number), value.isFinite, value >= 0, place == 0 || value < 60
      else { return nil }
      seconds = seconds * 60 + value
    }
    guard seconds < 1_000_000 else { return nil }
    self.seconds = seconds
  }
}

extension Int {
  /// A rounded time from a film or ffmpeg; `nil` beyond 32 years, so that sums of such times cannot overflow.
  package init?(filmMicroseconds value: Double) {
    guard abs(value) < 1e15 else { return nil }
    self = Int(value.rounded())
  }
}
