/// The arithmetic of an estimator's layers: the requested ``Precision``, or the choice of ``Precision/auto``.
///
/// ```swift
/// let estimator = try DepthEstimator()
/// if estimator.precision == .int8 { print("integers, the same bits on every processor") }
/// ```
public enum Arithmetic: String, Sendable, Codable, CaseIterable {
  /// 32-bit floats.
  case float32
  /// 8-bit integers.
  case int8

  /// The suffix of a network's name in tables; empty for floats.
  package var nameEnding: String { self == .float32 ? "" : " \(rawValue)" }
}
