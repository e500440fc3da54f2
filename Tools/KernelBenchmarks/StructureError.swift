public import SystemEssentials

/// A file of layer shapes that cannot be read.
public enum StructureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// - line: From 1.
  case malformedLine(line: Int, expected: String, found: String)
  case noLayers

  public var description: String {
    switch self {
    case .malformedLine(let line, let expected, let found):
      "line \(line) of the layer shapes is '\(found)', expected \(expected)"
    case .noLayers: "the layer shapes name no layer"
    }
  }
}

extension StructureError: LocalizedError {
  public var errorDescription: String? { description }
}
