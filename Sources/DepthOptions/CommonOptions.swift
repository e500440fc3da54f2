package import ArgumentParser
package import MonocularDepth
import NeuralEngine
import PhotoRuns
import ProcessLimits

/// Options of every command that estimates depth.
package struct CommonOptions: ParsableArguments {
  package init() {}

  @OptionGroup package var weights: WeightsOptions

  @Option(
    help: ArgumentHelp(
      """
      Number of threads, 1 to 256. By default one per processor, but at most the environment variable \
      OMP_NUM_THREADS.
      """,
      valueName: "n"))
  package var threads: Int?

  @Flag(help: "Print results on standard output as JSON, one object per line.")
  package var json = false

  @Flag(help: "Print no progress and no summary on standard error.")
  package var quiet = false

  package func validate() throws { try Self.checkThreads(threads) }

  /// - Throws: A validation error for a number that the library would refuse.
  package static func checkThreads(_ threads: Int?) throws {
    let range = ThreadCount.range
    if let threads, !range.contains(threads) {
      throw ValidationError(
        "--threads is \(threads), expected \(range.lowerBound) to \(range.upperBound)")
    }
  }

  /// The estimator that the options ask for.
  ///
  /// - Parameter photos: How many photos it will see; weights are not kept for a second one that does not come.
  package func estimator(photos: Int = .max) throws -> DepthEstimator {
    try weights.loading {
      try DepthEstimator(
        $0, threads: threads, precision: weights.precision, keepsWeights: photos > 1)
    }
  }

  /// An estimator for the frames of a stream or film, several of which may be in progress.
  ///
  /// - Parameter threads: Threads of one estimate.
  package func frameEstimator(threads: Int) throws -> DepthEstimator {
    try weights.loading {
      try DepthEstimator(
        $0, threads: threads, loadingThreads: self.threads, precision: weights.precision)
    }
  }

  /// The weights' files, as inputs that no output may replace.
  package func weightsFiles() throws -> [String] { try weights.selection().paths }
}
