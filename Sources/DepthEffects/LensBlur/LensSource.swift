import DepthImages

/// The pixels whose discs can reach a tile, in linear light.
final class LensSource {
  private let scatter: LensScatter
  private let tile, region: Region
  private let light: UnsafeMutablePointer<SIMD4<Float>>
  /// The largest reach in each block of a row, and in each row.
  private let blockReach: UnsafeMutablePointer<Int32>
  private let rowReach: UnsafeMutablePointer<Int32>
  private let blocks: Int
  /// The largest reach of all, rows.
  private(set) var largestReach: Int32 = 0

  private static let block = 64

  init(_ scatter: LensScatter, around tile: Region) {
    (self.scatter, self.tile) = (scatter, tile)
    let (photo, map, reach) = (scatter.photo, scatter.map, scatter.spans.reach)
    region = tile.grown(by: scatter.spans.extent, height: photo.height, width: photo.width)
    let (rows, columns) = (region.rows.count, region.columns.count)
    blocks = (columns + Self.block - 1) / Self.block
    light = .allocate(capacity: rows * columns)
    blockReach = .allocate(capacity: rows * blocks)
    blockReach.initialize(repeating: 0, count: rows * blocks)
    rowReach = .allocate(capacity: rows)
    rowReach.initialize(repeating: 0, count: rows)
    map.levels.withUnsafeBufferPointer { levels in
      for y in 0..<rows {
        let line = (region.rows.lowerBound + y) * map.width + region.columns.lowerBound
        for x in 0..<columns {
          let reach = reach[abs(Int(levels[line + x]))]
          let at = y * blocks + x / Self.block
          if reach > blockReach[at] { blockReach[at] = reach }
        }
        for block in 0..<blocks {
          rowReach[y] = max(rowReach[y], blockReach[y * blocks + block])
        }
        largestReach = max(largestReach, rowReach[y])
      }
    }
    guard largestReach > 0 else { return }
    photo.pixels.withUnsafeBufferPointer { pixels in
      SRGB.linear.withUnsafeBufferPointer { linear in
        for y in 0..<rows {
          let line = (region.rows.lowerBound + y) * photo.width + region.columns.lowerBound
          for x in 0..<columns {
            let at = (line + x) * 3
            light[y * columns + x] = SIMD4(
              linear[Int(pixels[at])], linear[Int(pixels[at + 1])], linear[Int(pixels[at + 2])], 1)
          }
        }
      }
    }
  }

  deinit {
    light.deallocate()
    blockReach.deallocate()
    rowReach.deallocate()
  }

  /// Adds to the sums what falls on row `y` of the photo.
  func scatter(onto y: Int, _ sums: LayerSums) {
    let (spans, layers, map) = (scatter.spans, scatter.layers, scatter.map)
    let columns = region.columns.count
    let shift = region.columns.lowerBound - tile.columns.lowerBound
    spans.spans.withUnsafeBufferPointer { rows in
      spans.middle.withUnsafeBufferPointer { middle in
        spans.reach.withUnsafeBufferPointer { reach in
          layers.layer.withUnsafeBufferPointer { layer in
            map.levels.withUnsafeBufferPointer { levels in
              let painter = Painter(
                sums: sums, rows: rows, middle: middle, reach: reach, layer: layer,
                largest: spans.largest)
              let extent = spans.extent
              let first = max(region.rows.lowerBound, y - extent)
              for from in first..<min(region.rows.upperBound, y + extent + 1) {
                let row = from - region.rows.lowerBound
                let distance = Int32(y - from)
                if rowReach[row] >= abs(distance) {
                  let line = from * map.width + region.columns.lowerBound
                  for block in 0..<blocks where blockReach[row * blocks + block] >= abs(distance) {
                    painter.add(
                      light + row * columns, levels: levels.baseAddress! + line,
                      from: block * Self.block, to: min((block + 1) * Self.block, columns),
                      row: distance, shift: shift)
                  }
                }
                addHidden(row: from, distance: distance, painter)
              }
            }
          }
        }
      }
    }
  }

  private func addHidden(row: Int, distance: Int32, _ painter: Painter) {
    let hidden = scatter.hidden
    let (low, high) = (hidden.rowStart[row], hidden.rowStart[row + 1])
    guard low < high else { return }
    hidden.columns.withUnsafeBufferPointer { columns in
      hidden.levels.withUnsafeBufferPointer { levels in
        hidden.light.withUnsafeBufferPointer { light in
          // The first one of the region; they are few.
          var index = low
          var end = high
          while index < end {
            let half = (index + end) / 2
            if Int(columns[half]) < region.columns.lowerBound { index = half + 1 } else { end = half }
          }
          while index < high, Int(columns[index]) < region.columns.upperBound {
            painter.add(
              light[index], level: Int(levels[index]), row: distance,
              at: Int(columns[index]) - tile.columns.lowerBound)
            index += 1
          }
        }
      }
    }
  }
}

/// Adds spans of light to the sums of a row.
private struct Painter {
  let sums: LayerSums
  let rows: UnsafeBufferPointer<Span>
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
      let level = levels[x]
      var next = x + 1
      while next < end, levels[next] == level { next += 1 }
      defer { x = next }
      guard reach[abs(Int(level))] >= abs(row) else { continue }
      let signed = Int(level) &+ largest
      let span = rows[Int(middle[signed] &+ row)]
      let (left, right) = (x &+ shift &+ Int(span.left), x &+ shift &+ Int(span.right))
      let count = next &- x
      let isInside = left >= 0 && right &+ count <= sums.width
      guard count >= Self.shortestRun, isInside else {
        for i in x..<next { add(light[i], level: Int(level), row: row, at: i &+ shift) }
        continue
      }
      let used = Int(layer[signed])
      sums.isUsed[used] = true
      let steps = sums.steps + used &* sums.stride
      Self.add(light + x, count: count, by: span.rise, to: steps + left)
      Self.add(light + x, count: count, by: span.fall, to: steps + right)
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
    var last = light[0]
    steps[0] += last * here
    for i in 1..<count {
      let current = light[i]
      steps[i] += current * here + last * before
      last = current
    }
    steps[count] += last * before
  }

  /// - Parameters:
  ///   - light: Of the pixel, linear.
  ///   - level: Its defocus.
  ///   - row: Rows from the pixel down to the row that is painted.
  ///   - x: Columns from the tile's left side.
  @inline(__always)
  func add(_ light: SIMD4<Float>, level: Int, row: Int32, at x: Int) {
    guard reach[abs(level)] >= abs(row) else { return }
    let signed = level &+ largest
    let span = rows[Int(middle[signed] &+ row)]
    let used = Int(layer[signed])
    let steps = sums.steps + used &* sums.stride
    sums.isUsed[used] = true
    let (left, right) = (x &+ Int(span.left), x &+ Int(span.right))
    let end = sums.width
    steps[min(max(left, 0), end)] += light * span.rise.x
    steps[min(max(left &+ 1, 0), end)] += light * span.rise.y
    steps[min(max(right, 0), end)] += light * span.fall.x
    steps[min(max(right &+ 1, 0), end)] += light * span.fall.y
  }
}
