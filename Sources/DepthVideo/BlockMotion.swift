import DepthImages

/// The motion of each block of a picture since an earlier picture, by block matching.
///
/// > Source: T. Koga et al. "Motion-compensated interframe coding for video conferencing." NTC 1981: a search with
/// > halving steps. A pixel takes the best matching vector of its own and the adjacent blocks, because edges of motion
/// > need not be edges of blocks.
struct BlockMotion: Sendable {
  /// Side length of a block, pixels.
  private static let block = 16
  /// First step of the search, pixels in each direction.
  private static let firstStep = 8
  /// Penalty per pixel for vectors that are not predicted, which keeps flat surfaces still.
  private static let bias = 8

  let height, width: Int
  private let rows, columns: Int
  /// Vectors to the earlier picture, one per block.
  private(set) var vectors: [SIMD2<Int32>]

  /// Zero motion for pictures of this size.
  init(height: Int, width: Int) {
    (self.height, self.width) = (height, width)
    rows = (height + Self.block - 1) / Self.block
    columns = (width + Self.block - 1) / Self.block
    vectors = [SIMD2<Int32>](repeating: .zero, count: rows * columns)
  }

  /// Motion with known vectors.
  init(height: Int, width: Int, vectors: [SIMD2<Int32>]) {
    self.init(height: height, width: width)
    if vectors.count == self.vectors.count { self.vectors = vectors }
  }

  /// Updates the vectors for the next picture, starting from the previous picture's vectors.
  ///
  /// - Parameters:
  ///   - new: Luma of the picture, `height · width` bytes.
  ///   - old: Luma of the earlier picture.
  mutating func follow(_ new: [UInt8], from old: [UInt8]) {
    precondition(new.count == height * width && old.count == new.count)
    let predicted = vectors
    for row in 0..<rows {
      for column in 0..<columns {
        let (top, left) = (row * Self.block, column * Self.block)
        let area = (
          top..<min(top + Self.block, height), left..<min(left + Self.block, width)
        )
        let at = row * columns + column
        func cost(_ vector: SIMD2<Int32>, _ limit: Int) -> Int {
          let away = vector &- predicted[at]
          let penalty =
            Self.bias * Int(min(abs(away.x) + abs(away.y), abs(vector.x) + abs(vector.y)))
          return penalty + difference(new, old, area.0, area.1, vector, limit: limit - penalty)
        }
        var best = SIMD2<Int32>.zero
        var least = cost(best, .max)
        var candidates = [predicted[at]]
        if column > 0 { candidates.append(vectors[at - 1]) }
        if row > 0 { candidates.append(vectors[at - columns]) }
        for vector in candidates {
          let found = cost(vector, least)
          if found < least { (best, least) = (vector, found) }
        }
        var step = Int32(Self.firstStep)
        while step > 0 {
          let center = best
          for y in -1...1 {
            for x in -1...1 where x != 0 || y != 0 {
              let vector = center &+ SIMD2(Int32(x) * step, Int32(y) * step)
              let found = cost(vector, least)
              if found < least { (best, least) = (vector, found) }
            }
          }
          step /= 2
        }
        vectors[at] = best
      }
    }
  }

  /// The vector of a pixel: the vector of its own or an adjacent block with which the pixel's surroundings match best.
  func vector(y: Int, x: Int, _ new: [UInt8], from old: [UInt8]) -> SIMD2<Int32> {
    let (row, column) = (y / Self.block, x / Self.block)
    let half = Self.block / 2
    let besideRow = min(max(row + (y % Self.block < half ? -1 : 1), 0), rows - 1)
    let besideColumn = min(max(column + (x % Self.block < half ? -1 : 1), 0), columns - 1)
    let area = (
      max(y - 2, 0)..<min(y + 3, height), max(x - 2, 0)..<min(x + 3, width)
    )
    var best = vectors[row * columns + column]
    var least = difference(new, old, area.0, area.1, best, limit: .max)
    for at in [
      row * columns + besideColumn, besideRow * columns + column,
      besideRow * columns + besideColumn,
    ] where vectors[at] != best {
      let found = difference(new, old, area.0, area.1, vectors[at], limit: least)
      if found < least { (best, least) = (vectors[at], found) }
    }
    return best
  }

  /// The sum of absolute differences. A sum of at least `limit` may be incomplete.
  private func difference(
    _ new: [UInt8], _ old: [UInt8], _ rows: Range<Int>, _ columns: Range<Int>,
    _ vector: SIMD2<Int32>, limit: Int
  ) -> Int {
    var sum = 0
    let (dx, dy) = (Int(vector.x), Int(vector.y))
    let isInside =
      columns.lowerBound + dx >= 0 && columns.upperBound + dx <= width
    for y in rows {
      let from = min(max(y + dy, 0), height - 1) * width
      let line = y * width
      if isInside {
        for x in columns { sum += abs(Int(new[line + x]) - Int(old[from + x + dx])) }
      } else {
        for x in columns {
          sum += abs(Int(new[line + x]) - Int(old[from + min(max(x + dx, 0), width - 1)]))
        }
      }
      if sum >= limit { break }
    }
    return sum
  }
}
