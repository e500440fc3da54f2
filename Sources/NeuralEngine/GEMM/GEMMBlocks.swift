import CDepthSIMD
import DepthBase

/// A division of a matrix product into blocks of rows and panels, which threads compute in
/// parallel.
///
/// The packed kernels sum each element over the whole depth in a fixed order, so the division does
/// not change the result. OpenBLAS may choose an order by shape, so the division does not depend on
/// the number of threads.
struct GEMMBlocks: Sendable {
  let rowBlocks, panelBlocks: Int
  let rows, panels: Int

  /// Bytes of the left-hand matrix that a block keeps in the second-level cache.
  private static let leftBytes = 384 << 10
  /// Minimum number of blocks, so that threads of unequal speed finish together.
  private static let wanted = 8
  /// Minimum rows per block. Smaller blocks would cost more than they gain.
  private static let fewestRows = 24

  init(rows: Int, depth: Int, panels: Int) {
    (self.rows, self.panels) = (rows, panels)
    let fitting = max(Self.leftBytes / (4 * max(depth, 1)), Self.fewestRows)
    var rowBlocks = max((rows + fitting - 1) / fitting, 1)
    panelBlocks = max(min(panels, (Self.wanted + rowBlocks - 1) / rowBlocks), 1)
    if rowBlocks * panelBlocks < Self.wanted {
      let missing = (Self.wanted + panelBlocks - 1) / panelBlocks
      rowBlocks = max(rowBlocks, min(missing, rows / Self.fewestRows))
    }
    self.rowBlocks = rowBlocks
  }

  var count: Int { rowBlocks * panelBlocks }

  func rows(ofBlock block: Int) -> Range<Int> {
    let row = block % rowBlocks
    return row * rows / rowBlocks..<(row + 1) * rows / rowBlocks
  }

  func panels(ofBlock block: Int) -> Range<Int> {
    let panel = block / rowBlocks
    return panel * panels / panelBlocks..<(panel + 1) * panels / panelBlocks
  }
}

extension PackedWeights {
  /// Computes C = A · self, then the epilogue and an optional GELU, on the whole team.
  func multiply(_ operands: GEMMOperands, gelu: Bool = false, on team: ThreadTeam) {
    let blocks = unsafe GEMMBlocks(rows: operands.rows, depth: depth, panels: panels)
    nonisolated(unsafe) let operands = unsafe operands  // blocks write disjoint parts of C
    team.forEach(blocks.count) { _, block in
      unsafe multiply(
        operands.rows(blocks.rows(ofBlock: block)), panels: blocks.panels(ofBlock: block),
        gelu: gelu)
    }
  }

  /// Number of panels per GELU pass, whose results stay in the second-level cache.
  private static let panelsPerGELU = 4

  /// Computes ``multiply(_:panels:)``, then an optional GELU.
  func multiply(_ operands: GEMMOperands, panels: Range<Int>, gelu: Bool) {
    guard gelu else { return unsafe multiply(operands, panels: panels) }
    for first in stride(from: panels.lowerBound, to: panels.upperBound, by: Self.panelsPerGELU) {
      let part = first..<min(first + Self.panelsPerGELU, panels.upperBound)
      unsafe multiply(operands, panels: part)
      let column = first * panelWidth
      unsafe backend.kernels.pointee.network.gelu(
        operands.rows, min(columns, part.upperBound * panelWidth) - column, operands.c + column,
        operands.cStride)
    }
  }
}
