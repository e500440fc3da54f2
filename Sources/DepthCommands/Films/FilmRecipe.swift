import DepthImages
import FilmFiles
import MonocularDepth
import StereoPhotos
import WeightsFiles

/// Everything that the bytes of a film depend on, besides the film that it is made from and the programs that make it.
///
/// Its encoding has every field, so that a setting that is added here is in the fingerprint of films.
struct FilmRecipe: Encodable, Sendable {
  var request: FilmRequest
  var encoder: EncoderSettings
  var excerpt: FilmExcerpt
  /// Seconds that are tried from the middle; `nil` for the whole film.
  var preview: Double?
  /// Seconds of film in one segment; `nil` without segments.
  var segment: Double?
  var weights: WeightsRequest
  var calibration: CalibrationFile?

  /// The format of a stereo film; `nil` for other films.
  var stereo: StereoFormat? { request.stereo?.format }

  /// Whether colors keep a sample of chroma for each pixel: the user has chosen the encoder, or the views need it.
  var keepsChroma: Bool {
    encoder.isNamed || stereo == .rowInterleaved || stereo == .columnInterleaved
  }

  /// Loads the networks that estimate its frames' maps.
  func estimation(
    of selection: WeightsSelection, limits: ImageLimits, loadingThreads: Int?
  ) throws -> MapEstimation {
    try weights.estimation(
      of: selection, request.options(limits), calibration: calibration?.calibration, threads: 1,
      loadingThreads: loadingThreads)
  }

  /// Texts that are equal for films whose segments may be joined: the programs, the networks, and the settings.
  ///
  /// - Throws: `DepthError` where a file of theirs cannot be read.
  func fingerprint(by estimator: DepthEstimator, _ tools: FFmpeg) throws -> [String] {
    [
      Version.text, try ProgramFile.digest(), tools.version, try estimator.weightsIdentifier(),
      "\(estimator.configurations)", estimator.precision.rawValue, try jsonLine(self),
    ]
  }
}

extension WeightsKind: Encodable {}
