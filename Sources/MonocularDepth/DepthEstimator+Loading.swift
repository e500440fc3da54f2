import DepthErrors
package import NeuralEngine
import ProcessLimits
public import SystemEssentials
import ThreadTeams

extension DepthEstimator {
  /// Loads the weights that come with the package, or those that `DEPTH_WEIGHTS` names.
  ///
  /// - Parameters:
  ///   - threads: Threads to use, 1…256; as many as there are processors by default, and no more
  ///     than `OMP_NUM_THREADS`.
  ///   - precision: The arithmetic of convolutions.
  /// - Throws: `DepthError` when there are no weights, or they are damaged; with code
  ///   `invalidArgument` for another number of threads, and when `DEPTH_ISA` is not one of this
  ///   machine's instruction sets.
  public init(threads: Int? = nil, precision: Precision = .auto) throws {
    try self.init(
      WeightsSelection(named: "default"), threads: threads, precision: precision)
  }

  /// Loads the weights in an HDF5 file.
  ///
  /// - Parameters:
  ///   - weights: A file as `Weights/README.md` describes it.
  ///   - averagesMirrored: Whether the network sees the photo's mirror image as well.
  ///   - threads: Threads to use, 1…256; as many as there are processors by default.
  ///   - precision: The arithmetic of convolutions.
  /// - Throws: `DepthError`, naming the tensor or attribute at fault; with code `invalidArgument` for another
  ///   number of threads.
  public init(
    weights: URL, averagesMirrored: Bool = false, threads: Int? = nil,
    precision: Precision = .auto
  ) throws {
    try self.init(
      weights: [weights], averagesMirrored: averagesMirrored, threads: threads,
      precision: precision)
  }

  /// Loads the weights of several networks, which make one estimate together.
  ///
  /// - Parameters:
  ///   - weights: 1 to 16 files as `Weights/README.md` describes them. Their networks may differ in size and
  ///     input, but not in the size of their maps.
  ///   - averagesMirrored: Whether each network sees the photo's mirror image as well.
  ///   - threads: Threads to use, 1…256; as many as there are processors by default.
  ///   - precision: The arithmetic of convolutions.
  /// - Throws: `DepthError`, naming the file at fault; with code `invalidArgument` for another number of files or
  ///   threads.
  public init(
    weights: [URL], averagesMirrored: Bool = false, threads: Int? = nil,
    precision: Precision = .auto
  ) throws {
    try self.init(
      WeightsSelection(files: weights, averagesMirrored: averagesMirrored), threads: threads,
      precision: precision)
  }

  /// Loads weights that are in memory, with the checks of a file: checksums before anything is parsed, and HDF5 in
  /// a child process.
  ///
  /// - Parameters:
  ///   - weights: The bytes of a file as `Weights/README.md` describes it. While they are loaded there is a copy of
  ///     them; afterwards neither is needed.
  ///   - name: What errors call the weights.
  ///   - averagesMirrored: Whether the network sees the photo's mirror image as well.
  ///   - threads: Threads to use, 1…256; as many as there are processors by default.
  ///   - precision: The arithmetic of convolutions.
  /// - Throws: `DepthError`, naming the tensor or attribute at fault.
  public init(
    weights: Data, name: String = "the weights in memory", averagesMirrored: Bool = false,
    threads: Int? = nil, precision: Precision = .auto
  ) throws {
    try self.init(
      [.memory(weights, name: name)], averagesMirrored: averagesMirrored, threads: threads,
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
  /// - Throws: `DepthError`, naming the file at fault; with code `invalidArgument` for another number of files or
  ///   threads.
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
      selection.files.map(WeightsSource.file), averagesMirrored: selection.averagesMirrored,
      threads: threads,
      call: CallContext(threads: ThreadCount.checked(loadingThreads ?? threads)), backend: backend,
      precision: precision, inputSize: selection.inputSize, keepsWeights: keepsWeights)
  }
}

/// Loading beside Swift's cooperative threads. Each initializer throws what its blocking twin throws, and
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
  ///   - selection: The weights files, and whether the mirrored photo takes part.
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
        selection.files.map(WeightsSource.file), averagesMirrored: selection.averagesMirrored,
        threads: threads, call: $0, precision: precision, inputSize: selection.inputSize)
    }
  }

  /// ``init(weights:name:averagesMirrored:threads:precision:)`` without blocking.
  ///
  /// - Parameters:
  ///   - weights: The bytes of an HDF5 file.
  ///   - name: What errors call them.
  ///   - averagesMirrored: Whether the mirrored photo takes part, for twice the time.
  ///   - threads: Threads to use, 1…256; `nil` for one per processor.
  ///   - precision: The networks' arithmetic.
  ///   - progress: Called with the share done, 0…1, from any thread.
  /// - Throws: `DepthError`; `CancellationError`.
  public init(
    weights: Data, name: String = "the weights in memory", averagesMirrored: Bool = false,
    threads: Int? = nil, precision: Precision = .auto,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    self = try await CallQueue.shared.run(
      threads: ThreadCount.checked(threads), progress: progress
    ) {
      try DepthEstimator(
        [.memory(weights, name: name)], averagesMirrored: averagesMirrored, threads: threads,
        call: $0, precision: precision)
    }
  }
}
