/// A ratio as YUV4MPEG2 writes it: `30000:1001` frames per second, `16:11` for the sides of a pixel.
package struct Ratio: Sendable, Hashable, CustomStringConvertible {
  package let numerator, denominator: Int

  /// The largest number that is read and written, 2³¹.
  private static let largest = 1 << 31

  /// - Precondition: neither number is negative.
  package init(_ numerator: Int, _ denominator: Int) {
    precondition(numerator >= 0 && denominator >= 0)
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  /// Reads `30000:1001`, `30000/1001` or `30`.
  ///
  /// - Returns: `nil` for anything else, and for numbers above ``largest``.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "/" }
      .map { Int($0) }
    guard (1...2).contains(parts.count), let numerator = parts[0],
      let denominator = parts.count == 2 ? parts[1] : 1, (0...Self.largest).contains(numerator),
      (0...Self.largest).contains(denominator)
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

  /// The product in lowest terms; `0:0`, which is unknown, if that needs numbers above ``largest``.
  package func times(_ other: Ratio) -> Ratio {
    let (a, b) = (reduced, other.reduced)
    let first = Ratio(a.numerator, b.denominator).reduced
    let second = Ratio(b.numerator, a.denominator).reduced
    let above = first.numerator.multipliedReportingOverflow(by: second.numerator)
    let below = first.denominator.multipliedReportingOverflow(by: second.denominator)
    guard !above.overflow, !below.overflow, above.partialValue <= Self.largest,
      below.partialValue <= Self.largest
    else { return Ratio(0, 0) }
    return Ratio(above.partialValue, below.partialValue)
  }

  package var description: String { "\(numerator):\(denominator)" }
}
