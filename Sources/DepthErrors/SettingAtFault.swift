/// The setting that a failure is about, as the cause of its error.
///
/// Libraries say in their own terms what is wrong. The command line, which has options for these settings, adds their
/// names.
package enum SettingAtFault: Error, Hashable {
  /// The photo's focal length or angle of view.
  case focalLength
  /// A calibration, which turns relative disparity into metres.
  case calibration
  /// The shorter side of a network's input.
  case inputSize
  /// The number of patches that a network sees.
  case tokens
  /// The training of published weights: indoor, outdoor or relative.
  case weightsKind
  /// The format of frames without a header.
  case frameFormat
  /// The part of a data set.
  case split
  /// The number of values per metre in depth files.
  case depthScale
  /// The unit of the values of a depth file.
  case depthUnit
  /// The port that a server listens on.
  case port
  /// The protocol of an evaluation.
  case evaluationProtocol
}
