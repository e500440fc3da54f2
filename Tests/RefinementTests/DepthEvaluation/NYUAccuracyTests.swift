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
      DepthEstimator(WeightsSelection(named: [name]), threads: 1, precision: precision), name: name)
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
      0.144406, 0.514498, 0.061173, 0.180752, 0.800392, 0.966211, 0.994014,
      15.099152, 0.000284,
    ],
    "default eigen": [
      0.141026, 0.508012, 0.059754, 0.177081, 0.810792, 0.967688, 0.994429,
      14.757454, 0.000328,
    ],
    "default laina": [
      0.152246, 0.621381, 0.068153, 0.205757, 0.758668, 0.963420, 0.993104,
      15.222133, 0.000279,
    ],
    "default + joint per-image": [
      0.144119, 0.513472, 0.061076, 0.180380, 0.801084, 0.966426, 0.994113,
      15.053769, 0.077672,
    ],
    "default + joint eigen": [
      0.140703, 0.506836, 0.059649, 0.176668, 0.811589, 0.967953, 0.994538,
      14.706836, 0.079206,
    ],
    "default + joint laina": [
      0.152561, 0.622617, 0.068275, 0.206312, 0.758046, 0.963093, 0.992916,
      15.289995, 0.009241,
    ],
    "compact per-image": [
      0.146174, 0.517568, 0.061667, 0.182427, 0.799606, 0.964886, 0.993575,
      15.245344, 0.001868,
    ],
    "compact eigen": [
      0.142556, 0.509665, 0.060149, 0.178314, 0.809846, 0.967040, 0.993728,
      14.841935, 0.002129,
    ],
    "compact laina": [
      0.153931, 0.620241, 0.068830, 0.210536, 0.750046, 0.957203, 0.992159,
      15.819265, 0.001586,
    ],
    "compact + joint per-image": [
      0.146007, 0.517195, 0.061614, 0.182293, 0.800030, 0.964997, 0.993551,
      15.229709, 0.076476,
    ],
    "compact + joint eigen": [
      0.142384, 0.509269, 0.060095, 0.178173, 0.810282, 0.967156, 0.993695,
      14.825030, 0.078324,
    ],
    "compact + joint laina": [
      0.154238, 0.621565, 0.068967, 0.211249, 0.749711, 0.956705, 0.991907,
      15.900951, 0.012795,
    ],
  ]

  private static let floats: [String: [Double]] = [
    "compact per-image": [
      0.146194, 0.517465, 0.061715, 0.182492, 0.799531, 0.964715, 0.993667,
      15.239333, 0.001872,
    ]
  ]
}
