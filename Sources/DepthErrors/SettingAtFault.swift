/// The setting that causes an error, or that would prevent it.
///
/// Libraries describe errors in their own terms. The command line adds the names of its options and commands.
package enum SettingAtFault: Error, Hashable {
  /// The photo's focal length or angle of view.
  case focalLength
  /// A calibration, which turns relative disparity into metres.
  case calibration
  /// The shorter side of a network's input.
  case inputSize
  /// The number of patches of a network's input.
  case tokens
  /// Relative disparity where metres are required. Metric weights or a calibration provide metres.
  case relativeDepth
  /// The name of weights, or of their file.
  case weightsName
  /// Published weights that have not been downloaded.
  case weightsToFetch(String)
  /// The kind of training of published weights (indoor, outdoor or relative), if missing or contradictory.
  case weightsKind
  /// A kind of training for weights that record the kind or have only one kind.
  case needlessWeightsKind
  /// The activation scales of a network, which int8 requires.
  case activationScales
  /// Scales for weights that do not use them.
  case needlessScales
  /// The format of frames without a header.
  case frameFormat
  /// A film where a photo is expected.
  case film
  /// The encoder of a film's pictures.
  case codec
  /// The part of a data set.
  case split
  /// The number of values per metre in depth files.
  case depthScale
  /// The unit of the values of a depth file.
  case depthUnit
  /// The name of the array in an archive.
  case depthKey
  /// The port that a server listens on.
  case port
  /// The protocol of an evaluation.
  case evaluationProtocol
}
