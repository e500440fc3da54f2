/// A number with `digits` digits after the decimal point.
func fixed(_ value: Double, _ digits: Int) -> String {
  guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
  var scale = 1
  for _ in 0..<digits { scale *= 10 }
  let scaled = Int((abs(value) * Double(scale)).rounded())
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard digits > 0 else { return sign + "\(scaled)" }
  let (whole, rest) = scaled.quotientAndRemainder(dividingBy: scale)
  return sign + "\(whole)." + padded("\(rest)", -digits, with: "0")
}

/// Text padded to `width` columns, left-aligned; right-aligned to −`width` columns for a negative
/// width.
func padded(_ text: String, _ width: Int, with fill: Character = " ") -> String {
  let missing = String(repeating: fill, count: max(abs(width) - text.count, 0))
  return width < 0 ? missing + text : text + missing
}
