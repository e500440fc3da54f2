import DepthErrors
import Synchronization

/// A network's view of an archive: which conventions hold, and which tensors it has asked for.
///
/// Building a layer is asking for its tensors: each is checked for its presence and shape there and
/// then, and ``requireEverythingUsed()`` refuses an archive that holds anything no layer wanted.
public final class WeightScope: Sendable {
  public let archive: any WeightArchive
  /// What keeps batch norm's division finite; 1e-4 in the published model.
  public let batchNormEpsilon: Double
  /// Whether batch norm is already part of the kernels: then every convolution has a bias, and there
  /// are no batch-norm tensors.
  public let isFolded: Bool
  private let used = Mutex<Set<String>>([])

  public init(_ archive: any WeightArchive, batchNormEpsilon: Double, isFolded: Bool) {
    self.archive = archive
    self.batchNormEpsilon = batchNormEpsilon
    self.isFolded = isFolded
  }

  /// Notes that a tensor is wanted and checks that the archive has it in this shape.
  ///
  /// - Throws: ``DepthError`` with code `missingTensor` or
  ///   ``DepthError`` with code `shapeMismatch`.
  func require(_ tensor: String, shape: [Int]) throws {
    guard let found = archive.shapes[tensor] else {
      throw DepthError.missingTensor(file: archive.name, name: tensor, expected: shape)
    }
    guard found == shape else {
      throw DepthError.shapeMismatch(
        file: archive.name, name: tensor, expected: shape, found: found)
    }
    used.withLock { _ = $0.insert(tensor) }
  }

  /// One value a channel.
  ///
  /// - Throws: ``DepthError`` when the tensor is missing, has another length or is not finite.
  func vector(_ tensor: String, count: Int) throws -> [Float] {
    try require(tensor, shape: [count])
    let values = try archive.elements(of: tensor)
    try Self.requireFinite(values, of: tensor, in: archive)
    return values
  }

  /// - Throws: ``DepthError`` with code `unusedTensors` when the archive holds tensors that no layer
  ///   asked for.
  public func requireEverythingUsed() throws {
    let unused = used.withLock { used in archive.shapes.keys.filter { !used.contains($0) } }
    guard unused.isEmpty else {
      throw DepthError.unusedTensors(file: archive.name, names: unused.sorted())
    }
  }

  /// - Parameter first: Index in the tensor of the first of `values`.
  static func requireFinite(
    _ values: [Float], of tensor: String, first: Int = 0, in archive: any WeightArchive
  ) throws {
    // Exponents of all ones are infinities and NaN. This loop vectorises; the search runs only after it.
    let exponent: UInt32 = 0x7F80_0000
    var anyNonFinite = false
    for value in values { anyNonFinite = anyNonFinite || value.bitPattern & exponent == exponent }
    if anyNonFinite, let index = values.firstIndex(where: { !$0.isFinite }) {
      throw DepthError.nonFinite(file: archive.name, name: tensor, index: first + index)
    }
  }
}
