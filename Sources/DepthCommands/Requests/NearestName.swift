/// The name that a misspelt one probably means: two characters differ at most. Of names that are equally near, the
/// first.
func nearestName(to word: String, among names: [String]) -> String? {
  let length = word.count
  let near = names.filter { abs($0.count - length) <= 2 }.map { ($0, editDistance(word, $0)) }
  guard let (name, distance) = near.min(by: { $0.1 < $1.1 }), distance <= min(2, length) else {
    return nil
  }
  return name
}

/// Characters to change, add or leave out until one word is the other.
///
/// > Source: V. I. Levenshtein. “Binary codes capable of correcting deletions, insertions, and reversals.” 1966.
func editDistance(_ a: String, _ b: String) -> Int {
  let b = Array(b)
  var row = Array(0...b.count)
  for (i, x) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, y) in b.enumerated() {
      let substituted = diagonal + (x == y ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[b.count]
}
