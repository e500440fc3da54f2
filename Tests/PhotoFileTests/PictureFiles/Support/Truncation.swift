/// Lengths at which a test cuts a file. A short file is cut at every length, a long file at the
/// first and last hundred and some lengths between.
func truncations(of count: Int) -> [Int] {
  guard count > 400 else { return Array(0..<count) }
  let between = stride(from: 100, to: count - 100, by: max(1, (count - 200) / 100))
  return Array(0..<100) + between + Array((count - 100)..<count)
}
