import DepthErrors
import DepthImages
import DepthVideo
import MonocularDepth
import PictureFiles
import StereoPhotos
import ViewSynthesis

/// A film of stereo pictures, of an effect or of depth, for `depth video`.
struct FilmRequest: Request {
  var stereo: FilmFormatWord?
  /// An effect. Its camera is also the camera of films without an effect.
  var effect = EffectRequest()
  /// Whether the film shows depth.
  var depth = false
  var colorMap = ColorMap.gray
  /// Distances that are white and black; `nil` for a range that adapts to the film.
  var pictureRange: DisplayRange?
  var parallax = ParallaxRequest()
  var steady = TemporalSmoothing.standard
  /// Interval between two estimates, in frames.
  var depthEvery = 1

  /// Whether the film uses distances. Relative depth is enough for other films.
  var usesMetres: Bool {
    pictureRange != nil || stereo != nil && parallax.purposeOfMetres != nil
      || effect.effect != nil && effect.purposeOfMetres != nil
  }

  /// The options of the film's maps, without the calibration.
  func options(_ limits: ImageLimits) -> DepthOptions {
    var options = DepthOptions(camera: effect.camera.setting, limits: limits)
    options.relativeDepth = usesMetres ? .metres(isBounded: false) : .relative
    options.background = parallax.background
    return options
  }

  func check() throws(InvalidRequest) {
    let wanted = [stereo != nil, effect.effect != nil, depth].count { $0 }
    guard wanted == 1 else {
      throw InvalidRequest(
        "\(wanted == 0 ? "no kind of film is given" : "several kinds of film are given"), expected one of `stereo` FORMAT, `effect` NAME and `depth`"
      )
    }
    if let effect = effect.effect, !effect.isForFrames {
      throw InvalidRequest(
        "`effect` \(effect.rawValue) requires photos, since films have no alpha channel, expected "
          + listed(EffectName.namesForFrames))
    }
    try effect.check(made: made)
    if !depth {
      try refuse(
        ["pictureRange": pictureRange != nil, "colorMap": colorMap != .gray], needing: "`depth`")
    }
    try parallax.check()
    try check("depthEvery", depthEvery, in: FramePipeline.intervals)
    if let stereo {
      try parallax.checkFilm(stereo.format)
    } else {
      try refuse(parallax.givenFields, needing: "`stereo`, found \(made)")
    }
  }

  /// Name of the product, as requested.
  private var made: String {
    if let stereo { return "`stereo` \(stereo.format.name)" }
    return effect.effect.map { "`effect` \($0.rawValue)" } ?? "`depth`"
  }

  var isGray: Bool { depth && colorMap == .gray || effect.effect == .mask }

  /// The suffix of film names in folders.
  var suffix: String {
    if let stereo { return stereo.format.suffixes(aspect: 1)[0] }
    return effect.effect.map { "_\($0.rawValue)" } ?? "_depth"
  }
}
