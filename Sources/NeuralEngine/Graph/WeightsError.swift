#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a weights file cannot be used.
public enum WeightsError: Error, Equatable, Sendable {
  /// The file cannot be opened, is damaged, or is not in the expected format.
  case unreadable(file: String, reason: String)
  /// The file does not say something the loader must know.
  case missingAttribute(file: String, name: String, expected: String)
  /// The file says something the loader cannot honour.
  case unsupportedAttribute(file: String, name: String, expected: String, found: String)
  case missingTensor(file: String, name: String, expected: [Int])
  case shapeMismatch(file: String, name: String, expected: [Int], found: [Int])
  /// Tensors that the described network has no use for.
  case unusedTensors(file: String, names: [String])
  /// A value is infinite or not a number.
  case nonFinite(file: String, name: String, index: Int)
}

extension WeightsError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let file, let reason):
      "\(file): \(reason)"
    case .missingAttribute(let file, let name, let expected):
      "\(file): attribute '\(name)' is missing, expected \(expected)"
    case .unsupportedAttribute(let file, let name, let expected, let found):
      "\(file): attribute '\(name)' is \(found), expected \(expected)"
    case .missingTensor(let file, let name, let expected):
      "\(file): tensor '\(name)' is missing, expected shape \(Self.text(expected))"
    case .shapeMismatch(let file, let name, let expected, let found):
      "\(file): tensor '\(name)' has shape \(Self.text(found)), expected \(Self.text(expected))"
    case .unusedTensors(let file, let names):
      "\(file): \(names.count) tensors belong to no layer of the network, "
        + "first '\(names.first ?? "")'"
    case .nonFinite(let file, let name, let index):
      "\(file): tensor '\(name)' holds a value that is not finite at index \(index)"
    }
  }

  private static func text(_ shape: [Int]) -> String {
    shape.map(String.init).joined(separator: "×")
  }
}

extension WeightsError: LocalizedError {
  public var errorDescription: String? { description }
}
