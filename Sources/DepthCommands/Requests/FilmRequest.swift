import DepthErrors
import DepthVideo
import PictureFiles
import StereoPhotos
import ViewSynthesis

/// How flicker is taken out of successive maps.
enum Steadiness: String, CaseIterable, Codable, Sendable {
  /// ``TemporalDepthFilter`` with its defaults.
  case gated
  /// The same filter without the lock of the scale and without a look at the photo.
  case exponential
  case none

  static let standard = Steadiness.gated

  /// `nil` leaves maps alone.
  var temporalFilter: TemporalDepthFilter? {
    switch self {
    case .gated: TemporalDepthFilter()
    case .exponential: .exponential
    case .none: nil
    }
  }
}

/// A film of stereo pictures, of an effect or of depth, as `depth video` makes it.
struct FilmRequest: Request {
  var stereo: FilmFormatWord?
  /// Its camera is the film's.
  var effect = EffectRequest()
  /// Whether the film shows depth.
  var depth = false
  var colorMap = ColorMap.gray
  /// Distances that become white and black; `nil` for a range that adapts to the film.
  var pictureRange: PictureSpan?
  var parallax = ParallaxRequest()
  var steady = Steadiness.standard
  /// Depth is estimated for every nth frame.
  var depthEvery = 1

  /// Whether distances are used; relative depth is enough for other films.
  var usesMetres: Bool {
    pictureRange != nil || stereo != nil && parallax.purposeOfMetres != nil
      || effect.effect != nil && effect.purposeOfMetres != nil
  }

  func check() throws(InvalidRequest) {
    let wanted = [stereo != nil, effect.effect != nil, depth].count { $0 }
    guard wanted == 1 else {
      throw InvalidRequest(
        "\(wanted == 0 ? "nothing to make" : "more than one thing to make"), expected one of `stereo` FORMAT, `effect` NAME and `depth`"
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
    try check("depthEvery", depthEvery, in: DepthPropagation.intervals)
    if let stereo {
      try parallax.checkFilm(stereo.format)
    } else {
      try refuse(parallax.givenFields, needing: "`stereo`, found \(made)")
    }
  }

  /// Name of the product, as it was asked for.
  private var made: String {
    if let stereo { return "`stereo` \(stereo.format.name)" }
    return effect.effect.map { "`effect` \($0.rawValue)" } ?? "`depth`"
  }

  /// Whether pictures have no colors.
  var isGray: Bool { depth && colorMap == .gray || effect.effect == .mask }

  /// The suffix of names in folders.
  var suffix: String {
    if let stereo { return stereo.format.suffixes(aspect: 1)[0] }
    return effect.effect.map { "_\($0.rawValue)" } ?? "_depth"
  }
}

/// A stereo format by one of its names.
struct StereoFormatWord: RequestWord {
  static var expected: String { StereoFormat.all.map(\.name).joined(separator: ", ") }
  let word: String
  let format: StereoFormat

  init(_ format: StereoFormat) { (word, self.format) = (format.name, format) }

  init?(word: String) {
    guard let format = StereoFormat(name: word) else { return nil }
    (self.word, self.format) = (word, format)
  }
}

/// A stereo format whose views are in one picture, as films have them.
struct FilmFormatWord: RequestWord {
  static var expected: String {
    StereoFormat.all.filter(\.isOnePicture).map(\.name).joined(separator: ", ")
  }
  let word: String
  let format: StereoFormat

  init?(word: String) {
    guard let format = StereoFormat(name: word), format.isOnePicture else { return nil }
    (self.word, self.format) = (word, format)
  }
}

/// `warp`, `gather` and `shiftAndFix`: the last word of a renderer's name.
struct RendererWord: RequestWord {
  static var expected: String { listed(names) }
  static var names: [String] { StereoRenderer.allCases.map(name) }
  let renderer: StereoRenderer
  var word: String { Self.name(renderer) }

  init?(word: String) {
    guard let renderer = StereoRenderer.allCases.first(where: { Self.name($0) == word })
    else { return nil }
    self.renderer = renderer
  }

  private static func name(_ renderer: StereoRenderer) -> String {
    renderer.rawValue.split(separator: "-").last.map(String.init) ?? renderer.rawValue
  }
}

/// A share of the disparity range, or `auto`.
struct Convergence: RequestWord {
  static let expected = "0 to 1, or auto"
  let word: String
  /// `nil` for the depth of the picture's middle.
  let share: Double?

  init?(word: String) {
    if word == "auto" {
      share = nil
    } else if let number = Double(word), (0...1).contains(number) {
      share = number
    } else {
      return nil
    }
    self.word = word
  }
}

/// `0.5:6`, metres.
struct PictureSpan: RequestWord {
  static let expected = "two distances in metres such as 0.5:6, the nearer one first"
  let word: String
  /// 1 / metres, black to white.
  let disparities: ClosedRange<Float>

  init?(word: String) {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Float($0) }
    guard parts.count == 2, let near = parts[0], let far = parts[1], near > 0, far > near,
      far.isFinite
    else { return nil }
    (self.word, disparities) = (word, 1 / far...1 / near)
  }
}
