/// Adds spans of light to the sums of a row.
@unsafe struct SpanPainter {
  let sums: LayerSums
  let rows: UnsafeBufferPointer<ApertureRow>
  let middle: UnsafeBufferPointer<Int32>
  let reach: UnsafeBufferPointer<Int32>
  let layer: UnsafeBufferPointer<UInt8>
  let largest: Int

  /// Pixels with one defocus from which their steps are added together.
  private static let shortestRun = 4

  /// Adds neighbors of a row: runs of one defocus are moved as a whole.
  ///
  /// - Parameters:
  ///   - light: Of the row's first pixel, linear.
  ///   - levels: Its defocus.
  ///   - start: The first neighbor.
  ///   - end: Behind the last one.
  ///   - row: Rows from the pixels down to the row that is painted.
  ///   - shift: Columns from the tile's left side to the row's first pixel.
  func add(
    _ light: UnsafePointer<SIMD4<Float>>, levels: UnsafePointer<Int16>, from start: Int,
    to end: Int, row: Int32, shift: Int
  ) {
    var x = start
    while x < end {
      let level = unsafe levels[x]
      var next = x + 1
      while next < end, unsafe levels[next] == level { next += 1 }
      defer { x = next }
      guard unsafe reach[abs(Int(level))] >= abs(row) else { continue }
      let signed = unsafe Int(level) &+ largest
      let span = unsafe rows[Int(middle[signed] &+ row)]
      let (left, right) = (x &+ shift &+ Int(span.left), x &+ shift &+ Int(span.right))
      let count = next &- x
      let isInside = unsafe left >= 0 && right &+ count <= sums.width
      guard unsafe count >= Self.shortestRun, isInside else {
        for i in x..<next { unsafe add(light[i], level: Int(level), row: row, at: i &+ shift) }
        continue
      }
      let used = unsafe Int(layer[signed])
      unsafe sums.isUsed[used] = true
      let steps = unsafe sums.steps + used &* sums.stride
      unsafe Self.add(light + x, count: count, by: span.rise, to: steps + left)
      unsafe Self.add(light + x, count: count, by: span.fall, to: steps + right)
    }
  }

  /// `to[i] += light[i] · by.x + light[i − 1] · by.y`, with nothing before the first and behind the last.
  @inline(__always)
  private static func add(
    _ light: UnsafePointer<SIMD4<Float>>, count: Int, by weights: SIMD2<Float>,
    to steps: UnsafeMutablePointer<SIMD4<Float>>
  ) {
    let (here, before) = (
      SIMD4(repeating: weights.x), SIMD4(repeating: weights.y)
    )
    var last = unsafe light[0]
    unsafe steps[0] += last * here
    for i in 1..<count {
      let current = unsafe light[i]
      unsafe steps[i] += current * here + last * before
      last = current
    }
    unsafe steps[count] += last * before
  }

  /// - Parameters:
  ///   - light: Of the pixel, linear.
  ///   - level: Its defocus.
  ///   - row: Rows from the pixel down to the row that is painted.
  ///   - x: Columns from the tile's left side.
  @inline(__always)
  func add(_ light: SIMD4<Float>, level: Int, row: Int32, at x: Int) {
    guard unsafe reach[abs(level)] >= abs(row) else { return }
    let signed = unsafe level &+ largest
    let span = unsafe rows[Int(middle[signed] &+ row)]
    let used = unsafe Int(layer[signed])
    let steps = unsafe sums.steps + used &* sums.stride
    unsafe sums.isUsed[used] = true
    let (left, right) = (x &+ Int(span.left), x &+ Int(span.right))
    let end = unsafe sums.width
    unsafe steps[min(max(left, 0), end)] += light * span.rise.x
    unsafe steps[min(max(left &+ 1, 0), end)] += light * span.rise.y
    unsafe steps[min(max(right, 0), end)] += light * span.fall.x
    unsafe steps[min(max(right &+ 1, 0), end)] += light * span.fall.y
  }
}
