import NeuralEngine
import ProcessLimits
import MonocularDepth
import ArgumentParser
import DepthEstimation

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Options of every command that estimates depth.
struct CommonOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Weights: 'default', 'compact', or an HDF5 file.",
      discussion: "DEPTH_WEIGHTS in the environment says what 'default' is.",
      valueName: "file"))
  var weights = "default"

  @Option(help: ArgumentHelp("Threads; all processors by default.", valueName: "n"))
  var threads: Int?

  @Flag(help: "Print one JSON object a line on standard output.")
  var json = false

  @Flag(help: "No progress and no summary on standard error.")
  var quiet = false

  func validate() throws { try Self.checkThreads(threads) }

  /// - Throws: A validation error for a number that the library would refuse.
  static func checkThreads(_ threads: Int?) throws {
    let range = ThreadCount.range
    if let threads, !range.contains(threads) {
      throw ValidationError(
        "--threads is \(threads), expected \(range.lowerBound) to \(range.upperBound)")
    }
  }

  /// The estimator that the options ask for.
  func estimator() throws -> DepthEstimator {
    try Self.loading(weights) { try DepthEstimator(weights: $0, threads: threads) }
  }

  /// Loads from the weights of that name; an error says so where the environment named the file.
  static func loading<Loaded>(_ name: String, _ load: (URL) throws -> Loaded) throws -> Loaded {
    let url = try WeightsLocation.url(named: name)
    do { return try load(url) } catch let error as WeightsError
      where WeightsLocation.isFromEnvironment(name)
    {
      throw InputFailure(file: "DEPTH_WEIGHTS", reason: "\(error)")
    }
  }

  /// The weights' file, as an input that no output may replace.
  func weightsFile() throws -> String {
    try WeightsLocation.url(named: weights).path(percentEncoded: false)
  }
}
