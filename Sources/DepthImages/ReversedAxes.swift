import DepthBase

/// Reverses the order of three axes: `planes × rows × columns` → `columns × rows × planes`.
///
/// - Precondition: there are `planes · rows · columns` values.
package func axesReversed<Element: Numeric & BitwiseCopyable>(
  _ values: [Element], planes: Int, rows: Int, columns: Int
) -> [Element] {
  precondition(
    values.count == planes * rows * columns,
    "\(values.count) values, expected \(planes)×\(rows)×\(columns)")
  // Square blocks stay in the first-level cache, which matters because one side is read with a stride.
  let side = 32
  return filledArray(count: values.count) { out in
    let x = values.span
    for top in stride(from: 0, to: columns, by: side) {
      for left in stride(from: 0, to: rows, by: side) {
        for plane in 0..<planes {
          for row in left..<min(left + side, rows) {
            let start = (plane * rows + row) * columns
            let line = x.extracting(start..<start + columns)
            for column in top..<min(top + side, columns) {
              out[(column &* rows &+ row) &* planes &+ plane] = line[column]
            }
          }
        }
      }
    }
  }
}
