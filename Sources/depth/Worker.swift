import ArgumentParser
import DepthErrors
import DepthOptions
import DepthService
import MonocularDepth
import PhotoRuns
import ProcessLimits
import SystemEssentials

/// `depth worker`: requests on standard input → answers on standard output.
struct Worker: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Answer requests, one JSON object per line, with the weights loaded once.",
    discussion: """
      A request names a photo as "input", and the options of 'depth predict' as further keys, with '_' or '-' \
      between words:

        {"id": 7, "input": "photo.jpg", "output": "d.png", "overwrite": true}

      The answer has the request's id and the keys of 'depth predict --json', or "error" with "code", \
      "message" and "retry". Every line has one answer, in the order of the lines, also one that is no \
      request. Requests are read as fast as they are answered, and several are under way at once: wait for \
      an answer before naming its files. Exit status: 0 at the end of the \
      input, 1 when standard output is closed, 130 on Ctrl-C and 143 on SIGTERM, both after those under way.
      """)

  @OptionGroup var weights: WeightsOptions

  @Option(
    help: ArgumentHelp(
      "Threads; all processors by default, at most OMP_NUM_THREADS.", valueName: "n"))
  var threads: Int?

  func validate() throws { try CommonOptions.checkThreads(threads) }

  func run() throws {
    let threads = try ThreadCount.checked(threads)
    let service = PredictionService(
      estimator: try weights.loading {
        try DepthEstimator($0, threads: threads, precision: weights.precision)
      },
      weightsFiles: try weights.selection().paths, threads: threads)
    try service.answerAll(threads: threads)
    if Interruption.hasCome { throw Interruption.exitCodeOfSignal }
  }
}
