import DepthBase
import DepthErrors
package import NeuralEngine
public import SystemEssentials

extension DepthEstimator {
  /// Loads the weights in the package, or the weights that the environment variable `DEPTH_WEIGHTS` names.
  ///
  /// - Parameters:
  ///   - threads: Threads to use, 1…256. The default is the number of processors, but at most `OMP_NUM_THREADS`.
  ///   - precision: The arithmetic of convolutions.
  /// - Throws: `DepthError` if the weights are missing or damaged. The code is `invalidArgument` for a number of threads outside
  ///   1…256, and if `DEPTH_ISA` is not one of this machine's instruction sets.
  public init(threads: Int? = nil, precision: Precision = .auto) throws {
    try self.init(
      WeightsSelection(named: "default"), threads: threads, precision: precision)
  }

  /// Loads the weights in an HDF5 file.
  ///
  /// - Parameters:
  ///   - weights: A file in the format of `Documentation/Development/Weights-format.md`.
  ///   - averagesMirrored: Whether the network also estimates the photo's mirror image, for twice the time.
  ///   - threads: Threads to use, 1…256; as many as there are processors by default.
  ///   - precision: The arithmetic of convolutions.
  /// - Throws: `DepthError` that names the faulty tensor or attribute; with code `invalidArgument` for a number of threads outside
  ///   1…256.
  public init(
    weights: URL, averagesMirrored: Bool = false, threads: Int? = nil,
    precision: Precision = .auto
  ) throws {
    try self.init(
      weights: [weights], averagesMirrored: averagesMirrored, threads: threads,
      precision: precision)
  }

  /// Loads the weights of several networks. Their depths are averaged into one estimate.
  ///
  /// - Parameters:
  ///   - weights: 1 to 16 files in the format of `Documentation/Development/Weights-format.md`. Their networks may differ in size and input size, but must have
  ///     maps of one size, in metres, and the same training camera.
  ///   - averagesMirrored: Whether each network also estimates the photo's mirror image, for twice the time.
  ///   - threads: Threads to use, 1…256; as many as there are processors by default.
  ///   - precision: The arithmetic of convolutions.
  /// - Throws: `DepthError` that names the faulty file; with code `invalidArgument` for a number of files or threads outside its range.
  public init(
    weights: [URL], averagesMirrored: Bool = false, threads: Int? = nil,
    precision: Precision = .auto
  ) throws {
    try self.init(
      WeightsSelection(files: weights, averagesMirrored: averagesMirrored), threads: threads,
      precision: precision)
  }

  /// Loads weights that are in memory, with the same checks as a file: nothing is used of bytes whose checksum
  /// differs. If the layout of the HDF5 differs from that of the package's own files, a child process parses it.
  ///
  /// - Parameters:
  ///   - weights: The bytes of a file in the format of `Documentation/Development/Weights-format.md`, or of published weights. Loading
  ///     makes a copy of them; afterwards neither the copy nor the argument is needed.
  ///   - name: The name of the weights in error messages.
  ///   - kind: What published weights were trained on; `nil` where `name` is a published one, and for other weights.
  ///   - averagesMirrored: Whether the network also estimates the photo's mirror image, for twice the time.
  ///   - threads: Threads to use, 1…256; as many as there are processors by default.
  ///   - precision: The arithmetic of convolutions.
  /// - Throws: `DepthError` that names the faulty tensor or attribute.
  public init(
    weights: Data, name: String = "the weights in memory", kind: WeightsKind? = nil,
    averagesMirrored: Bool = false,
    threads: Int? = nil, precision: Precision = .auto
  ) throws {
    try self.init(
      [.memory(weights, name: name, kind: kind)], averagesMirrored: averagesMirrored,
      threads: threads,
      call: CallContext(threads: ThreadCount.checked(threads)), precision: precision)
  }

  /// Loads weights that are in memory, for an input size of the caller's.
  package init(weights: Data, inputSize: Int?, threads: Int?, precision: Precision) throws {
    try self.init(
      [.memory(weights, name: "the weights in memory")], averagesMirrored: false, threads: threads,
      call: CallContext(threads: ThreadCount.checked(threads)), precision: precision,
      inputSize: inputSize)
  }

  /// Loads the selected weights.
  ///
  /// - Parameters:
  ///   - selection: 1 to 16 files.
  ///   - threads: Threads to use, 1…256; as many as there are processors by default.
  ///   - precision: The arithmetic of convolutions.
  /// - Throws: `DepthError` that names the faulty file; with code `invalidArgument` for a number of files or threads outside its range.
  public init(
    _ selection: WeightsSelection, threads: Int? = nil, precision: Precision = .auto
  ) throws {
    try self.init(selection, threads: threads, loadingThreads: nil, precision: precision)
  }

  /// - Parameters:
  ///   - loadingThreads: Threads that read and transform weights; `threads` by default.
  ///   - backend: The matrix-multiplication back end.
  ///   - keepsWeights: Whether the weights are packed once, for many photos. Otherwise they are packed again for each
  ///     photo: for one, this takes less time and much less memory.
  package init(
    _ selection: WeightsSelection, threads: Int?, loadingThreads: Int? = nil,
    backend: GEMMBackend = .best, precision: Precision = .auto, keepsWeights: Bool = true
  ) throws {
    try self.init(
      selection.sources, averagesMirrored: selection.averagesMirrored,
      threads: threads,
      call: CallContext(threads: ThreadCount.checked(loadingThreads ?? threads)), backend: backend,
      precision: precision, inputSize: selection.inputSize, keepsWeights: keepsWeights)
  }
}

/// Loading without blocking Swift's cooperative threads. Each initializer throws the errors of its blocking form, and
/// `CancellationError` soon after its task is cancelled.
extension DepthEstimator {
  /// ``init(threads:precision:)`` without blocking.
  ///
  /// - Parameters:
  ///   - threads: Threads to use, 1…256; `nil` for one per processor.
  ///   - precision: The networks' arithmetic.
  ///   - progress: Called with the share done, 0…1, from any thread.
  /// - Throws: `DepthError`; `CancellationError`.
  public init(
    threads: Int? = nil, precision: Precision = .auto,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    try await self.init(
      WeightsSelection(named: "default"), threads: threads, precision: precision,
      progress: progress)
  }

  /// ``init(_:threads:precision:)`` without blocking.
  ///
  /// - Parameters:
  ///   - selection: The weights files, and whether their networks also estimate the mirrored photo.
  ///   - threads: Threads to use, 1…256; `nil` for one per processor.
  ///   - precision: The networks' arithmetic.
  ///   - progress: Called with the share done, 0…1, from any thread.
  /// - Throws: `DepthError`; `CancellationError`.
  public init(
    _ selection: WeightsSelection, threads: Int? = nil, precision: Precision = .auto,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    self = try await CallQueue.shared.run(
      threads: ThreadCount.checked(threads), progress: progress
    ) {
      try DepthEstimator(
        selection.sources, averagesMirrored: selection.averagesMirrored,
        threads: threads, call: $0, precision: precision, inputSize: selection.inputSize)
    }
  }

  /// ``init(weights:name:kind:averagesMirrored:threads:precision:)`` without blocking.
  ///
  /// - Parameters:
  ///   - weights: The bytes of a file of weights.
  ///   - name: The name of the weights in error messages.
  ///   - kind: What published weights were trained on; `nil` where `name` is a published one, and for other weights.
  ///   - averagesMirrored: Whether the network also estimates the photo's mirror image, for twice the time.
  ///   - threads: Threads to use, 1…256; `nil` for one per processor.
  ///   - precision: The networks' arithmetic.
  ///   - progress: Called with the share done, 0…1, from any thread.
  /// - Throws: `DepthError`; `CancellationError`.
  public init(
    weights: Data, name: String = "the weights in memory", kind: WeightsKind? = nil,
    averagesMirrored: Bool = false,
    threads: Int? = nil, precision: Precision = .auto,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    self = try await CallQueue.shared.run(
      threads: ThreadCount.checked(threads), progress: progress
    ) {
      try DepthEstimator(
        [.memory(weights, name: name, kind: kind)], averagesMirrored: averagesMirrored,
        threads: threads,
        call: $0, precision: precision)
    }
  }
}
