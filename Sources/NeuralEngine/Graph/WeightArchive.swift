/// A named collection of weight tensors, together with what they say about themselves.
///
/// Tensor names are `<layer>/<parameter>`, for example `conv1/kernel`; parameters are `kernel`
/// (output × input × height × width, OIHW), `bias`, and `gamma`, `beta`, `mean`, `variance`.
public protocol WeightArchive: Sendable {
  /// What messages call the archive, usually its file name.
  var name: String { get }

  /// Every tensor of the archive with its extents, outermost first.
  var shapes: [String: [Int]] { get }

  /// The text of an attribute of the whole archive; `nil` when the archive has no such attribute or it
  /// does not hold a single text.
  func text(_ attribute: String) -> String?

  /// The values of an attribute; `nil` when the archive has no such attribute or it does not hold integers.
  func integers(_ attribute: String) -> [Int]?

  /// The values of an attribute, integers included; `nil` when the archive has no such attribute or it does
  /// not hold numbers.
  func numbers(_ attribute: String) -> [Double]?

  /// The value of an attribute of any kind as one line of text; `nil` when the archive has no such attribute.
  func attributeDescription(_ attribute: String) -> String?

  /// The values of one tensor in row-major order, widened to 32-bit floats.
  ///
  /// - Throws: ``DepthError`` when the tensor is missing or cannot be read.
  func elements(of tensor: String) throws -> [Float]

  /// The values that belong to some indices of a tensor's outermost axis: the kernels of some output
  /// channels. Several threads may ask at once.
  ///
  /// - Throws: ``DepthError`` when the tensor is missing or cannot be read.
  /// - Precondition: the tensor has these indices.
  func elements(of tensor: String, rows: Range<Int>) throws -> [Float]

  /// Whether ``elements(of:rows:)`` reads only what it returns. Elsewhere it is cheaper to read a
  /// tensor once.
  func readsRows(of tensor: String) -> Bool
}

extension WeightArchive {
  public func elements(of tensor: String, rows: Range<Int>) throws -> [Float] {
    try elementsByReadingAll(of: tensor, rows: rows)
  }

  /// The values of some indices, out of the whole tensor: for archives that cannot read a part.
  public func elementsByReadingAll(of tensor: String, rows: Range<Int>) throws -> [Float] {
    let values = try elements(of: tensor)
    let rowCount = max(shapes[tensor]?.first ?? 1, 1)
    let row = values.count / rowCount
    return Array(values[rows.lowerBound * row..<rows.upperBound * row])
  }

  public func readsRows(of tensor: String) -> Bool { false }
}
