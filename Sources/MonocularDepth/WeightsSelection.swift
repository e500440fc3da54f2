import DepthBase
import DepthErrors
import DepthNetworks
import NeuralEngine
public import SystemEssentials

/// Weights files whose networks give one estimate together.
///
/// ```swift
/// let small = try DepthEstimator(WeightsSelection(named: "compact"))
/// let averaging = try DepthEstimator(WeightsSelection(files: [url], averagesMirrored: true))
/// ```
public struct WeightsSelection: Sendable, Hashable {
  /// How many networks one estimate may combine.
  package static let counts = 1...16

  /// One file for each network.
  public var files: [URL]
  /// Whether each network also estimates the photo's mirror image.
  public var averagesMirrored: Bool
  /// The shorter side, in pixels, of the input of networks that keep a photo's proportions, which are those of Depth Anything V2: a
  /// multiple of 14 from 252 to 1036. `nil` means the size of the training, 518. A smaller input is faster, a larger one gives finer
  /// detail.
  public var inputSize: Int?
  /// The training data of published weights of Depth Anything V2, for files whose name and `config.json` do not say it.
  public var kind: WeightsKind?

  /// - Parameters:
  ///   - files: One file for each network: HDF5, or weights of Depth Anything V2 as they are published (`.safetensors`, `.pth`).
  ///   - averagesMirrored: Whether each network also estimates the photo's mirror image.
  ///   - inputSize: The shorter side of the input of networks that keep a photo's proportions; `nil` means the size of the training.
  ///   - kind: What published weights were trained on; `nil` where their files say it.
  public init(
    files: [URL], averagesMirrored: Bool = false, inputSize: Int? = nil, kind: WeightsKind? = nil
  ) {
    (self.files, self.averagesMirrored) = (files, averagesMirrored)
    (self.inputSize, self.kind) = (inputSize, kind)
  }

  var sources: [WeightsSource] { files.map { .file($0, kind: kind) } }

  /// Refuses an ``inputSize`` that no network takes.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`, which calls it by `name`.
  package static func check(inputSize side: Int, named name: String) throws {
    let (range, patch) = (
      DepthAnythingConfiguration.inputSides, DepthAnythingConfiguration.patch
    )
    guard range.contains(side), side % patch == 0 else {
      throw DepthError.invalidArgument(
        name: name, found: "\(side)",
        expected: "a multiple of \(patch) in \(range.lowerBound) to \(range.upperBound)")
    }
  }

  /// The name in tables: `fcrn18-nyu-int8+fcrn-lite2-nyu-int8`.
  package var name: String {
    (files.map { $0.deletingPathExtension().lastPathComponent }
      + (averagesMirrored ? ["mirrored"] : []) + (inputSize.map { ["input\($0)"] } ?? [])).joined(
        separator: "+")
  }
}

/// The arithmetic of a network's layers. It does not depend on the number format in which a weights file stores them.
///
/// ```swift
/// let exact = try DepthEstimator(precision: .float32)
/// print(try DepthEstimator().precision)  // int8: the weights state that it loses little
/// ```
public enum Precision: String, Sendable, CaseIterable {
  /// 32-bit floats.
  case float32
  /// 8-bit integers. Integer layers give the same bits on every processor.
  ///
  /// FCRN computes its last layer in 32-bit floats, and also its first layer if the network's input is not whole pixel
  /// values. Weights of FCRN need activation scales, which `depth weights calibrate` adds. Depth Anything V2 computes
  /// only the linear layers of its transformer with integers; their scales are measured for each token during the run.
  /// Where the processor has AVX512-BF16, AMX-BF16 or, on arm64, FEAT_BF16, its attention rounds what it multiplies to
  /// bfloat16.
  case int8
  /// ``int8`` if the weights file records that integers lower δ1 by at most ``largestLoss``, otherwise ``float32``.
  /// With several weights files, ``int8`` is chosen only if this holds for all of them.
  ///
  /// For FCRN the weights file alone decides, so a photo has the same depth on every processor. For Depth Anything V2
  /// the processor must also have instructions for 8-bit products.
  case auto

  /// The largest loss of δ1 with which ``auto`` chooses ``int8``. δ1 is the share of pixels, 0…1, whose depth is within
  /// a factor of 1.25 of the truth.
  public static let largestLoss = 0.002
}

extension Precision {
  /// The attribute of a weights file that records by how much `int8` lowers δ1.
  static let lossAttribute = "int8_delta1_loss"

  /// The instruction set of layers that compute with integers; `nil` for floats.
  ///
  /// - Throws: `DepthError` with code `weightsMismatch` for ``int8`` with weights that are not calibrated.
  func int8(
    for archive: some WeightArchive, output: Node, backend: GEMMBackend
  ) throws -> Int8InstructionSet? {
    // Only where it is needed: with AMX it asks the system for a permission.
    var set: Int8InstructionSet { .best(for: backend.instructionSet) }
    switch self {
    case .float32: return nil
    case .int8:
      guard try output.hasTokens || output.isCalibrated else {
        throw DepthError(
          .weightsMismatch, file: archive.name,
          "has no activation scales, which int8 needs; 'depth weights calibrate' adds them")
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
