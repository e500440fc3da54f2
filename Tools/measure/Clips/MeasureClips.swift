public import ArgumentParser
import DepthVideo
import Foundation
public import MonocularDepth

/// Measures the depth of networks on clips.
struct MeasureClips: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clips",
    abstract: "Accuracy and temporal stability on a clip that render-scenes --clip wrote.",
    discussion: """
      Measures the network's maps without a temporal filter and with each filter of 'depth stream', against the \
      clip's true depth. Documentation/Glossary.md explains the columns.
      """)

  @Argument(help: "Folder with clip.json.") var folder: String
  @Option(help: "Weights in metres: 'default' or a file; each --weights adds rows.")
  var weights = ["default"]
  @Flag(help: "Average with the estimate of the mirror image.") var mirrored = false
  @Option(help: "Arithmetic of the network: float32, int8 or auto.") var precision = Precision.auto
  @Option(help: "Shorter side of the network's input, pixels.") var inputSize: Int?
  @Option(help: "Patches of the photo that MoGe-2 reads.") var tokens: Int?
  @Option(
    help: "Estimate depth for every nth frame and after cuts, 1 to 60; move it between.")
  var depthEvery = 1
  @Option(help: "Threads; by default one per core.") var threads: Int?
  @Flag(help: "Print one JSON object per row.") var json = false

  func validate() throws {
    guard FramePipeline.intervals.contains(depthEvery) else {
      throw ValidationError("--depth-every is \(depthEvery), expected 1 to 60")
    }
  }

  func run() throws {
    let clip = try ClipFolder(contentsOf: URL(filePath: folder))
    let rows = try weights.flatMap { name in
      var selection = try WeightsSelection(named: [name], averagesMirrored: mirrored)
      (selection.inputSize, selection.tokens) = (inputSize, tokens)
      let estimator = try DepthEstimator(selection, threads: threads, precision: precision)
      return try ClipEvaluation(
        clip, weights: selection.name + estimator.precision.nameEnding, by: estimator,
        depthEvery: depthEvery
      ).rows
    }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      encoder.keyEncodingStrategy = .convertToSnakeCase
      for row in rows { print(String(decoding: try encoder.encode(row), as: UTF8.self)) }
    } else {
      print(line("weights", "steady", "rel", "delta1", "TAE %", "flicker %", "step"))
      for row in rows {
        print(
          line(
            row.weights, row.steady, .init(format: "%.4f", row.rel),
            .init(format: "%.4f", row.delta1), percent(row.tae), percent(row.flicker),
            row.stepFrames.map { "\($0)" } ?? "-"))
      }
    }
  }

  private func percent(_ value: Double?) -> String {
    value.map { String(format: "%.3f", 100 * $0) } ?? "-"
  }

  private func line(_ columns: String...) -> String {
    zip(columns, [32, 13, 9, 9, 9, 11, 6]).map { text, width in
      text + String(repeating: " ", count: max(width - text.count, 1))
    }.joined()
  }
}

extension Precision: ExpressibleByArgument {}
