import DepthEffects

/// A focus: `0.75`, `1.8m`, `180cm`, `900mm`, `nearest` or `subject`.
struct FocusWord: RequestWord {
  static let expected = "a share such as 0.75, a distance such as 1.8m, nearest, or subject"
  let word: String
  let value: DepthFocus

  init?(word: String) {
    self.word = word
    if word == "nearest" {
      value = .nearest
    } else if word == "subject" {
      value = .subject
    } else if let share = Double(word) {
      guard share.isFinite else { return nil }
      value = .normalized(share)
    } else {
      guard let length = Length(word: word) else { return nil }
      value = .metres(length.metres)
    }
  }
}

/// A bound of a range or the width of its edges: `2m`, `80cm`, or a share such as `0.4`.
struct BoundWord: RequestWord {
  static let expected = "a distance such as 2m or 80cm, or a share from 0 to 1"
  let word: String
  /// Metres, or a share.
  let value: Double
  let isShare: Bool

  init?(word: String) {
    guard let bound = Quantity(word, units: ["mm": 1000, "cm": 100, "m": 1], bare: 1),
      bound.value >= 0
    else { return nil }
    (self.word, value) = (word, bound.value)
    isShare = bound.unit.isEmpty
  }
}

/// A pixel's column and row, such as `320,240`.
struct PixelWord: RequestWord {
  static let expected = "column and row of a pixel, such as 320,240"
  let word: String
  let value: DepthFocus

  init?(word: String) {
    let parts = word.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1], x >= 0, y >= 0 else { return nil }
    (self.word, value) = (word, .point(x: x, y: y))
  }
}
