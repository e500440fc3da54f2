import ArgumentParser
import DepthErrors
import DepthOptions
import DepthService
import FrameStreams
import MonocularDepth
import PhotoRuns
import ProcessLimits
import Synchronization
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

  /// What a lane takes from standard input.
  private enum Line: Sendable {
    case request([UInt8])
    case tooLong
  }

  func run() throws {
    let threads = try ThreadCount.checked(threads)
    let service = PredictionService(
      estimator: try weights.loading {
        try DepthEstimator($0, threads: threads, precision: weights.precision)
      },
      weightsFiles: try weights.selection().paths, threads: threads)
    Interruption.finishesOnFirstOrTermination()
    let stop = StopFlag()
    let input = Mutex(
      ByteSource(descriptor: STDIN_FILENO, name: "standard input") {
        stop.isStopped || Interruption.hasCome
      })
    let lanes = FrameLanes(
      next: { try input.withLock { try Self.line(of: &$0) } },
      prepare: { line in
        switch line {
        case .request(let bytes): service.answer(to: bytes)
        case .tooLong:
          WorkerAnswer.failed(
            id: nil,
            .init(
              code: .invalidRequest,
              message: "the line has more than \(Self.longestLine) bytes"))
        }
      },
      join: { $0 }, finish: { $0 },
      deliver: { answer in
        do { try Console.write(answer) } catch {
          // The source must not go on waiting for a reader that has gone.
          stop.stop()
          throw error
        }
      })
    // One lane more than threads, for an answer that waits for its turn.
    try lanes.run(lanes: threads + 1)
    if Interruption.hasCome { throw Interruption.exitCodeOfSignal }
  }

  /// Bytes of a request; paths of files are far shorter.
  static let longestLine = 1 << 20

  private static func line(of source: inout ByteSource) throws -> Line? {
    do { return try source.line(limit: longestLine).map(Line.request) } catch is LineTooLong {
      try source.skipLine()
      return .tooLong
    }
  }
}
