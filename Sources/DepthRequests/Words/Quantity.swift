/// A number and the unit behind it, as they were written: `63mm`, `1.5%` or `2`.
package struct Quantity: Sendable, Equatable {
  /// The number as it was written; finite.
  package let number: Double
  /// The unit's name as it was written; empty for a number without one.
  package let unit: String
  /// How many of the unit make one base unit.
  package let parts: Double

  /// The number in the base unit.
  ///
  /// A quotient has the digits that were written, where a product with 0.01 may have fifteen.
  package var value: Double { number / parts }

  /// Reads a number with one of the units behind it, or without a unit.
  ///
  /// - Parameters:
  ///   - text: A number as `Double(_:)` takes it, but no infinity and no NaN; then a unit, without a space between.
  ///   - units: Names of the units, each with how many of it make one base unit: `["cm": 100, "m": 1]` reads metres. If
  ///     the text ends in several of the names, the longest is its unit.
  ///   - bare: The same for a number without a unit; `nil` if it needs one.
  /// - Returns: `nil` for any other text.
  package init?(_ text: String, units: KeyValuePairs<String, Double>, bare: Double?) {
    let unit = units.filter { text.hasSuffix($0.key) }.max { $0.key.count < $1.key.count }
    guard let parts = unit?.value ?? bare,
      let number = Double(text.dropLast(unit?.key.count ?? 0)), number.isFinite
    else { return nil }
    (self.number, self.unit, self.parts) = (number, unit?.key ?? "", parts)
  }
}
