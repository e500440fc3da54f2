import AtomicFiles
import DepthOptions
import JSONLines
package import MonocularDepth
import PhotoRuns
import Synchronization
import SystemEssentials

/// Answers requests with one estimator; several threads may ask at once.
package final class PredictionService: Sendable {
  private let estimator: DepthEstimator
  private let weightsFiles: [String]
  private let threads: Int
  private let reservations = MemoryReservations()
  /// Requests in progress.
  private let active = Atomic<Int>(0)

  /// - Parameter weightsFiles: Paths that no output may replace.
  package init(estimator: DepthEstimator, weightsFiles: [String], threads: Int) {
    (self.estimator, self.weightsFiles, self.threads) = (estimator, weightsFiles, threads)
  }

  /// The answer to one line, with its line feed.
  package func answer(to line: [UInt8]) -> String {
    let members: [JSONObjectLine.Member]
    do { members = try JSONObjectLine(line).members } catch {
      return WorkerAnswer.failed(
        id: nil, .init(code: .invalidRequest, message: error.description))
    }
    let id = members.first { $0.key == "id" }?.text
    do {
      let request = try PredictionRequest(members)
      switch try outcome(of: request.options) {
      case .made(let record): return WorkerAnswer.made(id: id, record)
      case .skipped(let outputs):
        return WorkerAnswer.made(id: id, SkippedRecord(input: request.input, outputs: outputs))
      }
    } catch let fault as RequestFault {
      return WorkerAnswer.failed(id: id, .init(code: .invalidRequest, message: fault.description))
    } catch {
      var failure = WorkerAnswer.Failure(error)
      failure.message = PredictionRequest.keyed(failure.message, members)
      return WorkerAnswer.failed(id: id, failure)
    }
  }

  private func outcome(of options: PredictionOptions) throws -> PhotoRun.Outcome<PredictionRecord> {
    // Alone, a request gets all threads; of several each gets its part. No bit depends on it.
    let others = active.add(1, ordering: .relaxed).newValue
    defer { active.subtract(1, ordering: .relaxed) }
    let run = try options.photoRun(weightsFiles: weightsFiles)
    let pipeline = try options.pipeline(estimator, options.calibration.read())
    return try run.performOne(
      Recipe(of: pipeline), share: max(1, threads / others), of: threads,
      reservations: reservations
    ) { try options.predict($0, by: pipeline) }
  }
}
