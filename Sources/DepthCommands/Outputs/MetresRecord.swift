import MonocularDepth

/// The fit of relative depth to metres, in the lines of `--json`: `Z = 1 / (gain · (r + shift))`, but no farther than the fit's floor and
/// within the weights' range.
struct MetresRecord: Encodable, Sendable {
  /// The file of the weights in metres.
  let from: String
  let gain, shift: Double
  /// Rank correlation of the two maps, −1…1; below .5 the metres are not to be trusted.
  let agreement: Double

  init(_ fit: MetricFit, from name: String) {
    from = name
    (gain, shift) = (fit.gain, fit.shift)
    agreement = fit.agreement.rounded(toDigits: 3)
  }

  init?(of estimate: DepthEstimate, by estimator: DepthEstimator) {
    guard let fit = estimate.metricFit, let name = estimator.metresName else { return nil }
    self.init(fit, from: name)
  }
}

extension MetresRecord? {
  /// The header `Depth-Metres` of an answer whose metres were fitted: the fields of the record, separated by commas.
  var headers: [(name: String, value: String)] {
    map { record in
      // Bytes that no header may hold come from names of files alone.
      let name = String(record.from.unicodeScalars.map { Self.isPlain($0) ? Character($0) : "_" })
      return [
        (
          "Depth-Metres",
          "from=\(name), gain=\(record.gain), shift=\(record.shift), agreement=\(record.agreement)"
        )
      ]
    } ?? []
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      && (scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar))
  }
}
