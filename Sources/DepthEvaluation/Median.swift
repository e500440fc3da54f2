import DepthImages

/// The median; for an even count, the mean of the two middle values.
///
/// - Precondition: there is at least one value.
func median(of values: [Double]) -> Double {
  precondition(!values.isEmpty, "no values, expected at least one")
  let upper = sortedElement(of: values, at: values.count / 2)
  guard values.count % 2 == 0 else { return upper }
  return (sortedElement(of: values, at: values.count / 2 - 1) + upper) / 2
}
