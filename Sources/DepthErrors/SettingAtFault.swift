/// The setting that a failure is about, or what is missing for it, as the cause of its error.
///
/// Libraries say in their own terms what is wrong. The command line, which has options and commands for these, adds
/// their names.
package enum SettingAtFault: Error, Hashable {
  /// The photo's focal length or angle of view.
  case focalLength
  /// A calibration, which turns relative disparity into metres.
  case calibration
  /// The shorter side of a network's input.
  case inputSize
  /// The number of patches that a network sees.
  case tokens
  /// Relative disparity where metres are needed, which metric weights or a calibration give.
  case relativeDepth
  /// The name of weights, or of their file.
  case weightsName
  /// Published weights that are not downloaded.
  case weightsToFetch(String)
  /// The training of published weights that do not state it, or state another: indoor, outdoor or relative.
  case weightsKind
  /// A kind of training for weights that state theirs, or have only one.
  case needlessWeightsKind
  /// The scales of a network's maps, which integers need.
  case activationScales
  /// Scales for weights that need none.
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
  /// The name of the array in an archive of depth.
  case depthKey
  /// The port that a server listens on.
  case port
  /// The protocol of an evaluation.
  case evaluationProtocol
}
