import DepthEvaluation
import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// Tests on real frames of NYU Depth v2.
@Suite struct SharedDataTests {
  /// A Python with NumPy and Pillow, from `DEPTH_PYTHON`.
  private static let python = ProcessInfo.processInfo.environment["DEPTH_PYTHON"]

  @Test(
    "the shared sample is every fourth test frame of NYU",
    .enabled(if: NYUFrames.sample != nil, NYUFrames.absence))
  func theSampleIsEveryFourthTestFrame() throws {
    let set = try openDataset(try #require(NYUFrames.sample), depthScale: 5000)
    let test = NYUSplit.test.indices
    let expected = stride(from: 0, to: test.count, by: 4).map { test[$0] }
    #expect(set.frameNames.compactMap { Int($0) } == expected)
    #expect(set.incomplete.isEmpty)
  }

  /// NumPy shares no code with this package.
  @Test(
    "every protocol equals NumPy on eight frames",
    .enabled(if: NYUFrames.sample != nil, NYUFrames.absence),
    .enabled(if: python != nil, "set DEPTH_PYTHON to a Python with NumPy and Pillow"))
  func everyProtocolEqualsNumPy() throws {
    let path = try #require(NYUFrames.sample)
    let set = try openDataset(path, depthScale: 5000)
    let folder = try TemporaryFolder()
    let indices = stride(from: 0, to: 160, by: 20).map { $0 }
    var frames: [EvaluationFrame] = []
    for index in indices {
      let frame = try set.frame(index)
      frames.append(frame)
      // A map of the network's size has correct edges, half of the depths scaled, and some zeros.
      let noise = CounterStream(frame.name)
      let map = DepthMap(
        height: 128, width: 160, unit: .metres,
        values: (0..<128 * 160).map { i in
          let (y, x) = (i / 160 * 480 / 128, i % 160 * 4)
          if noise[i] % 997 == 0 { return 0 }
          return frame.truth.values[y * 640 + x] * (i % 160 < 80 ? 1 : 1.3)
        })
      try map.write(to: URL(filePath: folder.path("\(frame.name).npy")))
    }
    let evaluator = Evaluator(
      [Predictor(folder: URL(filePath: folder.path))], protocols: EvaluationProtocol.allCases)
    let errors = try frames.map { try evaluator.errors(on: $0) }

    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.python))
    let script = packageFolder + "/Tools/training/goldens/evaluation.py"
    process.arguments = [script, path, "5000", folder.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let reference = try JSONDecoder().decode([String: [String: Double]].self, from: output)

    for (row, evaluation) in EvaluationProtocol.allCases.enumerated() {
      let each = errors.map { $0[row] }
      let metrics =
        evaluation.averagesFrames ? DepthMetrics(averaging: each) : DepthMetrics(pooling: each)
      let expected = try #require(reference[evaluation.rawValue])
      for (name, value) in metrics.named {
        let wanted = try #require(expected[name])
        #expect(abs(value - wanted) < 1e-6, "\(evaluation.rawValue) \(name): \(value), \(wanted)")
      }
    }
  }
}
