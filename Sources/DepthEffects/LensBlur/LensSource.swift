import DepthImages

/// The pixels whose discs can reach a tile, in linear light.
@safe final class LensSource {
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
    let (photo, map, reach) = (scatter.photo, scatter.map, scatter.aperture.reach)
    region = tile.grown(by: scatter.aperture.extent, height: photo.height, width: photo.width)
    let (rows, columns) = (region.rows.count, region.columns.count)
    blocks = (columns + Self.block - 1) / Self.block
    unsafe light = .allocate(capacity: rows * columns)
    unsafe blockReach = .allocate(capacity: rows * blocks)
    unsafe blockReach.initialize(repeating: 0, count: rows * blocks)
    unsafe rowReach = .allocate(capacity: rows)
    unsafe rowReach.initialize(repeating: 0, count: rows)
    unsafe map.levels.withUnsafeBufferPointer { levels in
      for y in 0..<rows {
        let line = (region.rows.lowerBound + y) * map.width + region.columns.lowerBound
        for x in 0..<columns {
          let reach = unsafe reach[abs(Int(levels[line + x]))]
          let at = y * blocks + x / Self.block
          if unsafe reach > blockReach[at] { unsafe blockReach[at] = reach }
        }
        for block in 0..<blocks {
          unsafe rowReach[y] = unsafe max(rowReach[y], blockReach[y * blocks + block])
        }
        largestReach = unsafe max(largestReach, rowReach[y])
      }
    }
    guard largestReach > 0 else { return }
    unsafe photo.pixels.withUnsafeBufferPointer { pixels in
      unsafe SRGB.linear.withUnsafeBufferPointer { linear in
        for y in 0..<rows {
          let line = (region.rows.lowerBound + y) * photo.width + region.columns.lowerBound
          for x in 0..<columns {
            let at = (line + x) * 3
            unsafe light[y * columns + x] = unsafe SIMD4(
              linear[Int(pixels[at])], linear[Int(pixels[at + 1])], linear[Int(pixels[at + 2])], 1)
          }
        }
      }
    }
  }

  deinit {
    unsafe light.deallocate()
    unsafe blockReach.deallocate()
    unsafe rowReach.deallocate()
  }

  /// Adds to the sums what falls on row `y` of the photo.
  func scatter(onto y: Int, _ sums: LayerSums) {
    let (aperture, layers, map) = (scatter.aperture, scatter.layers, scatter.map)
    let columns = region.columns.count
    let shift = region.columns.lowerBound - tile.columns.lowerBound
    unsafe aperture.rows.withUnsafeBufferPointer { rows in
      unsafe aperture.middle.withUnsafeBufferPointer { middle in
        unsafe aperture.reach.withUnsafeBufferPointer { reach in
          unsafe layers.layer.withUnsafeBufferPointer { layer in
            unsafe map.levels.withUnsafeBufferPointer { levels in
              let painter = unsafe SpanPainter(
                sums: sums, rows: rows, middle: middle, reach: reach, layer: layer,
                largest: aperture.largest)
              let extent = aperture.extent
              let first = max(region.rows.lowerBound, y - extent)
              for from in first..<min(region.rows.upperBound, y + extent + 1) {
                let row = from - region.rows.lowerBound
                let distance = Int32(y - from)
                if unsafe rowReach[row] >= abs(distance) {
                  let line = from * map.width + region.columns.lowerBound
                  for block in 0..<blocks
                  where unsafe blockReach[row * blocks + block] >= abs(distance) {
                    unsafe painter.add(
                      light + row * columns, levels: levels.baseAddress! + line,
                      from: block * Self.block, to: min((block + 1) * Self.block, columns),
                      row: distance, shift: shift)
                  }
                }
                unsafe addHidden(row: from, distance: distance, painter)
              }
            }
          }
        }
      }
    }
  }

  private func addHidden(row: Int, distance: Int32, _ painter: SpanPainter) {
    let hidden = scatter.hidden
    let (low, high) = (hidden.rowStart[row], hidden.rowStart[row + 1])
    guard low < high else { return }
    unsafe hidden.columns.withUnsafeBufferPointer { columns in
      unsafe hidden.levels.withUnsafeBufferPointer { levels in
        unsafe hidden.light.withUnsafeBufferPointer { light in
          // The first one of the region; they are few.
          var index = low
          var end = high
          while index < end {
            let half = (index + end) / 2
            let isLeft = unsafe Int(columns[half]) < region.columns.lowerBound
            if isLeft { index = half + 1 } else { end = half }
          }
          while index < high, unsafe Int(columns[index]) < region.columns.upperBound {
            unsafe painter.add(
              light[index], level: Int(levels[index]), row: distance,
              at: Int(columns[index]) - tile.columns.lowerBound)
            index += 1
          }
        }
      }
    }
  }
}
