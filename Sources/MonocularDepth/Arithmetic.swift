/// The arithmetic of an estimator's layers: what was asked for by ``Precision``, or what ``Precision/auto`` chose.
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

  /// The ending of a network's name in tables; floats have none.
  package var nameEnding: String { self == .float32 ? "" : " \(rawValue)" }
}
