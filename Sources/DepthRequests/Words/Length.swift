/// `63mm`, `6.3cm`, `2.5m` or metres without a unit; above 0.
package struct Length: RequestWord {
  package static let expected = "a length such as 63mm, 6.3cm or 2.5m"
  package let word: String
  package let metres: Double

  package init?(word: String) {
    guard let length = Quantity(word, units: ["mm": 1000, "cm": 100, "m": 1], bare: 1),
      length.value > 0
    else { return nil }
    (self.word, metres) = (word, length.value)
  }
}

/// `1%` or `0.01`.
package struct Share: RequestWord {
  package static let expected = "a share such as 1% or 0.01"
  package let word: String
  package let value: Double

  package init?(word: String) {
    guard let share = Quantity(word, units: ["%": 100], bare: 1) else { return nil }
    (self.word, value) = (word, share.value)
  }
}

/// `f/1.8` or `1.8`.
package struct FNumber: RequestWord {
  package static let expected = "an aperture from f/0.1 to f/100"
  package let word: String
  package let value: Double

  package init?(word: String) {
    let number = word.hasPrefix("f/") ? String(word.dropFirst(2)) : word
    guard let value = Double(number), (0.1...100).contains(value) else { return nil }
    (self.word, self.value) = (word, value)
  }
}
