package import DepthVideo
package import PictureFiles
import StereoPhotos

/// How flicker is taken out of successive maps.
package enum Steadiness: String, CaseIterable, Codable, Sendable {
  /// ``TemporalDepthFilter`` with its defaults.
  case gated
  /// The same filter without the lock of the scale and without a look at the photo.
  case exponential
  case none

  /// `nil` leaves maps alone.
  package var temporalFilter: TemporalDepthFilter? {
    switch self {
    case .gated: TemporalDepthFilter()
    case .exponential: .exponential
    case .none: nil
    }
  }
}

/// A film of stereo pictures, of an effect or of depth, as `depth video` makes it.
package struct FilmRequest: Request {
  package var stereo: FilmFormatWord?
  /// Its camera is the film's.
  package var effect = EffectRequest()
  /// Whether the film shows depth.
  package var depth = false
  package var colorMap = ColorMap.gray
  /// Distances that become white and black; `nil` for a range that adapts to the film.
  package var pictureRange: PictureSpan?
  package var parallax = ParallaxRequest()
  package var steady = Steadiness.gated
  /// Depth is estimated for every nth frame, 1 to 60.
  package var depthEvery = 1

  package init() {}

  package func check() throws(InvalidRequest) {
    let wanted = [stereo != nil, effect.effect != nil, depth].count { $0 }
    guard wanted == 1 else {
      throw InvalidRequest(
        "\(wanted == 0 ? "nothing to make" : "more than one thing to make"), expected one of `stereo` FORMAT, `effect` NAME and `depth`"
      )
    }
    try effect.check(made: made)
    if !depth {
      try refuse(
        ["pictureRange": pictureRange != nil, "colorMap": colorMap != .gray], needing: "`depth`")
    }
    try parallax.check()
    try check("depthEvery", depthEvery, in: 1...60)
    if let stereo {
      try parallax.checkFilm(stereo.format)
    } else {
      try refuse(parallax.givenFields, needing: "`stereo`, found \(made)")
    }
  }

  /// What is made, as it was asked for.
  private var made: String {
    if let stereo { return "`stereo` \(stereo.format.name)" }
    return effect.effect.map { "`effect` \($0.rawValue)" } ?? "`depth`"
  }

  /// Whether pictures have no colors.
  package var isGray: Bool { depth && colorMap == .gray || effect.effect == .mask }

  /// The suffix of names in folders.
  package var suffix: String {
    if let stereo { return stereo.format.suffixes(aspect: 1)[0] }
    return effect.effect.map { "_\($0.rawValue)" } ?? "_depth"
  }
}
