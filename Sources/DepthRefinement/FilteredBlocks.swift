/// The pixels of an image on which a filter runs, in blocks of 16 columns of a row.
///
/// Blocks have the same width on all instruction sets, so that the result does not depend on the
/// set.
package struct FilteredBlocks: Sendable, Equatable {
  /// Columns of a block, the lanes of the widest vector.
  package static let columns = 16

  let width: Int
  /// Whether each block is filtered, row by row.
  let isFiltered: [Bool]

  /// Creates the blocks of `height × width` pixels that cover a pixel above 0 of a coarser plane,
  /// `coarseHeight × coarseWidth`.
  package init(
    height: Int, width: Int, over coarse: [Float], coarseHeight: Int, coarseWidth: Int
  ) {
    precondition(
      coarse.count == coarseHeight * coarseWidth,
      "\(coarse.count) numbers, expected \(coarseHeight * coarseWidth)")
    self.width = width
    let cells = stride(from: 0, to: width, by: Self.columns).map { left in
      left * coarseWidth / width...(min(left + Self.columns, width) - 1) * coarseWidth / width
    }
    let lines = (0..<coarseHeight).map { row in
      cells.map { $0.contains { coarse[row * coarseWidth + $0] > 0 } }
    }
    isFiltered = (0..<height).flatMap { lines[$0 * coarseHeight / height] }
  }

  /// Runs of equal adjacent blocks, from left to right.
  ///
  /// - Parameter columns: A range that begins with a block.
  func runs(row: Int, columns: Range<Int>) -> [(columns: Range<Int>, isFiltered: Bool)] {
    let line = row * ((width + Self.columns - 1) / Self.columns)
    var runs: [(columns: Range<Int>, isFiltered: Bool)] = []
    for left in stride(from: columns.lowerBound, to: columns.upperBound, by: Self.columns) {
      let right = min(left + Self.columns, columns.upperBound)
      let isFiltered = isFiltered[line + left / Self.columns]
      if let last = runs.last, last.isFiltered == isFiltered {
        runs[runs.count - 1].columns = last.columns.lowerBound..<right
      } else {
        runs.append((left..<right, isFiltered))
      }
    }
    return runs
  }
}
