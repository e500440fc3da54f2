import DepthImages

/// A focal length: `26mm`, `525px`, `exif` or `none`.
struct FocalLengthWord: RequestWord {
  static let expected = "26mm, 525px, exif or none"
  let word: String
  /// `nil` if depth is not corrected for the focal length.
  let length: Camera.FocalLength?

  static func expectation(for word: String) -> String {
    guard let number = Double(word), number > 0, number.isFinite else {
      return "expected \(expected)"
    }
    return
      "expected \(expected); write \(word)mm for a lens (35 mm equivalent), or \(word)px for pixels of the photo"
  }

  init?(word: String) {
    self.word = word
    switch word {
    case "exif": length = .photo
    case "none": length = nil
    default:
      guard let number = Quantity(word, units: ["px": 1, "mm": 1], bare: nil), number.number > 0
      else { return nil }
      length = number.unit == "px" ? .pixels(number.number) : .equivalent35mm(number.number)
    }
  }
}
