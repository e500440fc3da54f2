/// The median of positive finite numbers, the mean of the two middle ones where their count is even.
///
/// The bits of positive floats are ordered as the floats: one pass counts them by their upper quarter,
/// and only the few that share the middle's are sorted.
///
/// - Precondition: there is at least one, and all are positive.
func median(of values: [Double]) -> Double {
  precondition(!values.isEmpty, "no values, expected at least one")
  var counts = [Int](repeating: 0, count: 1 << 16)
  for value in values { counts[Int(value.bitPattern >> 48)] += 1 }

  func element(_ rank: Int) -> Double {
    var (bin, below) = (0, 0)
    while below + counts[bin] <= rank {
      below += counts[bin]
      bin += 1
    }
    let members = values.filter { Int($0.bitPattern >> 48) == bin }.sorted()
    return members[rank - below]
  }
  let upper = element(values.count / 2)
  return values.count % 2 == 1 ? upper : (element(values.count / 2 - 1) + upper) / 2
}
