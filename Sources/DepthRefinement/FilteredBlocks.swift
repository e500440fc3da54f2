/// Which pixels of an image a filter is to run on, in blocks of 16 columns of a row.
///
/// Blocks are as wide whatever the instruction set, so that the choice changes no bits.
package struct FilteredBlocks: Sendable, Equatable {
  /// Columns of a block, as many as lanes of the widest vector.
  package static let columns = 16

  let width: Int
  /// Row by row.
  let isFiltered: [Bool]

  /// The blocks of `height × width` pixels that cover a pixel above 0 of a coarser plane of
  /// `coarseHeight × coarseWidth` numbers.
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

  /// Neighboring blocks alike, from left to right.
  ///
  /// - Parameter columns: Begins with a block.
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
