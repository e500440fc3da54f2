import CDepthSIMD
import DepthBase

/// A constant right-hand matrix, `depth × columns`, in the GEMM kernel's reading order.
///
/// Columns are grouped in panels that are two vectors wide; zeros pad the last panel. The packed back end
/// stores panel after panel, each row by row. The other back ends store a plain row-major matrix.
struct PackedWeights: Sendable {
  let depth: Int
  private(set) var columns: Int
  let backend: GEMMBackend
  let storage: AlignedBuffer
  /// Floats before the matrix in `storage`.
  private(set) var offset: Int
  /// Columns of a panel.
  let panelWidth: Int

  /// Creates a matrix over storage whose elements may be set later.
  init(
    depth: Int, columns: Int, backend: GEMMBackend, storage: AlignedBuffer, offset: Int = 0
  ) {
    (self.depth, self.columns, self.backend) = (depth, columns, backend)
    (self.storage, self.offset) = (storage, offset)
    panelWidth = unsafe Int(backend.kernels.pointee.network.panel_width)
  }

  /// Moves to another matrix of equal depth in this storage.
  ///
  /// A new value in a loop would retain the storage, and all workers would contend for the storage's
  /// reference count.
  mutating func move(toOffset offset: Int, columns: Int) {
    (self.offset, self.columns) = (offset, columns)
  }

  /// Number of floats in a matrix, including padding.
  static func count(depth: Int, columns: Int, backend: GEMMBackend) -> Int {
    let width = unsafe Int(backend.kernels.pointee.network.panel_width)
    return (columns + width - 1) / width * width * depth
  }

  /// Number of bytes in the matrix, including padding.
  var bytes: Int {
    Self.count(depth: depth, columns: columns, backend: backend) * MemoryLayout<Float>.stride
  }

  /// Number of panels.
  var panels: Int { (columns + panelWidth - 1) / panelWidth }

  /// Floats from one row of a panel to the next.
  var rowStride: Int {
    switch backend {
    case .packed: panelWidth
    case .openBLAS, .fused: panels * panelWidth
    }
  }

  /// The first row of a panel.
  func panel(_ panel: Int) -> UnsafeMutablePointer<Float> {
    switch backend {
    case .packed: unsafe storage.base + offset + panel * panelWidth * depth
    case .openBLAS, .fused: unsafe storage.base + offset + panel * panelWidth
    }
  }

  /// The matrix's columns in a panel.
  func columns(ofPanel panel: Int) -> Range<Int> {
    panel * panelWidth..<min((panel + 1) * panelWidth, columns)
  }
}

extension PackedWeights {
  /// Computes C = A · self for the columns of some panels, then the epilogue.
  func multiply(_ o: GEMMOperands, panels range: Range<Int>) {
    let first = range.lowerBound * panelWidth
    let width = min(columns, range.upperBound * panelWidth) - first
    guard unsafe o.rows > 0, width > 0 else { return }
    var epilogue = unsafe o.epilogue
    unsafe epilogue.bias = epilogue.bias.map { unsafe $0 + first }
    unsafe epilogue.lower_bound = epilogue.lower_bound.map { unsafe $0 + first }
    unsafe epilogue.residual = epilogue.residual.map { unsafe $0 + first }
    let b = unsafe UnsafePointer(panel(range.lowerBound))
    switch backend {
    case .packed:
      var arguments = unsafe ck_gemm(
        rows: o.rows, depth: depth, columns: width, a: o.a, a_stride: o.aStride, b: b,
        c: o.c + first, c_stride: o.cStride, next_b: o.nextMatrix, next_a: o.nextRows,
        epilogue: epilogue)
      unsafe backend.kernels.pointee.network.gemm(&arguments)
    case .openBLAS, .fused:
      let c = unsafe o.c + first
      // A residual in the result's place would be overwritten before being added.
      let addsInPlace = unsafe epilogue.residual == UnsafePointer(c)
      if addsInPlace { unsafe epilogue.residual = nil }
      if case .fused = backend {
        unsafe FusedProduct.multiply(
          rows: o.rows, columns: width, depth: depth, o.a, stride: o.aStride, b, stride: rowStride,
          bias: epilogue.bias, adding: addsInPlace, into: c, stride: o.cStride)
        unsafe epilogue.bias = nil
      } else {
        unsafe OpenBLAS.multiply(
          rows: o.rows, columns: width, depth: depth, o.a, stride: o.aStride, b, stride: rowStride,
          adding: addsInPlace, into: c, stride: o.cStride)
      }
      if unsafe epilogue.bias != nil || epilogue.lower_bound != nil || epilogue.residual != nil
        || epilogue.upper_bound > 0
      {
        unsafe backend.kernels.pointee.network.epilogue(o.rows, width, c, o.cStride, &epilogue)
      }
    }
  }
}
