/// The element at `index` of the sorted `values`, found without sorting.
///
/// - Precondition: `index` lies inside `values`.
/// - Complexity: linear on average.
///
/// > Source: C. A. R. Hoare. “Algorithm 65: Find.” Communications of the ACM 4(7), 1961.
@inlinable
package func sortedElement<Value: Comparable>(of values: [Value], at index: Int) -> Value {
  precondition(values.indices.contains(index), "index \(index) of \(values.count) values")
  var values = values
  var (low, high) = (0, values.count - 1)
  while low < high {
    let pivot = values[(low + high) / 2]
    var (i, j) = (low, high)
    while i <= j {
      while values[i] < pivot { i += 1 }
      while values[j] > pivot { j -= 1 }
      guard i <= j else { break }
      values.swapAt(i, j)
      (i, j) = (i + 1, j - 1)
    }
    // Elements up to j are at most the pivot; elements from i are at least the pivot.
    if index <= j { high = j } else if index >= i { low = i } else { break }
  }
  return values[index]
}
