import DepthBase
import DepthErrors

/// A network's view of an archive: the archive's conventions, and the tensors used so far.
///
/// Building a layer checks the presence and shapes of its tensors. ``requireEverythingUsed()`` rejects an archive with
/// unused tensors.
package final class WeightScope: Sendable {
  package let archive: any WeightArchive
  /// Number that is added to the variance of batch norm before the division; 1e-4 in the published model.
  package let batchNormEpsilon: Double
  /// Whether batch norm is already folded into the kernels. Then every convolution has a bias, and the archive has no
  /// batch-norm tensors.
  package let isFolded: Bool
  private let used = Monitor<Set<String>>([])

  package init(_ archive: any WeightArchive, batchNormEpsilon: Double, isFolded: Bool) {
    self.archive = archive
    self.batchNormEpsilon = batchNormEpsilon
    self.isFolded = isFolded
  }

  /// Marks a tensor as used and checks its shape.
  ///
  /// - Throws: `DepthError` with code `weightsMismatch` when the tensor is missing or has another
  ///   shape.
  func require(_ tensor: String, shape: [Int]) throws {
    guard let found = archive.shapes[tensor] else {
      throw DepthError.missingTensor(file: archive.name, name: tensor, expected: shape)
    }
    guard found == shape else {
      throw DepthError.shapeMismatch(
        file: archive.name, name: tensor, expected: shape, found: found)
    }
    used.update { _ = $0.insert(tensor) }
  }

  /// The values of a tensor with one value per channel.
  ///
  /// - Throws: `DepthError` when the tensor is missing, has another length or is not finite.
  func vector(_ tensor: String, count: Int) throws -> [Float] {
    try values(tensor, shape: [count])
  }

  /// The values of a tensor that is not a kernel.
  ///
  /// - Throws: `DepthError` when the tensor is missing, has another shape or is not finite.
  func values(_ tensor: String, shape: [Int]) throws -> [Float] {
    try require(tensor, shape: shape)
    let values = try archive.elements(of: tensor)
    try Self.requireFinite(values, of: tensor, in: archive)
    return values
  }

  /// Checks that every tensor of the archive belongs to a layer.
  ///
  /// - Throws: `DepthError` with code `weightsMismatch` when the archive has other tensors.
  package func requireEverythingUsed() throws {
    let unused = used.read { used in archive.shapes.keys.filter { !used.contains($0) } }
    guard unused.isEmpty else {
      throw DepthError.unusedTensors(file: archive.name, names: unused.sorted())
    }
  }

  /// The largest plausible magnitude of a value in a network from bytes to metres. Weights and biases are below 100.
  /// Variances of batch norm are the largest numbers in a file, and are below 10⁵.
  static let largestMagnitude: Float = 0x1p20

  /// Checks that values are finite and smaller than ``largestMagnitude``.
  ///
  /// - Parameter first: Index of `values[0]` in the tensor.
  /// - Throws: `DepthError` with code `damaged` for the first invalid value.
  static func requireFinite(
    _ values: [Float], of tensor: String, first: Int = 0, in archive: any WeightArchive
  ) throws {
    // Exponents from the limit on, including the all-one exponents of infinities and NaN, carry into the sign. The
    // baseline set has no integer maximum, but has these three operations. The search rarely runs.
    let exponent: UInt32 = 0x7F80_0000
    let distance = 0x8000_0000 - largestMagnitude.bitPattern
    let carries = values.reduce(into: UInt32(0)) {
      $0 |= ($1.bitPattern & exponent) &+ distance
    }
    if carries >> 31 == 1,
      let index = values.firstIndex(where: { !($0.magnitude < largestMagnitude) })
    {
      guard values[index].isFinite else {
        throw DepthError.nonFinite(file: archive.name, name: tensor, index: first + index)
      }
      throw DepthError.senseless(
        file: archive.name, name: tensor, value: values[index], index: first + index,
        expected: "a magnitude below \(Int(largestMagnitude))")
    }
  }
}
