import ArgumentParser

extension ParsableArguments {
  /// Refuses the value of an option outside its range.
  ///
  /// - Parameters:
  ///   - option: Its name.
  ///   - value: `nil` where it was not given.
  ///   - unit: What follows the range in the message.
  /// - Throws: A validation error; NaN lies in no range.
  func check<Value: Comparable>(
    _ option: String, _ value: Value?, in range: ClosedRange<Value>, unit: String = ""
  ) throws {
    guard let value, !range.contains(value) else { return }
    func text(_ bound: Value) -> String {
      let text = "\(bound)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    throw ValidationError(
      "\(option) is \(value), expected \(text(range.lowerBound)) to \(text(range.upperBound))"
        + (unit.isEmpty ? "" : " \(unit)"))
  }
}
