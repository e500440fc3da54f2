import DepthBase
import DepthErrors
import DepthNetworks
import NeuralEngine
public import SystemEssentials
public import WeightsFiles

/// The weights of the networks for one joint estimate: by name, in files or in memory.
///
/// ```swift
/// var weights = WeightsSelection.default
/// weights.averagesMirrored = true  // also estimates the mirrored photo, for twice the time
/// let averaging = try DepthEstimator(weights)
/// let other = try DepthEstimator(.file(url))
/// ```
public struct WeightsSelection: Sendable, Hashable {
  /// The name of weights, or one source per network.
  private enum Choice: Sendable, Hashable {
    case named(String)
    case sources([WeightsSource])
  }

  private let choice: Choice
  /// Whether each network also estimates the photo's mirror image, for twice the time.
  public var averagesMirrored = false
  /// The shorter input side in pixels for networks that keep a photo's proportions. Depth Anything V2 requires a multiple of 14
  /// from 252 to 1036, by default 518. ZipDepth requires a multiple of 32 from 192 to 1024, by default 384. `nil` is the
  /// default. Smaller inputs are faster, and larger inputs have finer detail.
  public var inputSize: Int?
  /// The approximate number of 14 × 14 patches of MoGe-2's input, 400 to 3600; `nil` means 1200. More patches give finer
  /// detail: 3600 take about four times as long as 1200.
  public var tokens: Int?
  /// Whether MoGe-2 also estimates normals, for a quarter more time; see ``DepthEstimate/normals``.
  public var givesNormals = false
  /// The training data of published weights of Depth Anything V2, if neither file name nor `config.json` specifies it.
  public var kind: WeightsKind?

  /// The weights in the package, unless the environment variable `DEPTH_WEIGHTS` replaces them. The variable's value is one or
  /// several paths or names of ``named(_:)``, separated by `:`.
  public static let `default` = named("default")

  /// The weights in the package, regardless of `DEPTH_WEIGHTS`.
  public static let compact = named("compact")

  /// Weights by name: `default`, `compact`, or a published network such as `depth-anything-v2-small`.
  ///
  /// Named weights are loaded only from folders of the installed program. These are relative to the folder of the executable
  /// (after symbolic links are resolved): `swift-depth_DepthWeights.resources`, `Weights`, then `../share/swift-depth/Weights`.
  /// Fetched weights are also loaded from the user's data folder. Loading throws `DepthError` with code `missingWeights` if no
  /// folder contains the weights, or with code `unreadable` if `DEPTH_WEIGHTS` names a missing file.
  public static func named(_ name: String) -> WeightsSelection {
    WeightsSelection(.named(name))
  }

  /// Weights in a file: HDF5, or published weights of Depth Anything V2 (`.safetensors`, `.pth`).
  public static func file(_ url: URL) -> WeightsSelection { files([url]) }

  /// Weights in several files, one per network.
  public static func files(_ urls: [URL]) -> WeightsSelection {
    WeightsSelection(.sources(urls.map(WeightsSource.file)))
  }

  /// Weights in memory.
  ///
  /// - Parameters:
  ///   - bytes: The content of a file. Loading copies the content; after loading, neither the copy nor the argument is needed.
  ///   - name: The name of the weights in errors.
  public static func data(
    _ bytes: Data, name: String = "the weights in memory"
  ) -> WeightsSelection {
    WeightsSelection(.sources([.memory(bytes, name: name)]))
  }

  private init(_ choice: Choice) { self.choice = choice }

  /// Selects files by path.
  package init(
    files: [URL], averagesMirrored: Bool = false, inputSize: Int? = nil, kind: WeightsKind? = nil
  ) {
    choice = .sources(files.map(WeightsSource.file))
    (self.averagesMirrored, self.inputSize, self.kind) = (averagesMirrored, inputSize, kind)
  }

  /// The selected files; empty for other sources.
  package var files: [URL] {
    guard case .sources(let sources) = choice else { return [] }
    return sources.compactMap(\.file)
  }

  /// One source per network, with the files of a named selection.
  ///
  /// - Throws: `DepthError`; see ``named(_:)``.
  func sources() throws -> [WeightsSource] {
    switch choice {
    case .named(let name): try WeightsSelection(named: [name]).files.map(WeightsSource.file)
    case .sources(let sources): sources
    }
  }

  /// The input sides that a kind of network supports.
  package struct InputSides: Sendable {
    let range: ClosedRange<Int>
    let cell: Int

    static let depthAnything = InputSides(
      range: DepthAnythingConfiguration.inputSides, cell: DepthAnythingConfiguration.patch)
    static let zipDepth = InputSides(
      range: ZipDepthConfiguration.inputSides, cell: ZipDepthConfiguration.cell)
    /// The sides of all networks with a variable input size.
    package static let all = [depthAnything, zipDepth]

    fileprivate var text: String {
      "a multiple of \(cell) from \(range.lowerBound) to \(range.upperBound)"
    }
  }

  /// Rejects an ``inputSize`` that no network of some kinds supports.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`, under the name `name`.
  package static func check(
    inputSize side: Int, named name: String, among kinds: [InputSides] = InputSides.all
  ) throws {
    guard kinds.contains(where: { $0.range.contains(side) && side % $0.cell == 0 }) else {
      throw DepthError.invalidArgument(
        name: name, found: "\(side)", expected: kinds.map(\.text).joined(separator: ", or "))
    }
  }

  /// Rejects an unsupported number of ``tokens``.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`, under the name `name`.
  package static func check(tokens: Int, named name: String) throws {
    let counts = MoGe2Configuration.tokenCounts
    try tokens.checked(in: counts, name, "\(counts.lowerBound) to \(counts.upperBound)")
  }

  /// The name in tables, such as `fcrn-lite2-nyu-int8+mirrored`.
  package var name: String {
    (files.map { $0.deletingPathExtension().lastPathComponent }
      + (averagesMirrored ? ["mirrored"] : []) + (inputSize.map { ["input\($0)"] } ?? [])
      + (tokens.map { ["tokens\($0)"] } ?? [])).joined(
        separator: "+")
  }
}

/// The requested arithmetic of a network's layers. ``Arithmetic`` is the actual arithmetic.
///
/// The request does not depend on the number format of the weights file.
///
/// ```swift
/// let exact = try DepthEstimator(precision: .float32)
/// print(try DepthEstimator().precision)  // int8: the weights state that it loses little
/// ```
public enum Precision: String, Sendable, Codable, CaseIterable {
  /// 32-bit floats.
  case float32
  /// 8-bit integers. The results of integer layers are equal bit by bit on every processor.
  ///
  /// FCRN computes its last layer in 32-bit floats, and also its first layer unless the input has whole pixel values. Weights
  /// of FCRN need activation scales in their file. Depth Anything V2 uses integers only in its transformer's linear layers and
  /// in products of queries and keys. The scales of these integers are measured per token in each run.
  case int8
  /// ``int8`` if the weights file records a loss of δ1 by integers of at most 0.002, otherwise ``float32``. With several
  /// weights files, every file must record such a loss.
  ///
  /// For FCRN, the weights file alone decides, so a photo has the same depth on every processor. For Depth Anything V2, the
  /// processor must also have instructions for 8-bit products.
  case auto

  /// The largest loss of δ1 for which ``auto`` selects ``int8``. δ1 is the share of pixels, 0…1, whose depth is within a factor
  /// of 1.25 of the truth.
  package static let largestLoss = 0.002
}

extension Precision {
  /// The attribute of a weights file for the loss of δ1 by `int8`.
  static let lossAttribute = "int8_delta1_loss"

  /// The instruction set of integer layers; `nil` for floats.
  ///
  /// - Throws: `DepthError` with code `weightsMismatch` for ``int8`` with weights that are not calibrated.
  func int8(
    for archive: some WeightArchive, output: Node, backend: GEMMBackend
  ) throws -> Int8InstructionSet? {
    // This value is computed only if needed, since AMX requires a permission of the system.
    var set: Int8InstructionSet { .best(for: backend.instructionSet) }
    switch self {
    case .float32: return nil
    case .int8:
      guard try output.measuresScales || output.isCalibrated else {
        throw DepthError(
          .weightsMismatch, file: archive.name,
          "has no activation scales, which int8 needs", cause: SettingAtFault.activationScales)
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
