import DepthImages
import MonocularDepth
import StereoPhotos
import ViewSynthesis

/// The parallax between the eyes' views.
struct ParallaxRequest: Request {
  /// Largest shift of each eye's view, as a share of the width. Negative values swap near and far.
  var shift: Share?
  /// Distance between the eyes.
  var baseline: Length?
  /// Distance of points at the screen; `nil` if the parallax is a share of the width.
  var screenDistance: Length?
  var renderer: RendererWord?
  var convergence: Convergence?
  /// Position of the photo between the views: 0 is the left view, 1 the right view.
  var balance = StereoOptions().balance
  var holeFilling = StereoOptions().holeFilling
  var frameEdges = StereoOptions().frameEdges
  var dilation: Dilation?
  /// Largest parallax between the views, as a share of the width; `nil` for no limit.
  var maxParallax: Share?

  func check() throws(InvalidRequest) {
    try checkExclusive([
      "shift": shift != nil,
      baseline == nil ? "screenDistance" : "baseline": baseline != nil || screenDistance != nil,
    ])
    if baseline != nil, screenDistance == nil {
      throw InvalidRequest("`baseline` requires `screenDistance`")
    }
    if let shift, !StereoOptions.shifts.contains(shift.value) {
      throw InvalidRequest("`shift` is \(shift.value), expected -0.25 to 0.25, or -25% to 25%")
    }
    if let maxParallax, !StereoOptions.largestParallaxes.contains(maxParallax.value) {
      throw InvalidRequest("`maxParallax` is \(maxParallax.value), expected 0.01% to 100%")
    }
    if screenDistance != nil, let share = convergence?.share {
      throw InvalidRequest(
        "`convergence` \(share) and `screenDistance` exclude each other, expected one")
    }
    try check("balance", balance, in: StereoOptions.balances)
    if wantedRenderer != .orderedWarp,
      let field = givenFields.first(where: { $0 != "shift" && $0 != "renderer" })
    {
      throw InvalidRequest(
        "`\(field)` has no effect with `renderer` \(renderer?.word ?? ""), expected `renderer` warp"
      )
    }
  }

  /// Rejects fields that a spatial photo does not support, since its parallax is true to scale.
  func checkSpatial() throws(InvalidRequest) {
    let other = ["shift", "screenDistance", "convergence", "maxParallax"]
    let field = givenFields.first(where: other.contains)
    guard field == nil, wantedRenderer == .orderedWarp else {
      throw InvalidRequest("`\(field ?? "renderer")` cannot be combined with `format` spatial")
    }
    try check("balance", balance, in: StereoOptions.balances)
  }

  /// The feature that requires metres, for messages; `nil` if relative depth is enough.
  var purposeOfMetres: String? { screenDistance == nil ? nil : "metric stereo" }

  /// The depth of the background. If the parallax is true to scale, the background is infinitely far and
  /// has no parallax.
  var background: DepthOptions.Background { screenDistance == nil ? .farthest : .infinite }

  private var wantedRenderer: StereoRenderer { renderer?.renderer ?? StereoOptions().renderer }

  /// Rejects fields that a format does not support.
  ///
  /// Sequences of views are always warped and centered. Only the warp finds pixels that are hidden in the photo.
  func check(_ format: StereoFormat) throws(InvalidRequest) {
    let isSequence: Bool
    switch format {
    case .wiggle, .wiggleGIF, .quilt: isSequence = true
    case .holeMask: isSequence = false
    default: return
    }
    let other: String
    if wantedRenderer != .orderedWarp, let renderer {
      other = "`renderer` \(renderer.word)"
    } else if isSequence, balance != StereoOptions().balance {
      other = "`balance`"
    } else if isSequence, frameEdges == .crop {
      other = "`frameEdges` crop"
    } else {
      return
    }
    throw InvalidRequest("\(other) cannot be combined with `format` \(format.name)")
  }

  /// Rejects fields that a film does not support.
  func checkFilm(_ format: StereoFormat) throws(InvalidRequest) {
    guard format.isOnePicture else {
      throw InvalidRequest(
        "`format` \(format.name) is not for films, expected \(FilmFormatWord.expected)")
    }
    if wantedRenderer != .orderedWarp, let renderer {
      throw InvalidRequest("`renderer` \(renderer.word) requires photos, expected warp")
    }
    guard frameEdges != .crop else {
      throw InvalidRequest(
        "`frameEdges` crop gives each frame a different size, expected fill or flat")
    }
  }

  /// - Parameters:
  ///   - focalLength: The camera that took the photo.
  ///   - isSpatial: Whether the pair is for a spatial photo, which has no screen.
  func options(focalLength: Camera.FocalLength?, isSpatial: Bool = false) -> StereoOptions {
    var options = StereoOptions()
    if let distance = isSpatial ? .infinity : screenDistance?.metres {
      var parallax = MetricParallax(
        focalLength: focalLength ?? .photo, screenDistance: distance)
      if let baseline { parallax.baseline = baseline.metres }
      options.amount = .metric(parallax)
    } else if let shift {
      options.amount = .shift(shift.value)
    }
    if let convergence { options.convergence = convergence.share }
    options.balance = balance
    options.renderer = wantedRenderer
    options.holeFilling = holeFilling
    options.frameEdges = frameEdges
    options.edgeDilation = dilation?.value
    options.largestParallax = maxParallax?.value
    return options
  }
}
