import DepthErrors
import NetworkWeights
import NeuralEngine
import SIMDKernels

/// The arithmetic of a network's convolutions; independent of how a weights file stores its numbers.
///
/// ```swift
/// let exact = try DepthEstimator(precision: .float32)
/// print(try DepthEstimator().precision)  // int8: the weights state that it loses little
/// ```
public enum Precision: String, Sendable, CaseIterable {
  /// 32-bit floats.
  case float32
  /// Maps and weights rounded to bfloat16 where that is faster, with sums, residuals and all other layers in 32-bit floats:
  /// needs a processor with AVX512-BF16, AMX-BF16 or, on arm64, FEAT_BF16.
  case bfloat16
  /// 8-bit integers. For FCRN with the last layer in 32-bit floats, and the first one too where the network reads anything but
  /// whole pixels: needs weights that `depth weights calibrate` has calibrated. For Depth Anything V2 the linear layers of
  /// its transformer alone, whose tokens get their scales while the network runs; the other products are ``bfloat16`` where the
  /// processor has it. Integer layers give the same bits on every processor.
  case int8
  /// ``int8`` where it loses at most ``largestLoss`` of δ1, as the weights file states it; 32-bit floats elsewhere. Of
  /// FCRN the weights alone decide, so that a photo has the same depth on every processor; of Depth Anything V2 also whether the
  /// processor multiplies bytes.
  case auto

  /// What ``auto`` may lose of δ1, the share of pixels within 1.25 times the truth.
  public static let largestLoss = 0.002
}

extension Precision {
  /// The attribute of a weights file that says how much of δ1 `int8` loses.
  package static let lossAttribute = "int8_delta1_loss"

  /// The instruction set of layers that compute in bfloat16; `nil` for the other precisions.
  ///
  /// - Throws: `DepthError` with code `invalidArgument` for ``bfloat16`` where the processor has none.
  func bfloat16(backend: GEMMBackend) throws -> BFloat16InstructionSet? {
    guard self == .bfloat16 else { return nil }
    guard let set = BFloat16InstructionSet.best(for: backend.instructionSet) else {
      throw DepthError(
        .invalidArgument,
        "the precision is bfloat16, which needs a processor with AVX512-BF16, AMX-BF16 or FEAT_BF16; use int8, auto or float32"
      )
    }
    return set
  }

  /// The instruction set of layers that compute with integers; `nil` for floats.
  ///
  /// - Throws: `DepthError` with code `weightsMismatch` for ``int8`` with weights that are not calibrated.
  func codes(
    for archive: some WeightArchive, output: Node, backend: GEMMBackend
  ) throws -> CodeInstructionSet? {
    // Only where it is needed: with AMX it asks the system for a permission.
    var set: CodeInstructionSet { .best(for: backend.instructionSet) }
    switch self {
    case .float32, .bfloat16: return nil
    case .int8:
      guard try output.hasTokens || output.isCalibrated else {
        throw DepthError(
          .weightsMismatch, file: archive.name,
          "has no activation scales for --precision int8; 'depth weights calibrate' adds them")
      }
      return set
    case .auto:
      guard let loss = archive.numbers(Self.lossAttribute)?.first, loss <= Self.largestLoss,
        try output.isCalibrated || output.hasTokens && set.multipliesBytes
      else { return nil }
      return set
    }
  }
}
