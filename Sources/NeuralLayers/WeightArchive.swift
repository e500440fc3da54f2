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

  /// Writes the values of one tensor in row-major order, widened to 32-bit floats, to where they are
  /// wanted; an archive that can fill memory directly makes no copy on the way.
  ///
  /// - Throws: ``WeightsError`` when the tensor is missing or cannot be read.
  /// - Precondition: `elements` has room for exactly as many values as the tensor's shape says.
  func read(_ tensor: String, into elements: inout MutableSpan<Float>) throws
}

extension WeightArchive {
  public func read(_ tensor: String, into elements: inout MutableSpan<Float>) throws {
    let values = try self.elements(of: tensor)
    precondition(
      values.count == elements.count,
      "room for \(elements.count) values of \(tensor), expected \(values.count)")
    for i in values.indices { elements[i] = values[i] }
  }
}

/// The value of an archive's attribute.
public enum WeightAttribute: Hashable, Sendable {
  case text(String)
  case texts([String])
  case integers([Int])
  case numbers([Double])
}
