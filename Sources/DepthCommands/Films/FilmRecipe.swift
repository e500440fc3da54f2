import DepthImages
import FilmFiles
import MonocularDepth
import StereoPhotos
import WeightsFiles

/// All settings that affect the bytes of a film, except its input and the programs.
///
/// The encoding contains every field, so a new setting becomes part of the fingerprint.
struct FilmRecipe: Encodable, Sendable {
  var request: FilmRequest
  var encoder: EncoderSettings
  var excerpt: FilmExcerpt
  /// Duration in seconds of a preview from the film's middle; `nil` for the whole film.
  var preview: Double?
  /// Duration of a segment in seconds; `nil` without segments.
  var segment: Double?
  var weights: WeightsRequest
  var calibration: CalibrationFile?

  /// The format of a stereo film; `nil` for other films.
  var stereo: StereoFormat? { request.stereo?.format }

  /// Whether chroma has full resolution, because the user chose the encoder or the views require full
  /// resolution.
  var keepsChroma: Bool {
    encoder.isNamed || stereo == .rowInterleaved || stereo == .columnInterleaved
  }

  /// Loads the networks for the film's frames.
  func estimation(
    of selection: WeightsSelection, limits: ImageLimits, loadingThreads: Int?
  ) throws -> MapEstimation {
    try weights.estimation(
      of: selection, request.options(limits), calibration: calibration?.calibration, threads: 1,
      loadingThreads: loadingThreads)
  }

  /// Texts that must be equal for all segments of a film: the programs, the networks, and the
  /// settings.
  ///
  /// - Throws: `DepthError` if the program or a weights file cannot be read.
  func fingerprint(by estimator: DepthEstimator, _ tools: FFmpeg) throws -> [String] {
    [
      Version.text, try ProgramFile.digest(), tools.version, try estimator.weightsIdentifier(),
      "\(estimator.configurations)", estimator.precision.rawValue, try jsonLine(self),
    ]
  }
}

extension WeightsKind: Encodable {}
