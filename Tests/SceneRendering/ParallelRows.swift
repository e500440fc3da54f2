import DepthBase

/// Computes `rows` arrays in parallel and returns them joined, in order.
func parallelRows<Element: Sendable>(
  _ rows: Int, threads: Int, _ row: @Sendable (Int) -> [Element]
) -> [Element] {
  Array(parallelMap(rows, threads: threads, row).joined())
}
