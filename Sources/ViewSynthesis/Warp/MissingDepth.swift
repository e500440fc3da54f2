import DepthBase
package import DepthImages

/// Fills every pixel without a value with the farther of the nearest neighbors in the row, because parts that
/// a camera cannot measure are usually behind an edge. A row without values is copied from the nearest row
/// with a value.
///
/// - Parameters:
///   - values: `height · width` depths.
///   - unit: The unit of the values. It determines which values are missing, and which of two values is
///     farther.
/// - Precondition: at least one pixel has a value.
package func fillingMissingDepth(
  _ values: [Float], height: Int, width: Int, unit: DepthMap.Unit, threads: Int
) -> [Float] {
  precondition(values.count == height * width, "\(values.count) values for \(width)×\(height)")
  let valid = unit.valuesWithDepth
  var rowHasValue = [Bool](repeating: false, count: height)
  for y in 0..<height {
    rowHasValue[y] = values[y * width..<(y + 1) * width].contains(where: valid.contains)
  }
  precondition(rowHasValue.contains(true), "no pixel of the \(width)×\(height) map has a value")
  let donors = (0..<height).map { y -> Int in
    for distance in 0..<height {
      if y >= distance, rowHasValue[y - distance] { return y - distance }
      if y + distance < height, rowHasValue[y + distance] { return y + distance }
    }
    return y
  }
  return filledRows(height: height, width: width, grain: 16, threads: threads) { rows, filled in
    filled.forEachRow(rows, width: width) { y, filled in
      let values = values.span.extracting(donors[y] * width..<(donors[y] + 1) * width)
      var last: Float?
      var x = 0
      while x < width {
        let value = values[x]
        if valid.contains(value) {
          filled[x] = value
          last = value
          x += 1
          continue
        }
        var end = x
        while end < width, !valid.contains(values[end]) { end += 1 }
        let next = end < width ? values[end] : nil
        let fill: Float =
          switch (last, next) {
          case (let last?, let next?): unit.isLargerNearer ? min(last, next) : max(last, next)
          case (let only?, nil), (nil, let only?): only
          case (nil, nil): 0  // unreachable: the donor row has a value
          }
        for hole in x..<end { filled[hole] = fill }
        x = end
      }
    }
  }
}
