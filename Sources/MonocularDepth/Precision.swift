import DepthErrors
import NetworkWeights
import NeuralEngine
import SIMDKernels

/// The arithmetic of a network's convolutions; independent of how a weights file stores its numbers.
///
/// ```swift
/// let fast = try DepthEstimator(precision: .auto)
/// print(fast.precision)  // int8 where the processor multiplies bytes and the loss is small
/// ```
public enum Precision: String, Sendable, CaseIterable {
  /// 32-bit floats.
  case float32
  /// 8-bit integers, with the last layer in 32-bit floats, and the first one too where the network reads anything but
  /// whole pixels: needs weights that `depth weights calibrate`
  /// has calibrated. Integer layers give the same bits on every processor.
  case int8
  /// The fastest that loses at most ``largestLoss`` of δ1, as the weights file states it; 32-bit floats where the
  /// processor has no instruction for products of bytes.
  case auto

  /// What ``auto`` may lose of δ1, the share of pixels within 1.25 times the truth.
  public static let largestLoss = 0.002
}

extension Precision {
  /// The attribute of a weights file that says how much of δ1 `int8` loses.
  package static let lossAttribute = "int8_delta1_loss"

  /// The instruction set of layers that compute with integers; `nil` for floats.
  ///
  /// - Throws: `DepthError` with code `weightsMismatch` for ``int8`` with weights that are not calibrated.
  func codes(
    for archive: some WeightArchive, output: Node, backend: GEMMBackend
  ) throws -> CodeInstructionSet? {
    // Only where it is needed: with AMX it asks the system for a permission.
    var set: CodeInstructionSet { .best(for: backend.instructionSet) }
    switch self {
    case .float32: return nil
    case .int8:
      guard try output.isCalibrated else {
        throw DepthError(
          .weightsMismatch, file: archive.name,
          "has no scales of activations for --precision int8; 'depth weights calibrate' adds them")
      }
      return set
    case .auto:
      guard set.multipliesBytes, let loss = archive.numbers(Self.lossAttribute)?.first,
        loss <= Self.largestLoss, try output.isCalibrated
      else { return nil }
      return set
    }
  }
}
