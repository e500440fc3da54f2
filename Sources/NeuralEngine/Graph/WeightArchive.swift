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
  /// - Throws: ``DepthError`` when the tensor is missing or cannot be read.
  func elements(of tensor: String) throws -> [Float]

  /// Writes the values of one tensor in row-major order, widened to 32-bit floats, to where they are
  /// wanted; an archive that can fill memory directly makes no copy on the way.
  ///
  /// - Throws: ``DepthError`` when the tensor is missing or cannot be read.
  /// - Precondition: `elements` has room for exactly as many values as the tensor's shape says.
  func read(_ tensor: String, into elements: inout MutableSpan<Float>) throws

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

extension WeightAttribute: CustomStringConvertible {
  /// Text out of a file on one line, whatever is in it.
  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          $0.properties.generalCategory == .control ? "\u{FFFD}" : $0
        }))
  }

  public var description: String {
    switch self {
    case .text(let text): "'\(Self.printable(text))'"
    case .texts(let texts): "\(texts)"
    case .integers(let values): values.count == 1 ? "\(values[0])" : "\(values)"
    case .numbers(let values): values.count == 1 ? "\(values[0])" : "\(values)"
    }
  }
}
