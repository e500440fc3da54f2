/// A ratio as YUV4MPEG2 writes it: `30000:1001` frames per second, `16:11` for the sides of a pixel.
package struct Ratio: Sendable, Hashable, CustomStringConvertible {
  package let numerator, denominator: Int

  /// - Precondition: neither number is negative.
  package init(_ numerator: Int, _ denominator: Int) {
    precondition(numerator >= 0 && denominator >= 0)
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  /// Reads `30000:1001`, `30000/1001` or `30`.
  ///
  /// - Returns: `nil` for anything else, and for numbers above 2³¹.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "/" }
      .map { Int($0) }
    guard (1...2).contains(parts.count), let numerator = parts[0],
      let denominator = parts.count == 2 ? parts[1] : 1, (0...1 << 31).contains(numerator),
      (0...1 << 31).contains(denominator)
    else { return nil }
    self.init(numerator, denominator)
  }

  /// `nil` for `0:0`, which means in this format that the number is not known.
  package var value: Double? {
    numerator > 0 && denominator > 0 ? Double(numerator) / Double(denominator) : nil
  }

  /// The same ratio in lowest terms.
  package var reduced: Ratio {
    var (a, b) = (numerator, denominator)
    while b > 0 { (a, b) = (b, a % b) }
    return a > 0 ? Ratio(numerator / a, denominator / a) : self
  }

  package var description: String { "\(numerator):\(denominator)" }
}
