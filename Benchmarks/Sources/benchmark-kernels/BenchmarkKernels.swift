import ArgumentParser
import Foundation
import KernelBenchmarks

/// `benchmark-kernels`: times the convolution kernels on the networks' own layers.
@main
struct BenchmarkKernels: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmark-kernels",
    abstract: "Time the convolution kernels on the networks' own layers.",
    discussion: """
      GFLOP/s are the operations of direct convolution, divided by the time. '% sgemm' compares them with \
      the faster SGEMM; an algorithm that saves multiplications may exceed 100. '% roof' is the share of \
      the rate that the machine's limits allow this algorithm. DEPTH_ISA selects another instruction set.
      """)

  @Argument(help: "Files of layer shapes; all of Shapes by default.") var shapes: [String] = []
  @Option(help: ArgumentHelp("Threads, as 1,2.", valueName: "list")) var threads: Threads?
  @Option(help: ArgumentHelp("Number of measured runs.", valueName: "n")) var runs = 15
  @Option(help: ArgumentHelp("Part of the name of a layer, kernel or algorithm.", valueName: "text"))
  var filter = ""

  func validate() throws {
    guard (1...1000).contains(runs) else {
      throw ValidationError("--runs is \(runs), expected 1 to 1000")
    }
  }

  func run() throws {
    let benchmark = try KernelBenchmark(structures: structures())
    let processors = ProcessInfo.processInfo.activeProcessorCount
    func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
    for count in threads?.counts ?? Set([1, processors]).sorted() {
      benchmark.printTable(threads: count, runs: runs, filter: filter, to: say)
      say("\n")
    }
  }

  /// The folder of this package.
  private static var package: URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
  }

  private func structures() throws -> [(name: String, text: String)] {
    let folder = Self.package.appending(path: "Shapes")
    let files =
      shapes.isEmpty
      ? try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "txt" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
      : shapes.map { URL(filePath: $0) }
    return try files.map {
      ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
    }
  }
}

/// Numbers of threads on the command line: `1,2`.
struct Threads: ExpressibleByArgument {
  let counts: [Int]

  init?(argument: String) {
    let counts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard !counts.isEmpty, counts.allSatisfy({ $0.map((1...256).contains) ?? false }) else {
      return nil
    }
    self.counts = counts.compactMap { $0 }
  }
}
