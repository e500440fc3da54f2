import DepthEvaluation

extension Evaluation {
  /// The printed table, with one line for each predictor and protocol.
  ///
  /// The column `errors` and the headings show whether errors are pooled over pixels or are means over frames.
  var table: String {
    let heading = [
      "weights", "protocol", "errors", "rel", "rms m", "log10", "rms log", "δ1", "δ2", "δ3",
      "mean SILog", "mean boundary F1",
    ]
    let lines = rows.indices.map { index -> [String] in
      let row = rows[index]
      return [predictorNames[row.predictor], row.label, row.evaluation.combination]
        + metrics(ofRow: index).named.map { $0.value.fixed($0.name == "silog" ? 2 : 4) }
    }
    let clamped = rows.indices.filter { clampedPixels(ofRow: $0) > 0 }.map {
      "\(rows[$0].label): \(clampedPixels(ofRow: $0)) predictions without a positive finite value counted as 0.001 m\n"
    }
    return aligned([heading] + lines, leading: 3) + clamped.joined()
      + "pooled: all pixels of all frames together; mean: each frame's errors averaged over the frames, as "
      + "SILog and boundary F1 are always\n"
      + "\(frames.count) frames counted, \(skipped.count) skipped, "
      + "\(framesPerSecond.fixed(1)) frames per second\n"
  }

  /// Number of predictions, in all frames, that were at most 0 or not a number.
  func clampedPixels(ofRow row: Int) -> Int { frames.reduce(0) { $0 + $1.errors[row].clamped } }

  /// The numbers of every frame, for every row, as comma-separated values.
  var commaSeparated: String {
    let names = DepthMetrics(frames[0].errors[0]).named.map(\.name)
    let head = ["frame", "weights", "protocol", "median_scaled"] + names + ["pixels", "clamped"]
    var lines = [head.joined(separator: ",")]
    for frame in frames {
      for (row, errors) in zip(rows, frame.errors) {
        let values = DepthMetrics(errors).named.map { "\($0.value)" }
        let fields =
          [
            frame.name.quoted, predictorNames[row.predictor].quoted, row.evaluation.rawValue,
            row.adjustment == .medianScale ? "1" : "0",
          ] + values + ["\(errors.pixels)", "\(errors.clamped)"]
        lines.append(fields.joined(separator: ","))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The objects that `--json` prints, one for each predictor and protocol.
  func records(dataset: String) -> [EvaluationRecord] {
    rows.indices.map { index in
      let (row, metrics) = (rows[index], metrics(ofRow: index))
      return EvaluationRecord(
        dataset: dataset, weights: predictorNames[row.predictor], protocol: row.evaluation.rawValue,
        medianScaled: row.adjustment == .medianScale, frames: frames.count, skipped: skipped.count,
        rel: metrics.rel, rms: metrics.rms, log10: metrics.log10, rmsLog: metrics.rmsLog,
        delta1: metrics.delta1, delta2: metrics.delta2, delta3: metrics.delta3,
        silog: metrics.siLog, boundaryF1: metrics.boundaryF1,
        pixels: frames.reduce(0) { $0 + $1.errors[index].pixels },
        pixelsWithoutTruth: frames.reduce(0) { $0 + $1.errors[index].holes },
        clampedPixels: clampedPixels(ofRow: index), framesPerSecond: framesPerSecond)
    }
  }
}

extension EvaluationProtocol {
  /// The table's word for the combination of the frames' errors.
  fileprivate var combination: String { averagesFrames ? "mean" : "pooled" }
}

/// The line that `--json` prints for one predictor under one protocol.
///
/// `rel` to `delta3` are pooled over all pixels of all frames under `laina` and `full-frame`, and means over
/// frames under the other protocols; `silog` and `boundary_f1` are always means over frames.
struct EvaluationRecord: Encodable {
  let dataset, weights, `protocol`: String
  let medianScaled: Bool
  let frames, skipped: Int
  let rel, rms, log10, rmsLog, delta1, delta2, delta3, silog, boundaryF1: Double
  let pixels, pixelsWithoutTruth, clampedPixels: Int
  let framesPerSecond: Double
}

extension EvaluationRow {
  /// The protocol, and whether maps were scaled.
  var label: String { evaluation.rawValue + (scalesMedian ? ", median-scaled" : "") }
}

extension String {
  /// The text as one field of comma-separated values.
  fileprivate var quoted: String {
    guard contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return self }
    return "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
