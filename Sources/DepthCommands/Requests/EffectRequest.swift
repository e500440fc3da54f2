import DepthEffects
import DepthErrors
import DepthImages
import MonocularDepth

/// The name of an effect.
enum EffectName: String, CaseIterable, Codable, Sendable {
  case mask, cutout, spotlight, highlight, haze, blur

  /// Whether the effect selects a depth.
  var hasFocus: Bool { self != .haze }

  /// Whether the effect uses only a mask, for which a range may replace the focus.
  var isMask: Bool { hasFocus && self != .blur }

  /// Whether the effect is available for frames, which have no alpha channel.
  var isForFrames: Bool { self != .cutout }

  static let namesForFrames = allCases.filter(\.isForFrames).map(\.rawValue)
}

/// The shape of the mask.
struct MaskRequest: Request {
  /// Steepness of the edges.
  var slope: Double?
  /// Width of the range in which the mask is 1, as a share of the disparity range.
  var width: Double?
  var scaling: FocusMask.Scaling?
  /// The two ends of a range that replaces the focus, and the width of the range's edges.
  var from, to, soft: BoundWord?

  func check() throws(InvalidRequest) {
    try check("slope", slope, in: FocusMask.slopes)
    try check("width", width, in: FocusMask.widths)
    guard let first = from ?? to else {
      return try refuse(["soft": soft != nil], needing: "`from` or `to`")
    }
    let limits = first.isShare ? MaskRange.shares : MaskRange.distances
    for (name, word) in [("from", from), ("to", to), ("soft", soft)] {
      guard let word, word.isShare != first.isShare || !limits.contains(word.value) else {
        continue
      }
      throw InvalidRequest(
        "`\(name)` is \(word.word), expected "
          + (first.isShare
            ? "a share from 0 to 1, or distances with their unit such as 2m"
            : "a distance with its unit such as \(first.word), at most 100000 m"))
    }
    if let from, let to, from.value >= to.value {
      throw InvalidRequest("`from` is \(from.word) and `to` \(to.word), expected `from` below `to`")
    }
  }

  /// The range of the mask; `nil` if the mask has a focus.
  var range: MaskRange? {
    (from ?? to).map {
      MaskRange(from: from?.value, to: to?.value, soft: soft?.value ?? 0, isShares: $0.isShare)
    }
  }

  var mask: FocusMask {
    var mask = FocusMask()
    if let slope { mask.slope = slope }
    if let width { mask.width = width }
    if let scaling { mask.scaling = scaling }
    return mask
  }
}

/// The density of haze.
struct HazeRequest: Request {
  /// β per metre.
  var density: Double?
  /// Share of light lost at the farthest point, for depth in any unit.
  var strength: Double?

  func check() throws(InvalidRequest) {
    try check("density", density, in: Haze.densities, unit: "per metre")
    try check("strength", strength, in: Haze.strengths)
    try checkExclusive(["density": density != nil, "strength": strength != nil])
  }
}

/// A depth effect for `depth effect`, `POST /v1/effect` and `depth video --effect`.
struct EffectRequest: Request {
  /// Name of the effect; `nil` for a film without an effect.
  var effect: EffectName?
  var focus: FocusWord?
  var focusAt: PixelWord?
  var lens = LensRequest()
  var shape = MaskRequest()
  var haze = HazeRequest()
  /// Whether a mask has 16 bits per pixel.
  var is16Bit = false
  var camera = CameraRequest()
  var picture = PictureRequest()

  func check() throws(InvalidRequest) {
    try check(made: effect.map { "`effect` \($0.rawValue)" } ?? "no effect")
    guard let effect else {
      throw InvalidRequest(
        "the effect is '', expected \(listed(choices(EffectName.self)))")
    }
    if effect.hasFocus, focus == nil, focusAt == nil, shape.range == nil {
      throw InvalidRequest(
        "no focus, expected `focus` subject or nearest, `focus` with a distance such as 1.8m, or `focusAt` with a pixel"
          + (effect.isMask ? "; or a range, `from` 2m `to` 4m" : "")
      )
    }
    if effect == .mask {
      try refuse(
        ["keepLocation": picture.keepLocation, "stripMetadata": picture.stripMetadata],
        needing: "a photo as output, but a mask is a PNG without metadata")
    }
  }

  /// Rejects fields that do not affect a file of this format.
  ///
  /// - Parameter ending: The extension of the file.
  func check(writing ending: String) throws(InvalidRequest) {
    try picture.check(writing: ending)
    if ending == "pfm" { try refuse(["is16Bit": is16Bit], needing: "a PNG, but PFM has floats") }
  }

  /// Checks the rules between fields, except those that apply only to photos.
  ///
  /// - Parameter made: The name of the product, for messages.
  func check(made: String) throws(InvalidRequest) {
    try camera.check()
    try picture.check()
    try lens.check()
    try shape.check()
    try haze.check()
    if effect != .blur {
      try refuse(lens.givenFields, needing: "`effect` blur, found \(made)")
    }
    if effect?.isMask != true {
      try refuse(
        ["from": shape.from != nil, "to": shape.to != nil, "soft": shape.soft != nil],
        needing: "`effect` mask, cutout, spotlight or highlight, found \(made)")
    }
    for (name, isGiven) in [
      ("focus", focus != nil), ("focusAt", focusAt != nil), ("slope", shape.slope != nil),
      ("width", shape.width != nil),
    ] where isGiven && shape.range != nil {
      try checkExclusive([shape.from == nil ? "to" : "from": true, name: true])
    }
    if effect?.hasFocus != true {
      let names = EffectName.allCases.filter(\.hasFocus).map(\.rawValue)
      let masks = EffectName.allCases.filter(\.isMask).map(\.rawValue).joined(separator: ", ")
      try refuse(
        shape.givenFields, needing: "`effect` \(masks) and blur `style` mask, found \(made)")
      try refuse(
        ["focus": focus != nil, "focusAt": focusAt != nil],
        needing: "`effect` \(listed(names)), found \(made)")
    }
    if effect != .haze {
      try refuse(haze.givenFields, needing: "`effect` haze, found \(made)")
    }
    if effect == .blur, lens.style == .lens {
      try refuse(shape.givenFields, needing: "`style` mask")
    }
    if is16Bit, effect != .mask {
      try refuse(["is16Bit"], needing: "`effect` mask, found \(made)")
    }
    try checkExclusive(["focus": focus != nil, "focusAt": focusAt != nil])
    if case .normalized(let share) = focus?.value, !(0...1).contains(share) {
      throw InvalidRequest(
        "`focus` is \(share), expected 0 to 1, or a distance with its unit such as 1.8m")
    }
  }
}
