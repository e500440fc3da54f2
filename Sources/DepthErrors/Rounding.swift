extension BinaryFloatingPoint {
  /// The number rounded to this many decimal places, for messages and records.
  package func rounded(toDigits digits: Int) -> Self {
    let unit = (0..<digits).reduce(1 as Self) { power, _ in power * 10 }
    return (self * unit).rounded() / unit
  }
}
