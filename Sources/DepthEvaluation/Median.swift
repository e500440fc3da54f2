import DepthImages

/// The median. For an even number of values, this is the mean of the two middle values.
///
/// - Precondition: There is at least one value.
func median(of values: [Double]) -> Double {
  precondition(!values.isEmpty, "no values, expected at least one")
  let upper = sortedElement(of: values, at: values.count / 2)
  guard values.count % 2 == 0 else { return upper }
  return (sortedElement(of: values, at: values.count / 2 - 1) + upper) / 2
}
