import DepthBase
import DepthErrors
import Foundation
import MonocularDepth
import NeuralEngine
import Testing
import _TestSupport

/// Every command and the library accept one range for the number of threads.
@Suite struct ThreadCountTests {
  static let commands = [
    ["predict", "a.jpg"], ["refine", "a.jpg", "b.png"], ["stereo", "a.jpg"], ["evaluate", "a.mat"],
    ["calibrate", "a.jpg", "--at", "1,1=2m"], ["benchmark"],
  ]

  @Test(
    "a number of threads outside 1 to 256 is wrong usage",
    arguments: commands, ["0", "-3", "257", "100000", "99999999999999999999"])
  func nonsenseIsWrongUsage(command: [String], threads: String) throws {
    let outcome = try runDepth(command + ["--threads=\(threads)"])
    #expect(outcome.status == 64 && !outcome.wasKilled, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test("the library takes 1 to 256 threads") func theLibrarysRangeIsTheProgramsRange() throws {
    #expect(ThreadCount.range == 1...256)
    #expect(try ThreadCount.checked(nil) == availableProcessors)
    for threads in [1, 256] { #expect(try ThreadCount.checked(threads) == threads) }
    #expect(throws: DepthError.self) { try ThreadCount.checked(257) }
  }

  @Test(
    "a benchmark of no runs, no batch or no size is an error",
    arguments: [(0, 1, 1), (-1, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, -5), (1, 1, .max)])
  func benchmarksOfNonsenseAreErrors(runs: Int, batch: Int, side: Int) throws {
    let weights = try WeightsSelection(named: ["default"]).files[0]
    #expect(throws: DepthError.self) {
      try NetworkBenchmark(
        .file(weights), backend: .best, threads: 1, height: side, width: 1, batch: batch,
        runs: runs)
    }
  }

  @Test("a benchmark refuses a wrong number of threads", arguments: [0, -3, 100_000])
  func benchmarksRefuseThreads(threads: Int) throws {
    let weights = try WeightsSelection(named: ["default"]).files[0]
    #expect(throws: DepthError.self) {
      try NetworkBenchmark(.file(weights), backend: .best, threads: threads, runs: 1)
    }
  }
}
