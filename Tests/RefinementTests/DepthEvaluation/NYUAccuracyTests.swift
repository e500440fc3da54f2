import DepthBase
import DepthEvaluation
import DepthRefinement
import Foundation
import MonocularDepth
import Testing
import _TestSupport

/// The accuracy of the package's weights on every fourth test frame of NYU Depth v2.
///
/// `depth evaluate DIR --depth-scale 5000 --weights NAME --refine METHOD --protocol NAME --json`
/// recorded the numbers from JPEG frames in DIR. int8 gives equal bits on every processor, so only
/// another JPEG decoder may change the numbers. Frames of `nyu_depth_v2_labeled.mat` are not JPEG.
/// Their numbers are printed beside the record.
@Suite(
  .serialized, .enabled(if: SlowTests.areWanted, SlowTests.absence),
  .enabled(if: NYUFrames.arePresent, NYUFrames.absence))
struct NYUAccuracy {
  @Test("default weights in int8 have their recorded accuracy on NYU")
  func integersKeepTheirAccuracy() throws {
    let plain = try predictor(.int8)
    try compare(
      [plain, plain.refined(by: .joint)], [.perImage, .eigen, .laina], with: Self.integers,
      within: 1e-4)
  }

  /// In float32, instruction sets add in different orders.
  @Test("default weights in float32 have their recorded accuracy on NYU")
  func floatsKeepTheirAccuracy() throws {
    try compare(
      [predictor(.float32)], [.perImage], with: Self.floats, within: 1e-3)
  }

  /// A network with one thread, since workers measure frames in parallel.
  private func predictor(_ precision: Precision) throws -> Predictor {
    try Predictor(
      DepthEstimator(WeightsSelection(named: ["default"]), threads: 1, precision: precision),
      name: "default")
  }

  private func compare(
    _ predictors: [Predictor], _ protocols: [EvaluationProtocol], with record: [String: [Double]],
    within tolerance: Double
  ) throws {
    let evaluation = try Evaluation(
      Evaluator(predictors, protocols: protocols), on: NYUFrames.everyFourth(),
      workers: availableProcessors)
    #expect(evaluation.frames.count == 164 && evaluation.skipped.isEmpty)
    #expect(evaluation.rows.count == record.count)
    for (index, row) in evaluation.rows.enumerated() {
      let name = "\(predictors[row.predictor].name) \(row.evaluation.rawValue)"
      let recorded = try #require(record[name])
      let measured = evaluation.metrics(ofRow: index).named
      #expect(measured.count == recorded.count)
      for ((measure, value), expected) in zip(measured, recorded) {
        if NYUFrames.sample == nil {
          print("\(name): \(measure) \(value), of JPEG \(expected)")
        } else {
          #expect(
            abs(value - expected) < tolerance,
            "\(name): \(measure) is \(value), recorded \(expected)")
        }
      }
    }
  }
}

/// Each row has rel, rms (m), log10, rms_log, δ1, δ2, δ3, SILog and boundary F1.
extension NYUAccuracy {
  private static let integers: [String: [Double]] = [
    "default per-image": [
      0.146048, 0.527114, 0.062072, 0.183459, 0.797864, 0.963006, 0.993409,
      15.374553, 0.003021,
    ],
    "default eigen": [
      0.142399, 0.518993, 0.060523, 0.179345, 0.807836, 0.965574, 0.993712,
      14.970641, 0.003433,
    ],
    "default laina": [
      0.151146, 0.626070, 0.066083, 0.204420, 0.777591, 0.958732, 0.992296,
      15.808193, 0.002046,
    ],
    "default + joint per-image": [
      0.145991, 0.527045, 0.062058, 0.183496, 0.797950, 0.962942, 0.993346,
      15.376450, 0.085546,
    ],
    "default + joint eigen": [
      0.142337, 0.518885, 0.060505, 0.179384, 0.807999, 0.965559, 0.993630,
      14.973285, 0.086996,
    ],
    "default + joint laina": [
      0.151523, 0.627552, 0.066230, 0.205245, 0.777203, 0.958256, 0.991997,
      15.908201, 0.014824,
    ],
  ]

  private static let floats: [String: [Double]] = [
    "default per-image": [
      0.145768, 0.526166, 0.061993, 0.183197, 0.797976, 0.963191, 0.993347,
      15.360699, 0.003021,
    ]
  ]
}
