import DepthEvaluation

extension Evaluate {
  /// Measures a clip; see `--clip`.
  func measureClip() throws {
    let evaluation = try ClipEvaluation(
      dataset, estimators: estimators(threads: threads), depthEvery: depthEvery ?? 1)
    try Console.write(
      json ? evaluation.rows.map { try jsonLine($0) }.joined() : evaluation.table)
  }
}
