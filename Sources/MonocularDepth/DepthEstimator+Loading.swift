import DepthBase
import DepthErrors
package import NeuralEngine

extension DepthEstimator {
  /// Loads weights, by default those in the package or the weights that the environment variable `DEPTH_WEIGHTS` names.
  ///
  /// Weights in memory are checked like a file, and bytes with a wrong checksum are never used. If the layout of an HDF5 file
  /// differs from the layout of the package's own files, a child process parses the file.
  ///
  /// - Parameters:
  ///   - weights: The weights of 1 to 16 networks, whose depths are averaged into one estimate. The networks may differ in size
  ///     and input size, but must share the map size, the unit metres and the training camera.
  ///   - metres: Weights in metres, such as `.default`, that convert relative maps to metres
  ///     (``MetricFit``) by a second estimate of each photo. Here, `.default` ignores `DEPTH_WEIGHTS`. `nil` keeps relative
  ///     disparity. Maps of weights in metres are never fitted.
  ///   - threads: Number of threads, 1…256. The default is the number of processors, but at most `OMP_NUM_THREADS`.
  ///   - precision: The arithmetic of the networks.
  /// - Throws: `DepthError` that names the missing or faulty file, tensor or attribute. The code is `invalidArgument` for a
  ///   number of weights or threads outside its range, and for an unsupported `DEPTH_ISA`.
  public init(
    _ weights: WeightsSelection = .default, metres: WeightsSelection? = nil, threads: Int? = nil,
    precision: Precision = .auto
  ) throws {
    try self.init(
      weights, metres: metres, threads: threads, loadingThreads: nil, precision: precision)
  }

  /// Loads weights without blocking Swift's cooperative threads; see ``init(_:metres:threads:precision:)``.
  ///
  /// - Parameters:
  ///   - weights: The weights of 1 to 16 networks.
  ///   - metres: Weights in metres to which relative maps are fitted.
  ///   - threads: Threads to use, 1…256; `nil` for one per processor.
  ///   - precision: The arithmetic of the networks.
  ///   - progress: Called with the completed share, 0…1, from any thread.
  /// - Throws: `DepthError`; `CancellationError` soon after the task's cancellation.
  public static func load(
    _ weights: WeightsSelection = .default, metres: WeightsSelection? = nil, threads: Int? = nil,
    precision: Precision = .auto, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> DepthEstimator {
    try await CallQueue.shared.run(threads: ThreadCount.checked(threads), progress: progress) {
      try DepthEstimator(
        weights, metres: metres, threads: threads, call: $0, precision: precision)
    }
  }

  /// - Parameters:
  ///   - loadingThreads: Threads that read and transform weights; `threads` by default.
  ///   - backend: The matrix-multiplication back end.
  ///   - keepsWeights: Whether the weights are packed once, for many photos. Otherwise the weights are packed again for each
  ///     photo. For a single photo, this saves time and much memory.
  package init(
    _ weights: WeightsSelection, metres: WeightsSelection? = nil, threads: Int?,
    loadingThreads: Int? = nil, backend: GEMMBackend = .best, precision: Precision = .auto,
    keepsWeights: Bool = true
  ) throws {
    try self.init(
      weights, metres: metres, threads: threads,
      call: CallContext(threads: ThreadCount.checked(loadingThreads ?? threads)), backend: backend,
      precision: precision, keepsWeights: keepsWeights)
  }
}
