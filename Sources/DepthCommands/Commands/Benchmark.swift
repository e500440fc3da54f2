import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
import MonocularDepth

/// `depth benchmark`: per-layer and whole-network time on this machine.
struct Benchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmark",
    abstract: "Time the network on this machine, layer by layer.",
    discussion: """
      GFLOP/s counts the operations of direct convolution. An algorithm that needs fewer operations can \
      therefore show more than the processor's peak.

      Each weights file is timed separately. If the estimate uses several files or the mirrored photo, the whole \
      estimate is timed too; its runs alternate with runs of the first network alone.
      """)

  @Option(
    help: ArgumentHelp(
      """
      Code that computes matrix products: packed (this package's kernels), openblas, or auto, the faster of the two on \
      this processor.
      """,
      valueName: "name"))
  var gemm: GEMMOption = .auto

  @Option(help: ArgumentHelp("Number of timed runs, 1 to 10000.", valueName: "n"))
  var runs = 15
  @Option(help: ArgumentHelp("Number of photos per run, 1 to 64.", valueName: "n"))
  var batch = 1
  @Option(
    help: ArgumentHelp(
      """
      Width and height of the network's input in pixels, such as 320x256. By default those of the weights.
      """,
      valueName: "WxH"), transform: PixelSize.argument)
  var size: PixelSize?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    try check("--runs", runs, in: 1...10_000)
    try check("--batch", batch, in: 1...64)
  }

  func run() throws {
    // Standard output is written outside this closure, so that errors such as a full disk are not
    // attributed to the weights.
    let (name, networks) = try common.weights.request.loading { selection in
      // Each record includes the memory peak at the end of its network's benchmark.
      var networks = try zip(selection.files, selection.paths).map { file, path in
        var single = WeightsSelection(
          files: [file], inputSize: selection.inputSize, kind: selection.kind)
        single.tokens = selection.tokens
        let result = try NetworkBenchmark(
          single, backend: gemm.backend, precision: common.weights.arithmetic.precision,
          threads: common.threads, height: size?.height, width: size?.width, batch: batch,
          runs: runs)
        return (result, BenchmarkRecord(result, batch: batch, weights: path))
      }
      let estimate = try estimate(by: selection)
      for index in networks.indices { networks[index].1.estimate = estimate }
      return (selection.name, networks)
    }
    if let estimate = networks[0].1.estimate, !common.json {
      try Console.write(
        "whole estimate by \(name): median \(estimate.msMedian) ms, fastest "
          + "\(estimate.msMin) ms, \(estimate.ratio) times the first network on one photo\n\n")
    }
    for (result, record) in networks {
      try Console.write(common.json ? jsonLine(record) : text(result, record))
    }
  }

  /// The benchmark of the whole estimate; `nil` for a single network without mirroring.
  private func estimate(by selection: WeightsSelection) throws -> EstimateRecord? {
    guard selection.files.count > 1 || selection.averagesMirrored else { return nil }
    return EstimateRecord(
      try EstimateBenchmark(
        weights: selection, backend: gemm.backend, precision: common.weights.arithmetic.precision,
        threads: common.threads, runs: runs))
  }

  private func text(_ result: NetworkBenchmark, _ record: BenchmarkRecord) -> String {
    func number(_ value: Double) -> String {
      "\(value.rounded(toDigits: 1))".aligned(right: 9)
    }
    let integers =
      record.integers.map { "integers by \($0), " } ?? ""
    var lines = [
      record.weights.escapingControls,
      "\(record.precision), \(integers)\(record.gemm), \(record.threads) threads, "
        + "\(batch) photos per run: median \(record.msMedian) ms, fastest \(record.msMin) ms",
      "load \(record.loadMs) ms, first run \(record.firstMs) ms, peak memory \(record.peakRssMb) MB "
        + "(workspace \(record.workspaceMb) MB)",
      "",
      "layer".padded(to: 26) + "input".padded(to: 10) + "shape".padded(to: 18)
        + "algorithm".padded(to: 12)
        + "       µs  GFLOP/s",
    ]
    for layer in result.layers {
      lines.append(
        layer.name.padded(to: 26)
          + "\(layer.inputHeight)×\(layer.inputWidth)".padded(to: 10)
          + layer.shape.padded(to: 18) + layer.algorithm.padded(to: 12)
          + number((layer.duration.milliseconds * 1000).rounded()) + number(layer.effectiveGFLOPS))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
