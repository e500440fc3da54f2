/// Calls `body` with `count` floats, all 0, which are freed afterwards.
///
/// - Precondition: `count` is not negative.
package func withScratch<Result>(
  _ count: Int, _ body: (inout MutableSpan<Float>) -> Result
) -> Result {
  var scratch = [Float](repeating: 0, count: count)
  var span = scratch.mutableSpan
  return body(&span)
}

/// Floats per vector of the widest instruction set; a kernel may read that many beyond the end of a
/// row.
package let widestLanes = 16
