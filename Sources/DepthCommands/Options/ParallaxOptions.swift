import ArgumentParser
import DepthImages
import ViewSynthesis

/// How far points move between the eyes.
struct ParallaxOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Largest shift of a point in each eye's view, as 1% or 0.01 of the width, up to 25%; 1% by default. A negative \
      shift exchanges near and far. Not with --baseline or --screen-distance.
      """,
      valueName: "share"))
  var shift: Share?

  @Option(
    help: ArgumentHelp(
      """
      Distance between the eyes, such as 63mm (the default), 6.3cm or 0.063m. Needs --screen-distance.
      """,
      valueName: "length"))
  var baseline: Length?

  @Option(
    help: ArgumentHelp(
      """
      Distance of the points that appear at the screen, such as 2.5m. The views then have the parallax of two \
      eyes --baseline apart, instead of --shift.
      """,
      discussion: """
        Needs depth in metres and the photo's focal length, from Exif, --focal-length or --fov.
        """,
      valueName: "length"))
  var screenDistance: Length?

  @Option(
    help: ArgumentHelp(
      """
      Depth that appears at the screen: a share of the disparity range from 0 (farthest) to 1 (nearest), 0.5 by \
      default, or auto: the median depth, in which the photo's middle counts most. auto replaces --screen-distance; a \
      number is an error with it.
      """,
      valueName: "share"))
  var convergence: Convergence?

  @Option(
    help: ArgumentHelp(
      """
      Which view is the photo itself: 0 is the left view, 1 the right view; at 0.5 (the default) both are rendered, \
      with half of the parallax each.
      """,
      valueName: "share"))
  var balance = 0.5

  // Without a default: the library's help would give the raw value, which is not the name here.
  @Option(
    name: .customLong("renderer"),
    help: ArgumentHelp(
      "Renderer: warp (by default), gather (J. Zimandl's), or one of his scan-line variants.",
      discussion: """
        warp moves pixels by fractions of a pixel; films and streams need it. The other renderers use only \
        --shift: with them, the other options for parallax, holes and frame edges are errors. gather searches the \
        row for the source of each pixel; where several depths meet, it may stop too early. shiftAndFix, \
        gapsInOneLoop and frontPixelLast move whole pixels.
        """,
      valueName: "name"))
  var chosenRenderer: StereoRenderer?

  var renderer: StereoRenderer { chosenRenderer ?? .orderedWarp }

  @Option(
    help: ArgumentHelp(
      """
      Colors of parts of a view that the photo does not show: blended averages the background beside them over \
      several rows; stretched repeats the nearest background pixel.
      """,
      valueName: "name"))
  var holeFilling: StereoOptions.HoleFilling = .blended

  @Option(
    help: ArgumentHelp(
      """
      What to do with the left and right ends of the views, which extend beyond the photo: fill fills them like holes, \
      crop cuts them off, flat lets parallax fall to zero toward them. crop is not for films, streams, wiggle, gif and quilt.
      """,
      valueName: "name"))
  var frameEdges: StereoOptions.FrameEdges = .fill

  @Option(
    help: ArgumentHelp(
      """
      Widen near surfaces in the depth map by A pixels to each side and D pixels up and down, such as 2x1; 0x0 is \
      off. The default is 1x1, and wider for maps of 2000 or more columns.
      """,
      valueName: "AxD"))
  var dilation: Dilation?

  @Option(
    help: ArgumentHelp(
      """
      Largest parallax between the two views, as 3% or 0.03 of the width; by default without a limit. If a picture \
      exceeds it, all parallax in the picture is multiplied by one factor, so that the largest equals the limit.
      """,
      valueName: "share"))
  var maxParallax: Share?

  func validate() throws {
    let metric = [baseline != nil, screenDistance != nil]
    if shift != nil, metric.contains(true) {
      throw ValidationError(
        "--shift and \(baseline == nil ? "--screen-distance" : "--baseline") exclude each other, expected one"
      )
    }
    if metric.contains(true), screenDistance == nil {
      throw ValidationError("--screen-distance is missing, expected one with --baseline")
    }
    if let shift, !StereoOptions.shifts.contains(shift.value) {
      throw ValidationError("--shift is \(shift.value), expected -0.25 to 0.25, or -25% to 25%")
    }
    if let maxParallax, !(0.0001...1).contains(maxParallax.value) {
      throw ValidationError("--max-parallax is \(maxParallax.value), expected 0.01% to 100%")
    }
    if screenDistance != nil, let share = convergence?.share {
      throw ValidationError(
        "--convergence \(share) and --screen-distance exclude each other, expected one")
    }
    try check("--balance", balance, in: 0...1)
    let metricOptions = optionNames([
      "--baseline": baseline != nil, "--screen-distance": screenDistance != nil,
    ])
    if renderer != .orderedWarp, let option = (metricOptions + warpOptions).first {
      throw ValidationError(
        "\(option) has no effect with --renderer \(renderer.word), expected --renderer warp")
    }
  }

  /// Names of the options that differ from their defaults.
  var given: [String] {
    optionNames([
      "--shift": shift != nil, "--baseline": baseline != nil,
      "--screen-distance": screenDistance != nil, "--renderer": chosenRenderer != nil,
    ]) + warpOptions
  }

  /// The options that differ from their defaults and that only the renderer `warp` follows.
  private var warpOptions: [String] {
    optionNames([
      "--convergence": convergence != nil, "--balance": balance != 0.5,
      "--hole-filling": holeFilling != .blended, "--frame-edges": frameEdges != .fill,
      "--dilation": dilation != nil, "--max-parallax": maxParallax != nil,
    ])
  }

  /// - Parameter focalLength: The camera that took the photo.
  func options(focalLength: Camera.FocalLength?, threads: Int?) -> StereoOptions {
    var options = StereoOptions()
    if let screenDistance {
      options.amount = .metric(
        MetricParallax(
          baseline: baseline?.metres ?? 0.063, focalLength: focalLength ?? .photo,
          screenDistance: screenDistance.metres))
    } else {
      options.amount = .shift(shift?.value ?? 0.01)
    }
    if let convergence { options.convergence = convergence.share }
    options.balance = balance
    options.renderer = renderer
    options.holeFilling = holeFilling
    options.frameEdges = frameEdges
    options.edgeDilation = dilation?.value
    options.largestParallax = maxParallax?.value
    options.threads = threads
    return options
  }
}
