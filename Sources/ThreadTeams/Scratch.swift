/// Calls `body` with `count` floats, all 0, which are freed afterwards.
package func withScratch<Result>(
  _ count: Int, _ body: (UnsafeMutablePointer<Float>) -> Result
) -> Result {
  let scratch = UnsafeMutablePointer<Float>.allocate(capacity: count)
  defer { scratch.deallocate() }
  scratch.initialize(repeating: 0, count: count)
  return body(scratch)
}

/// Floats per vector of the widest instruction set; a kernel may read that many beyond the end of a
/// row.
package let widestLanes = 16
