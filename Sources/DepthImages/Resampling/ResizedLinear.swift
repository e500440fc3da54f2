import DepthBase

/// Resizes a photo like OpenCV's `INTER_LINEAR` for bytes: the two pixels around a position along each axis, with weights in
/// units of 1/2048 and no widening for smaller sizes.
///
/// - Parameters:
///   - image: Photo of any size.
///   - threads: Number of threads, which does not change the bytes.
/// - Precondition: Both sides are positive.
///
/// > Source: OpenCV 4, `resize.cpp`: `HResizeLinear`, `VResizeLinear` and, for half the size, `ResizeAreaFast`.
package func resizedLinear(_ image: Image, height: Int, width: Int, threads: Int) -> Image {
  precondition(height > 0 && width > 0, "size \(width)×\(height), expected at least 1×1")
  guard (height, width) != (image.height, image.width) else { return image }
  let isHalf = image.height == 2 * height && image.width == 2 * width
  // Beyond the first or last row, both taps are that row. Beyond the first or last column, one tap has the whole weight.
  let down = (0..<height).map { FixedTap($0, from: image.height, to: height, keepsShare: true) }
  let across = (0..<width).map { FixedTap($0, from: image.width, to: width, keepsShare: isHalf) }
  let line = 3 * image.width
  let pixels: [UInt8] = filledRows(height: height, width: 3 * width, grain: 8, threads: threads) {
    rows, out in
    let source = image.pixels.span
    out.forEachRow(rows, width: 3 * width) { row, out in
      let y = down[row]
      for column in 0..<width {
        let x = across[column]
        for c in 0..<3 {
          func sum(_ row: Int) -> Int {
            let (a, b) = (
              source[row * line + 3 * x.first + c], source[row * line + 3 * x.second + c]
            )
            return isHalf
              ? Int(a) + Int(b) : x.firstWeight * Int(a) + x.secondWeight * Int(b)
          }
          let (top, bottom) = (sum(y.first), sum(y.second))
          let value =
            isHalf
            ? (top + bottom + 2) >> 2
            : ((y.firstWeight * (top >> 4)) >> 16 + (y.secondWeight * (bottom >> 4)) >> 16 + 2) >> 2
          out[3 * column + c] = UInt8(min(max(value, 0), 255))
        }
      }
    }
  }
  return Image(height: height, width: width, pixels: pixels)
}

/// Two samples of an axis and their weights, each rounded to units of 1/2048.
private struct FixedTap {
  let first, second, firstWeight, secondWeight: Int

  /// - Parameter keepsShare: Whether both weights are kept for a sample beyond the axis.
  init(_ index: Int, from: Int, to: Int, keepsShare: Bool) {
    let position = Float((Double(index) + 0.5) * (Double(from) / Double(to)) - 0.5)
    let whole = position.rounded(.down)
    let below = Int(whole)
    let share = keepsShare || 0..<from - 1 ~= below ? position - whole : 0
    (first, second) = (min(max(below, 0), from - 1), min(max(below + 1, 0), from - 1))
    firstWeight = Int(((1 - share) * 2048).rounded(.toNearestOrEven))
    secondWeight = Int((share * 2048).rounded(.toNearestOrEven))
  }
}
