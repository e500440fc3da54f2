package import DepthErrors

extension DepthError {
  /// A tensor of the network is missing.
  package static func missingTensor(file: String, name: String, expected: [Int]) -> DepthError {
    DepthError(
      .weightsMismatch, file: file, "tensor '\(name)' is missing, expected shape \(text(expected))")
  }

  /// A tensor has another shape than the network expects.
  package static func shapeMismatch(
    file: String, name: String, expected: [Int], found: [Int]
  ) -> DepthError {
    DepthError(
      .weightsMismatch, file: file,
      "tensor '\(name)' has shape \(text(found)), expected \(text(expected))")
  }

  /// Tensors that the network does not use.
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

  /// A value that is finite and cannot be part of a network for depth.
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
