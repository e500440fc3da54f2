import CDepthSIMD
package import ThreadTeams

/// A constant right-hand matrix, `depth × columns`, stored the way its products read it.
///
/// Columns are grouped in panels as wide as two vectors; the last one is padded with zeros. With
/// packed products a panel's rows follow one another; with OpenBLAS the panels stand side by side,
/// which is plain row-major order.
package struct Matrix: Sendable {
  package let depth: Int
  package private(set) var columns: Int
  let products: Products
  package let storage: AlignedBuffer
  /// Where the matrix begins in `storage`.
  private(set) var offset: Int
  let panelWidth: Int

  /// A matrix over storage that holds, or will hold, its elements.
  package init(
    depth: Int, columns: Int, products: Products, storage: AlignedBuffer, offset: Int = 0
  ) {
    (self.depth, self.columns, self.products) = (depth, columns, products)
    (self.storage, self.offset) = (storage, offset)
    panelWidth = Int(products.kernels.pointee.network.panel_width)
  }

  /// Becomes another matrix of the same depth in the same storage.
  ///
  /// Cheaper in a loop than making one: that would count a reference to the storage, and workers would
  /// take turns at its counter.
  mutating func move(toOffset offset: Int, columns: Int) {
    (self.offset, self.columns) = (offset, columns)
  }

  /// Floats that a matrix takes up, padding included.
  package static func count(depth: Int, columns: Int, products: Products) -> Int {
    let width = Int(products.kernels.pointee.network.panel_width)
    return (columns + width - 1) / width * width * depth
  }

  /// Bytes that the matrix takes up, padding included.
  var bytes: Int {
    Self.count(depth: depth, columns: columns, products: products) * MemoryLayout<Float>.stride
  }

  package var panels: Int { (columns + panelWidth - 1) / panelWidth }

  /// Floats from one row of a panel to the next.
  var rowStride: Int {
    switch products {
    case .packed: panelWidth
    case .openBLAS: panels * panelWidth
    }
  }

  /// The first row of a panel.
  func panel(_ panel: Int) -> UnsafeMutablePointer<Float> {
    switch products {
    case .packed: storage.base + offset + panel * panelWidth * depth
    case .openBLAS: storage.base + offset + panel * panelWidth
    }
  }

  /// The matrix's columns that belong to a panel.
  func columns(ofPanel panel: Int) -> Range<Int> {
    panel * panelWidth..<min((panel + 1) * panelWidth, columns)
  }
}

/// The left-hand side and the destination of a product.
package struct ProductOperands {
  var rows: Int
  var a: UnsafePointer<Float>
  var aStride: Int
  var c: UnsafeMutablePointer<Float>
  var cStride: Int
  /// What the next product will read of its matrix, and its rows, if that is known.
  var nextMatrix, nextRows: UnsafePointer<Float>?
  /// Its pointers are those of row 0 and column 0.
  var epilogue = ck_epilogue()

  init(
    rows: Int, a: UnsafePointer<Float>, aStride: Int, c: UnsafeMutablePointer<Float>, cStride: Int,
    nextMatrix: UnsafePointer<Float>? = nil, nextRows: UnsafePointer<Float>? = nil,
    epilogue: ck_epilogue = ck_epilogue()
  ) {
    (self.rows, self.a, self.aStride, self.c, self.cStride) = (rows, a, aStride, c, cStride)
    (self.nextMatrix, self.nextRows, self.epilogue) = (nextMatrix, nextRows, epilogue)
  }

  /// Operands without an epilogue.
  package init(
    rows: Int, a: UnsafePointer<Float>, aStride: Int, result: UnsafeMutablePointer<Float>,
    resultStride: Int
  ) {
    self.init(rows: rows, a: a, aStride: aStride, c: result, cStride: resultStride)
  }

  /// The same product from row `row` on.
  func rows(_ range: Range<Int>) -> ProductOperands {
    var part = self
    part.rows = range.count
    part.a += range.lowerBound * aStride
    part.c += range.lowerBound * cStride
    part.epilogue.residual = epilogue.residual.map {
      $0 + range.lowerBound * epilogue.residual_stride
    }
    return part
  }
}

extension Matrix {
  /// C = A · self for the columns of some panels, then the epilogue.
  package func multiply(_ o: ProductOperands, panels range: Range<Int>) {
    let first = range.lowerBound * panelWidth
    let width = min(columns, range.upperBound * panelWidth) - first
    guard o.rows > 0, width > 0 else { return }
    var epilogue = o.epilogue
    epilogue.bias = epilogue.bias.map { $0 + first }
    epilogue.floor = epilogue.floor.map { $0 + first }
    epilogue.residual = epilogue.residual.map { $0 + first }
    let b = UnsafePointer(panel(range.lowerBound))
    switch products {
    case .packed:
      var product = ck_product(
        rows: o.rows, depth: depth, columns: width, a: o.a, a_stride: o.aStride, b: b,
        c: o.c + first, c_stride: o.cStride, next_b: o.nextMatrix, next_a: o.nextRows,
        epilogue: epilogue)
      products.kernels.pointee.network.product(&product)
    case .openBLAS:
      let c = o.c + first
      // A residual that stands where the result goes would be overwritten before it is added.
      let addsInPlace = epilogue.residual == UnsafePointer(c)
      if addsInPlace { epilogue.residual = nil }
      OpenBLAS.multiply(
        rows: o.rows, columns: width, depth: depth, o.a, stride: o.aStride, b, stride: rowStride,
        adding: addsInPlace, into: c, stride: o.cStride)
      if epilogue.bias != nil || epilogue.floor != nil || epilogue.residual != nil {
        products.kernels.pointee.network.epilogue(o.rows, width, c, o.cStride, &epilogue)
      }
    }
  }
}
