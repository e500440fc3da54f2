/// Two distances in metres, such as `0.5:6`.
struct DisplayRange: RequestWord {
  static let expected = "two distances in metres such as 0.5:6, the nearer one first"
  let word: String
  /// Disparities of black and white, in 1 / metres.
  let disparities: ClosedRange<Float>

  init?(word: String) {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Float($0) }
    guard parts.count == 2, let near = parts[0], let far = parts[1], near > 0, far > near,
      far.isFinite
    else { return nil }
    (self.word, disparities) = (word, 1 / far...1 / near)
  }
}
