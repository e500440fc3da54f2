package import DepthErrors

extension DepthError {
  /// The file does not say something the loader must know.
  package static func missingAttribute(file: String, name: String, expected: String) -> DepthError {
    DepthError(
      .weightsMismatch, file: file, "attribute '\(name)' is missing, expected \(expected)")
  }

  /// The file says something the loader cannot honor.
  package static func unsupportedAttribute(
    file: String, name: String, expected: String, found: String
  ) -> DepthError {
    DepthError(
      .weightsMismatch, file: file, "attribute '\(name)' is \(found), expected \(expected)")
  }

  package static func missingTensor(file: String, name: String, expected: [Int]) -> DepthError {
    DepthError(
      .weightsMismatch, file: file, "tensor '\(name)' is missing, expected shape \(text(expected))")
  }

  package static func shapeMismatch(
    file: String, name: String, expected: [Int], found: [Int]
  ) -> DepthError {
    DepthError(
      .weightsMismatch, file: file,
      "tensor '\(name)' has shape \(text(found)), expected \(text(expected))")
  }

  /// Tensors that the described network has no use for.
  package static func unusedTensors(file: String, names: [String]) -> DepthError {
    DepthError(
      .weightsMismatch, file: file,
      "\(names.count) tensors belong to no layer of the network, first '\(names.first ?? "")'")
  }

  /// A value is infinite or NaN.
  package static func nonFinite(file: String, name: String, index: Int) -> DepthError {
    DepthError(
      .damaged, file: file, "tensor '\(name)' holds a value that is not finite at index \(index)")
  }

  private static func text(_ shape: [Int]) -> String {
    shape.map(String.init).joined(separator: "×")
  }
}
