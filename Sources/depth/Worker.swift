import ArgumentParser
import DepthOptions
import DepthService
import PhotoRuns
import ProcessLimits
import SystemEssentials

/// `depth worker`: requests on standard input → answers on standard output.
struct Worker: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Answer JSON requests with weights loaded only once.",
    discussion: """
      Reads one JSON object per line from standard input. A request has one photo as "input" and options of 'depth \
      predict' as further keys, with '_' or '-' between words. Options without a value take true or false. Options \
      for many photos and those of 'depth worker' itself are refused. An example:

        {"id": 7, "input": "photo.jpg", "output": "d.png", "overwrite": true}

      The answer has the request's id and the keys of 'depth predict --json', or "error" with "code", "message" and \
      "retry" (whether the same request may succeed later). Each line gets exactly one answer, in the order of the \
      lines, even if it is not a valid request. Several requests run at once, at most one more than --threads: wait \
      for an answer before another request uses its files. Input is read only as fast as answers are written. Exit \
      status: 0 at the end of the input, 1 if standard output is closed, 130 on Ctrl-C and 143 on SIGTERM; both \
      signals let running requests finish.
      """)

  @OptionGroup var weights: WeightsOptions

  @Option(help: .threads) var threads: Int?

  func validate() throws { try check("--threads", threads, in: ThreadCount.range) }

  func run() throws {
    let threads = try ThreadCount.checked(threads)
    let selection = try weights.selection()
    let service = PredictionService(
      estimator: try weights.estimator(of: selection, threads: threads),
      weightsFiles: selection.paths, threads: threads)
    try service.answerAll(threads: threads)
    if Interruption.hasCome { throw Interruption.exitCodeOfSignal }
  }
}
