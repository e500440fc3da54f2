package import DepthErrors

extension DepthError {
  /// The error for a missing tensor.
  package static func missingTensor(file: String, name: String, expected: [Int]) -> DepthError {
    DepthError(
      .weightsMismatch, file: file, "tensor '\(name)' is missing, expected shape \(text(expected))")
  }

  /// The error for a tensor of another shape than the network expects.
  package static func shapeMismatch(
    file: String, name: String, expected: [Int], found: [Int]
  ) -> DepthError {
    DepthError(
      .weightsMismatch, file: file,
      "tensor '\(name)' has shape \(text(found)), expected \(text(expected))")
  }

  /// The error for tensors that the network does not use.
  package static func unusedTensors(file: String, names: [String]) -> DepthError {
    DepthError(
      .weightsMismatch, file: file,
      "\(names.count) tensors belong to no layer of the network, first '\(names.first ?? "")'")
  }

  /// The error for an infinite or NaN value.
  package static func nonFinite(file: String, name: String, index: Int) -> DepthError {
    DepthError(
      .damaged, file: file, "tensor '\(name)' holds a value that is not finite at index \(index)")
  }

  /// The error for a finite value that cannot belong to a depth network.
  package static func senseless(
    file: String, name: String, value: Float, index: Int, expected: String
  ) -> DepthError {
    DepthError(
      .damaged, file: file,
      "tensor '\(name)' holds \(value) at index \(index), expected \(expected)")
  }

  private static func text(_ shape: [Int]) -> String {
    shape.map(String.init).joined(separator: "×")
  }
}
