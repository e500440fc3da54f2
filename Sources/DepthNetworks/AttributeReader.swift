import DepthErrors
import NeuralEngine

/// Typed access to an archive's attributes. Errors state the attribute and the expected value.
struct AttributeReader {
  let archive: any WeightArchive

  /// The error for an attribute that is missing or has an unexpected value.
  ///
  /// - Parameter found: The value in the error; by default, the value of the attribute.
  func refused(_ name: String, _ expected: String, found: String? = nil) -> DepthError {
    let found = found ?? archive.attributeDescription(name) ?? "missing"
    return DepthError(
      .weightsMismatch, file: archive.name,
      "attribute '\(name)' is \(found), expected \(expected)")
  }

  func expect(_ name: String, _ text: String) throws {
    guard archive.text(name) == text else { throw refused(name, "'\(text)'") }
  }

  /// Checks the conventions of a published network's weights.
  func expectPublished(_ architecture: String) throws {
    try expect("architecture", architecture)
    try expect("format_name", "fcrn-hdf5")
    _ = try integer("format_version", in: 2...2)
    try expect("content", "weights")
    try expect("kernel_layout", "OIHW")
    try expect("channel_order", "RGB")
  }

  /// Returns whether the archive has an attribute of any type.
  func has(_ name: String) -> Bool { archive.attributeDescription(name) != nil }

  /// - Parameter others: Texts that other readers accept, for the error.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, or others: [String] = []
  ) throws -> Choice {
    if let choice = archive.text(name).flatMap(Choice.init) { return choice }
    let names = Choice.allCases.map(\.rawValue) + others
    throw refused(name, names.map { "'\($0)'" }.joined(separator: " or "))
  }

  func integers(
    _ name: String, count: Int, in range: ClosedRange<Int>, default standard: [Int]? = nil
  ) throws -> [Int] {
    if archive.attributeDescription(name) == nil, let standard { return standard }
    guard let values = archive.integers(name), values.count == count,
      values.allSatisfy(range.contains)
    else {
      throw refused(name, count == 1 ? "an integer in \(range)" : "\(count) integers in \(range)")
    }
    return values
  }

  func integer(
    _ name: String, in range: ClosedRange<Int>, default standard: Int? = nil
  ) throws -> Int {
    try integers(name, count: 1, in: range, default: standard.map { [$0] })[0]
  }

  func numbers(_ name: String, count: Int, in range: ClosedRange<Double>) throws -> [Double] {
    guard let values = archive.numbers(name), values.count == count,
      values.allSatisfy(range.contains)
    else {
      throw refused(name, count == 1 ? "a number in \(range)" : "\(count) numbers in \(range)")
    }
    return values
  }
}
