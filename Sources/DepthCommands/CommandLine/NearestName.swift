/// The name that a misspelt or shortened word probably means; `nil` if no name is near.
///
/// The result is the shortest name that begins with the word, or otherwise the first name at the smallest edit distance.
/// This distance is at most a third of the word's length, and at most two.
func nearestName(to word: String, among names: [String]) -> String? {
  let length = word.count
  if length > 1, let longer = names.filter({ $0.hasPrefix(word) }).min(by: { $0.count < $1.count })
  {
    return longer
  }
  let limit = min(2, max(1, length / 3))
  let near = names.filter { abs($0.count - length) <= limit }.map { ($0, editDistance(word, $0)) }
  guard let (name, distance) = near.min(by: { $0.1 < $1.1 }), distance <= min(limit, length - 1)
  else { return nil }
  return name
}

/// Number of characters to change, insert or delete to turn one word into the other.
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
