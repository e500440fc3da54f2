extension Double {
  /// The number with so many digits behind the point.
  func fixed(_ digits: Int) -> String {
    guard isFinite, abs(self) < 1e12 else { return "\(self)" }
    let unit = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    let rounded = Int((abs(self) * unit).rounded())
    let text = String(rounded)
    let padded = String(repeating: "0", count: max(digits + 1 - text.count, 0)) + text
    let sign = self < 0 && rounded > 0 ? "-" : ""
    guard digits > 0 else { return sign + padded }
    return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
  }
}
