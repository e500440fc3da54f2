/// A share of the disparity range, or `auto`.
struct Convergence: RequestWord {
  static let expected = "0 to 1, or auto"
  let word: String
  /// `nil` for the depth of the picture's center.
  let share: Double?

  init?(word: String) {
    if word == "auto" {
      share = nil
    } else if let number = Double(word), (0...1).contains(number) {
      share = number
    } else {
      return nil
    }
    self.word = word
  }
}
