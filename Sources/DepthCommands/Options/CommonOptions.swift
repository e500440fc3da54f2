import ArgumentParser
import DepthBase
import DepthImages
import MonocularDepth

/// Options of every command that estimates depth.
struct CommonOptions: ParsableArguments {
  @OptionGroup var weights: WeightsOptions

  @Option(help: .threads) var threads: Int?

  @Flag(help: "Print results on standard output as JSON, one object per line.")
  var json = false

  @Flag(help: "Print no progress and no summary on standard error.")
  var quiet = false

  func validate() throws { try check("--threads", threads, in: ThreadCount.range) }

  /// The estimator that the options ask for.
  ///
  /// - Parameters:
  ///   - selection: The files that the options name, if they are known already.
  ///   - photos: How many photos it will see. For one photo, prepared weights are not kept.
  func estimator(
    of selection: WeightsSelection? = nil, photos: Int = .max
  ) throws -> DepthEstimator {
    try weights.estimator(of: selection, threads: threads, keepsWeights: photos > 1)
  }
}

/// How much a file may ask of the program.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Largest photo, depth file or result, in pixels (width times height); larger ones are refused.
      """,
      valueName: "n"))
  var maxPixels = ImageLimits().maximumPixels

  func validate() throws {
    // Keeps byte counts, which are multiples of this, within `Int`.
    guard (1...1_000_000_000_000).contains(maxPixels) else {
      throw ValidationError("--max-pixels is \(maxPixels), expected 1 to 1000000000000")
    }
  }

  var limits: ImageLimits { ImageLimits(maximumPixels: maxPixels) }
}
