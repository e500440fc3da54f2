import DepthBase
import DepthEvaluation
import DepthRefinement
import Foundation
import MonocularDepth
import Testing
import _TestSupport

/// The accuracy of the package's weights on every fourth test frame of NYU Depth v2, compared with its record.
///
/// `depth evaluate DIR --depth-scale 5000 --weights NAME --refine METHOD --protocol NAME --json` recorded the
/// numbers, where DIR has the frames as JPEG. In int8 every processor gives the same bits, so that only another
/// JPEG decoder may change them. The frames of `nyu_depth_v2_labeled.mat` are not JPEG: what they give is
/// printed beside the record and not compared.
@Suite(
  .serialized, .enabled(if: SlowTests.areWanted, SlowTests.absence),
  .enabled(if: NYUFrames.arePresent, NYUFrames.absence))
struct NYUAccuracy {
  @Test func integersKeepTheirAccuracy() throws {
    let predictors = try ["default", "compact"].flatMap { name in
      let plain = try predictor(name, .int8)
      return [plain, plain.refined(by: .joint)]
    }
    try compare(
      predictors, [.perImage, .eigen, .laina], with: Self.integers, within: 1e-4)
  }

  /// In float32 instruction sets add in different orders.
  @Test func floatsKeepTheirAccuracy() throws {
    try compare(
      [predictor("compact", .float32)], [.perImage], with: Self.floats, within: 1e-3)
  }

  /// A network; workers measure frames side by side, each with one thread.
  private func predictor(_ name: String, _ precision: Precision) throws -> Predictor {
    try Predictor(
      DepthEstimator(WeightsSelection(named: name), threads: 1, precision: precision), name: name)
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

/// Per row rel, rms (m), log10, rms_log, δ1, δ2, δ3, SILog and boundary F1.
extension NYUAccuracy {
  private static let integers: [String: [Double]] = [
    "default per-image": [
      0.148203, 0.524376, 0.061938, 0.182908, 0.795520, 0.960724, 0.993384,
      15.284968, 0.000059,
    ],
    "default eigen": [
      0.144962, 0.517832, 0.060574, 0.179433, 0.805426, 0.962269, 0.993867,
      14.985576, 0.000070,
    ],
    "default laina": [
      0.157621, 0.644366, 0.068729, 0.209109, 0.755988, 0.957747, 0.992997,
      15.443707, 0.000091,
    ],
    "default + joint per-image": [
      0.147783, 0.522927, 0.061800, 0.182398, 0.796491, 0.961030, 0.993461,
      15.227262, 0.077131,
    ],
    "default + joint eigen": [
      0.144506, 0.516204, 0.060426, 0.178879, 0.806579, 0.962570, 0.993927,
      14.921339, 0.077091,
    ],
    "default + joint laina": [
      0.157960, 0.645756, 0.068878, 0.209712, 0.755214, 0.957207, 0.992847,
      15.513163, 0.008880,
    ],
    "compact per-image": [
      0.153290, 0.533952, 0.063689, 0.187600, 0.786994, 0.959557, 0.992429,
      15.620527, 0.000506,
    ],
    "compact eigen": [
      0.149688, 0.525884, 0.062186, 0.183645, 0.797481, 0.961266, 0.992867,
      15.268071, 0.000576,
    ],
    "compact laina": [
      0.157841, 0.635346, 0.068686, 0.211451, 0.756400, 0.954525, 0.991770,
      16.099898, 0.000516,
    ],
    "compact + joint per-image": [
      0.153009, 0.533244, 0.063595, 0.187321, 0.787625, 0.959728, 0.992449,
      15.589867, 0.074945,
    ],
    "compact + joint eigen": [
      0.149379, 0.525105, 0.062084, 0.183337, 0.798126, 0.961442, 0.992904,
      15.232936, 0.075199,
    ],
    "compact + joint laina": [
      0.158053, 0.636465, 0.068777, 0.211941, 0.756087, 0.954185, 0.991628,
      16.156636, 0.010048,
    ],
  ]

  private static let floats: [String: [Double]] = [
    "compact per-image": [
      0.152714, 0.532372, 0.063510, 0.187117, 0.787347, 0.960140, 0.992442,
      15.592949, 0.000508,
    ]
  ]
}
