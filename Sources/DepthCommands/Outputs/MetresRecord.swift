import MonocularDepth

/// The fit of relative depth to metres, in the lines of `--json`.
///
/// `Z = 1 / (gain · (r + shift))`, limited by the fit's floor and the weights' range.
struct MetresRecord: Encodable, Sendable {
  /// The file of the metric weights.
  let from: String
  let gain, shift: Double
  /// Rank correlation of the two maps, −1…1; below .5, the metres are unreliable.
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
  /// The `Depth-Metres` header of a response with fitted metres: the record's fields, separated by commas.
  var headers: [(name: String, value: String)] {
    map { record in
      // Only file names can contain characters that are not allowed in a header.
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
