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
    let plain = try predictor(.int8)
    try compare(
      [plain, plain.refined(by: .joint)], [.perImage, .eigen, .laina], with: Self.integers,
      within: 1e-4)
  }

  /// In float32 instruction sets add in different orders.
  @Test func floatsKeepTheirAccuracy() throws {
    try compare(
      [predictor(.float32)], [.perImage], with: Self.floats, within: 1e-3)
  }

  /// A network; workers measure frames side by side, each with one thread.
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

/// Per row rel, rms (m), log10, rms_log, δ1, δ2, δ3, SILog and boundary F1.
extension NYUAccuracy {
  private static let integers: [String: [Double]] = [
    "default per-image": [
      0.145328, 0.523518, 0.061857, 0.182992, 0.798116, 0.963495, 0.993535,
      15.344970, 0.002808,
    ],
    "default eigen": [
      0.141752, 0.515464, 0.060297, 0.178841, 0.808057, 0.965820, 0.993794,
      14.942008, 0.003202,
    ],
    "default laina": [
      0.151235, 0.625433, 0.066562, 0.205519, 0.772193, 0.958480, 0.992205,
      15.775015, 0.001972,
    ],
    "default + joint per-image": [
      0.145211, 0.523192, 0.061820, 0.182929, 0.798327, 0.963451, 0.993494,
      15.335352, 0.082124,
    ],
    "default + joint eigen": [
      0.141621, 0.515057, 0.060253, 0.178760, 0.808346, 0.965822, 0.993741,
      14.930983, 0.083400,
    ],
    "default + joint laina": [
      0.151552, 0.626642, 0.066690, 0.206231, 0.771904, 0.958037, 0.991951,
      15.859888, 0.013069,
    ],
  ]

  private static let floats: [String: [Double]] = [
    "default per-image": [
      0.145309, 0.523585, 0.061895, 0.183068, 0.798268, 0.963310, 0.993488,
      15.347685, 0.002845,
    ]
  ]
}
