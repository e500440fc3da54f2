import DepthBase
import DepthErrors
import DepthImages
import DepthNetworks
package import NeuralEngine

/// Times of a whole estimate and of one network alone, on this machine.
///
/// Runs of the estimate and of the network alternate, so that load by other programs affects both.
package struct EstimateBenchmark: Sendable {
  /// Files of the estimate, and whether it includes the mirrored photo.
  package let weights: WeightsSelection
  /// Times for one photo with all networks, and with the first network alone; shortest first.
  package let runs, singleRuns: [Duration]

  /// The median run.
  package var median: Duration { runs[runs.count / 2] }
  /// The median run of the first network alone.
  package var singleMedian: Duration { singleRuns[singleRuns.count / 2] }

  /// - Parameters:
  ///   - threads: Number of threads, 1…256; by default one per processor.
  ///   - runs: Measured runs, 1…100 000; three more warm up.
  /// - Throws: `DepthError`; code `invalidArgument` for a number out of range.
  package init(
    weights: WeightsSelection, backend: GEMMBackend, precision: Precision = .auto, threads: Int?,
    runs: Int
  ) throws {
    try runs.checked(in: 1...100_000, "the number of runs", "1 to 100000")
    let whole = try DepthEstimator(
      weights, threads: threads, backend: backend, precision: precision)
    let single = try DepthEstimator(
      WeightsSelection(files: [weights.files[0]], inputSize: weights.inputSize), threads: threads,
      backend: backend, precision: whole.precision == .int8 ? .int8 : .float32)
    let (height, width) = whole.inputSize
    let photo = Image(
      height: height, width: width,
      pixels: (0..<height * width * 3).map { UInt8(($0 &* 2_654_435_761) >> 7 & 255) })
    let (input, singleInput) = (whole.prepared(photo), single.prepared(photo))
    let (clock, call) = (ContinuousClock(), CallContext(threads: whole.threads))
    var (durations, singles): ([Duration], [Duration]) = ([], [])
    for _ in 0..<runs + 3 {
      singles.append(
        try clock.measure { _ = try single.networkEstimate(of: singleInput, call: call) })
      durations.append(try clock.measure { _ = try whole.networkEstimate(of: input, call: call) })
    }
    self.weights = weights
    self.runs = durations.dropFirst(3).sorted()
    singleRuns = singles.dropFirst(3).sorted()
  }
}
