/// Lengths to cut a file at: all of a short one; of a long one the first and last hundred bytes and
/// some between.
func truncations(of count: Int) -> [Int] {
  guard count > 400 else { return Array(0..<count) }
  let between = stride(from: 100, to: count - 100, by: max(1, (count - 200) / 100))
  return Array(0..<100) + between + Array((count - 100)..<count)
}
