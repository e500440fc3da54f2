/// A named collection of weight tensors and attributes.
///
/// Tensor names are `<layer>/<parameter>`, for example `conv1/kernel`; parameters are `kernel`
/// (output × input × height × width, OIHW), `bias`, and `gamma`, `beta`, `mean`, `variance`.
package protocol WeightArchive: Sendable {
  /// The archive's name in messages, usually the name of its file.
  var name: String { get }

  /// The shapes of all tensors, outermost extent first.
  var shapes: [String: [Int]] { get }

  /// The text of an attribute of the archive; `nil` if the attribute is missing or not a single text.
  func text(_ attribute: String) -> String?

  /// The values of an attribute; `nil` if the attribute is missing or has no integers.
  func integers(_ attribute: String) -> [Int]?

  /// The values of an attribute, including integers; `nil` if the attribute is missing or has no numbers.
  func numbers(_ attribute: String) -> [Double]?

  /// The value of any attribute as one line of text; `nil` if the attribute is missing.
  func attributeDescription(_ attribute: String) -> String?

  /// The values of one tensor in row-major order, widened to 32-bit floats.
  ///
  /// - Throws: `DepthError` when the tensor is missing or cannot be read.
  func elements(of tensor: String) throws -> [Float]

  /// The values at some indices of a tensor's outermost axis, such as the kernels of some output channels. Several threads may
  /// call this at the same time.
  ///
  /// - Throws: `DepthError` when the tensor is missing or cannot be read.
  /// - Precondition: the tensor has these indices.
  func elements(of tensor: String, rows: Range<Int>) throws -> [Float]

  /// Returns whether ``elements(of:rows:)`` reads only the returned values. Otherwise one call of ``elements(of:)`` is cheaper.
  func readsRows(of tensor: String) -> Bool

  /// The factor for each index of the outermost axis of an 8-bit tensor; `nil` for a float tensor. ``elements(of:)`` applies
  /// the factors.
  ///
  /// - Throws: `DepthError` when the factors cannot be read.
  func factors(of tensor: String) throws -> [Float]?

  /// The integers at some indices of the outermost axis of an 8-bit tensor; `nil` for a float tensor, or for a tensor that
  /// cannot be read in parts.
  ///
  /// - Throws: `DepthError` when the tensor is missing or cannot be read.
  /// - Precondition: the tensor has these indices.
  func integers(of tensor: String, rows: Range<Int>) throws -> [Int8]?

  /// The scale that quantizes a convolution's input; `nil` if the layer is not calibrated.
  ///
  /// - Throws: `DepthError` if the scale cannot be read.
  func inputScale(of layer: String) throws -> Float?

  /// The scale of a convolution's residual; `nil` without a residual or a calibration.
  ///
  /// - Throws: `DepthError` if the scale cannot be read.
  func residualScale(of layer: String) throws -> Float?
}

extension WeightArchive {
  package func elements(of tensor: String, rows: Range<Int>) throws -> [Float] {
    try elementsByReadingAll(of: tensor, rows: rows)
  }

  /// The values at some indices of the outermost axis, by reading the whole tensor.
  ///
  /// - Throws: `DepthError` when the tensor is missing or cannot be read.
  package func elementsByReadingAll(of tensor: String, rows: Range<Int>) throws -> [Float] {
    let values = try elements(of: tensor)
    let rowCount = max(shapes[tensor]?.first ?? 1, 1)
    let row = values.count / rowCount
    return Array(values[rows.lowerBound * row..<rows.upperBound * row])
  }

  package func readsRows(of tensor: String) -> Bool { false }

  package func factors(of tensor: String) throws -> [Float]? { nil }

  package func integers(of tensor: String, rows: Range<Int>) throws -> [Int8]? { nil }

  package func inputScale(of layer: String) throws -> Float? { nil }

  package func residualScale(of layer: String) throws -> Float? { nil }
}
