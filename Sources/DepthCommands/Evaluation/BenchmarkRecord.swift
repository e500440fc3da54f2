import DepthBase
import DepthErrors
import MonocularDepth

/// The benchmark of the whole estimate, repeated in every object that `--json` prints.
struct EstimateRecord: Encodable {
  let weights: [String]
  let mirrored: Bool
  let msMedian, msMin, ratio: Double

  init(_ benchmark: EstimateBenchmark) {
    (weights, mirrored) = (benchmark.weights.paths, benchmark.weights.averagesMirrored)
    msMedian = benchmark.median.milliseconds
    msMin = benchmark.runs[0].milliseconds
    ratio = (benchmark.median / benchmark.singleMedian).rounded(toDigits: 2)
  }
}

/// The object that `--json` prints for each weights file.
struct BenchmarkRecord: Encodable {
  struct Layer: Encodable {
    let name, shape, algorithm: String
    let ms, gflops: Double
  }

  let msMedian, msMin, loadMs, firstMs, peakRssMb, workspaceMb: Double
  let threads, batch: Int
  let gemm, precision, weights: String
  /// The instruction set of integer kernels, if the network uses them.
  let integers: String?
  let layers: [Layer]
  /// The benchmark of the whole estimate, repeated in the objects of all files.
  var estimate: EstimateRecord?

  init(_ result: NetworkBenchmark, batch: Int, weights: String) {
    self.weights = weights
    msMedian = result.median.milliseconds
    msMin = result.runs[0].milliseconds
    (loadMs, firstMs) = (result.load.milliseconds, result.first.milliseconds)
    peakRssMb = (Double(PeakMemory.current.bytes) / 1_048_576).rounded(toDigits: 1)
    workspaceMb = (Double(result.workspaceBytes) / 1_048_576).rounded(toDigits: 1)
    (threads, self.batch) = (result.threads, batch)
    (gemm, integers) = result.names
    precision = result.precision.rawValue
    layers = result.layers.map {
      Layer(
        name: $0.name, shape: $0.shape, algorithm: $0.algorithm, ms: $0.duration.milliseconds,
        gflops: $0.effectiveGFLOPS.rounded(toDigits: 1))
    }
  }
}
