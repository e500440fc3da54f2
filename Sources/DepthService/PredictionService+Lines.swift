import FrameStreams
import PhotoRuns
import Synchronization
import SystemEssentials

extension PredictionService {
  /// What a worker thread takes from standard input.
  private enum Line: Sendable {
    case request([UInt8])
    case tooLong
  }

  /// Answers the lines of standard input on standard output, in their order, until the input ends or a signal has come.
  ///
  /// - Throws: `DepthError` with code `unwritable` when the reader has gone.
  package func answerAll(threads: Int) throws {
    Interruption.finishesOnFirstOrTermination()
    let stop = StopFlag()
    let isStopped: @Sendable () -> Bool = { stop.isStopped || Interruption.hasCome }
    let input = Mutex(
      ByteSource(descriptor: STDIN_FILENO, name: "standard input", isStopped: isStopped))
    let workers = FrameWorkers(
      next: { try input.withLock { try Self.line(of: &$0, isStopped: isStopped) } },
      work: { line, _ in
        switch line {
        case .request(let bytes): self.answer(to: bytes)
        case .tooLong:
          WorkerAnswer.failed(
            id: nil,
            .init(
              code: .invalidRequest,
              message: "the line has more than \(Self.longestLine) bytes"))
        }
      },
      deliver: { answer in
        do { try Console.write(answer) } catch {
          // The source must not go on waiting for a reader that has gone.
          stop.stop()
          throw error
        }
      })
    // One worker more than threads, for an answer that waits for its turn.
    try workers.run(threads: threads + 1)
  }

  /// Bytes of a request; paths of files are far shorter.
  static let longestLine = 1 << 20

  /// The next line; `nil` at the end and after a signal, which lines that were read ahead do not outlast.
  private static func line(
    of source: inout ByteSource, isStopped: () -> Bool
  ) throws -> Line? {
    guard !isStopped() else { return nil }
    var line: Line?
    do { line = try source.line(limit: longestLine).map(Line.request) } catch is LineTooLong {
      try source.skipLine()
      line = .tooLong
    }
    // A line that the signal has cut in half is no wrong request.
    return isStopped() ? nil : line
  }
}
