/// Lengths to cut a file at: every length of a short file; for a long file the first and last hundred and
/// some lengths between.
func truncations(of count: Int) -> [Int] {
  guard count > 400 else { return Array(0..<count) }
  let between = stride(from: 100, to: count - 100, by: max(1, (count - 200) / 100))
  return Array(0..<100) + between + Array((count - 100)..<count)
}
