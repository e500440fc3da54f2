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
      0.149770, 0.523641, 0.062243, 0.185486, 0.802640, 0.954203, 0.991966,
      15.556500, 0.006854,
    ],
    "default eigen": [
      0.145368, 0.516590, 0.060595, 0.180850, 0.813015, 0.957974, 0.992476,
      15.095760, 0.007611,
    ],
    "default laina": [
      0.147897, 0.588304, 0.062418, 0.196909, 0.799828, 0.958868, 0.992579,
      15.506175, 0.005333,
    ],
    "default + joint per-image": [
      0.149676, 0.523587, 0.062205, 0.185446, 0.802985, 0.954169, 0.991937,
      15.552002, 0.082193,
    ],
    "default + joint eigen": [
      0.145279, 0.516578, 0.060557, 0.180834, 0.813377, 0.957906, 0.992432,
      15.094098, 0.087678,
    ],
    "default + joint laina": [
      0.148137, 0.589553, 0.062503, 0.197436, 0.799621, 0.958500, 0.992360,
      15.570010, 0.020505,
    ],
  ]

  private static let floats: [String: [Double]] = [
    "default per-image": [
      0.149621, 0.523950, 0.062246, 0.185490, 0.802730, 0.954248, 0.991977,
      15.553565, 0.006842,
    ]
  ]
}
