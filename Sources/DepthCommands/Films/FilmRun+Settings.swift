import DepthImages
import FilmFiles
import StereoPhotos

extension FilmRun {
  /// Settings of all films of a command.
  struct Settings: Sendable {
    var encoder: EncoderSettings
    var excerpt: FilmExcerpt
    /// Seconds that are tried from the middle; `nil` for the whole film.
    var preview: Double?
    /// Seconds of film in one segment; `nil` without segments.
    var segment: Double?
    var stereo: StereoFormat?
    /// Gray levels instead of colors.
    var isGray: Bool
    var overwrite, isQuiet: Bool
    /// Whether a film that exists is replaced, although stopped ones go on.
    var replacesOutdated = false
    var threads: Int
    var limits: ImageLimits
    /// Everything that pictures depend on, the program's version first.
    var fingerprint: [String]

    /// Whether colors keep a sample of chroma for each pixel: the user has chosen the encoder, or the views need it.
    var keepsChroma: Bool {
      encoder.isNamed || stereo == .rowInterleaved || stereo == .columnInterleaved
    }
  }
}
