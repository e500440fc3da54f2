import ThreadTeams

/// One product cut into blocks of rows and panels that threads work on side by side.
///
/// Every element of the result is one chain of additions over the whole depth, so the cut changes no
/// bit with packed products. OpenBLAS may choose another order for another shape, therefore its cut
/// does not depend on the number of threads.
struct ProductBlocks: Sendable {
  let rowBlocks, panelBlocks: Int
  let rows, panels: Int

  /// Bytes of the left-hand side that one block keeps in the second-level cache while the panels
  /// pass by.
  private static let leftBytes = 384 << 10
  /// Blocks wanted at least, so that threads of unequal speed finish together.
  private static let wanted = 8
  /// Rows below which a further cut by rows costs more than it brings.
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

extension Matrix {
  /// C = A · self, then the epilogue, by the whole team.
  func multiply(_ operands: ProductOperands, on team: ThreadTeam) {
    let blocks = ProductBlocks(rows: operands.rows, depth: depth, panels: panels)
    nonisolated(unsafe) let operands = operands  // blocks write disjoint parts of C
    team.forEach(blocks.count) { _, block in
      multiply(operands.rows(blocks.rows(ofBlock: block)), panels: blocks.panels(ofBlock: block))
    }
  }
}
