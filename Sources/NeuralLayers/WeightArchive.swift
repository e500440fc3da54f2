/// A named collection of weight tensors, together with what they say about themselves.
///
/// Tensor names are `<layer>/<parameter>`, for example `conv1/kernel`; parameters are `kernel`
/// (output × input × height × width, OIHW), `bias`, and `gamma`, `beta`, `mean`, `variance`.
public protocol WeightArchive: Sendable {
  /// What messages call the archive, usually its file name.
  var name: String { get }

  /// Every tensor of the archive with its extents, outermost first.
  var shapes: [String: [Int]] { get }

  /// A fact about the whole archive, or `nil` when it says nothing under that name.
  func attribute(_ name: String) -> WeightAttribute?

  /// The values of one tensor in row-major order, widened to 32-bit floats.
  ///
  /// - Throws: ``WeightsError`` when the tensor is missing or cannot be read.
  func elements(of tensor: String) throws -> [Float]
}

/// The value of an archive's attribute.
public enum WeightAttribute: Hashable, Sendable {
  case text(String)
  case integers([Int])
  case numbers([Double])
}
