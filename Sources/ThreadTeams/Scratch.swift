/// Lends `count` floats, all 0, that live as long as `body`.
package func withScratch<Result>(
  _ count: Int, _ body: (UnsafeMutablePointer<Float>) -> Result
) -> Result {
  let scratch = UnsafeMutablePointer<Float>.allocate(capacity: count)
  defer { scratch.deallocate() }
  scratch.initialize(repeating: 0, count: count)
  return body(scratch)
}

/// Lanes of the widest instruction set: what a kernel may read beyond the end of a row.
package let widestLanes = 16
