/// A picture made smaller (or larger) by averaging, for every target pixel, the light of the area of the
/// source that it covers: fine stripes of black and white become the gray that an eye sees from afar.
///
/// ``areaAveraged(_:height:width:isa:threads:)`` averages coded values, as networks were trained with, and
/// interpolates where an axis grows.
package func resizedByArea(
  _ pixels: [UInt8], height: Int, width: Int, toHeight: Int, toWidth: Int, threads: Int
) -> [UInt8] {
  precondition(pixels.count == height * width * 3 && toHeight > 0 && toWidth > 0)
  if height == toHeight && width == toWidth { return pixels }
  let rows = AreaSpan.spans(of: toHeight, over: height)
  let columns = AreaSpan.spans(of: toWidth, over: width)
  let linear = SRGB.linear
  return picture(height: toHeight, width: toWidth, threads: threads) { y, out in
    let (row, pixels) = (rows[y], pixels.span)
    for x in 0..<toWidth {
      let column = columns[x]
      var (red, green, blue) = (Float(0), Float(0), Float(0))
      for sourceY in row.first...row.last {
        let down = row.weight(sourceY)
        for sourceX in column.first...column.last {
          let weight = down * column.weight(sourceX)
          let at = (sourceY * width + sourceX) * 3
          red += weight * linear[Int(pixels[at])]
          green += weight * linear[Int(pixels[at + 1])]
          blue += weight * linear[Int(pixels[at + 2])]
        }
      }
      out[x * 3] = SRGB.code(of: red)
      out[x * 3 + 1] = SRGB.code(of: green)
      out[x * 3 + 2] = SRGB.code(of: blue)
    }
  }
}

/// The source pixels under one target pixel along one axis, and their shares.
private struct AreaSpan {
  var first, last: Int
  var firstWeight, innerWeight, lastWeight: Float

  func weight(_ index: Int) -> Float {
    index == first ? firstWeight : index == last ? lastWeight : innerWeight
  }

  static func spans(of count: Int, over source: Int) -> [AreaSpan] {
    (0..<count).map { index in
      // Ends in units of 1 / count source pixels, so that they are whole.
      let begin = index * source
      let end = begin + source
      let first = begin / count
      let last = (end - 1) / count
      func share(_ pixel: Int) -> Float {
        Float(min(end, (pixel + 1) * count) - max(begin, pixel * count)) / Float(source)
      }
      return AreaSpan(
        first: first, last: last, firstWeight: share(first),
        innerWeight: Float(count) / Float(source), lastWeight: share(last))
    }
  }
}
