import ArgumentParser
import ViewSynthesis

/// The parallax between the eyes' views.
struct ParallaxOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Largest shift of a point in each eye's view, as 1% or 0.01 of the width, up to 25%; 1% by default. A negative \
      shift exchanges near and far. Not with --baseline or --screen-distance.
      """,
      valueName: "share"), transform: Share.argument)
  var shift: Share?

  @Option(
    help: ArgumentHelp(
      """
      Distance between the eyes, such as 63mm (the default), 6.3cm or 0.063m. Needs --screen-distance, or --format \
      spatial.
      """,
      valueName: "length"), transform: Length.argument)
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
      valueName: "length"), transform: Length.argument)
  var screenDistance: Length?

  @Option(
    help: ArgumentHelp(
      """
      Depth that appears at the screen: a share of the disparity range from 0 (farthest) to 1 (nearest), 0.5 by \
      default, or auto: the median depth, in which the photo's middle counts most. auto replaces --screen-distance; a \
      number is an error with it.
      """,
      valueName: "share"), transform: Convergence.argument)
  var convergence: Convergence?

  @Option(
    help: ArgumentHelp(
      """
      Which view is the photo itself: 0 is the left view, 1 the right view; at 0.5 (the default) both are rendered, \
      with half of the parallax each.
      """,
      valueName: "share"))
  var balance = ParallaxRequest().balance

  @Option(
    help: ArgumentHelp(
      "Renderer: warp (the default), gather (J. Zimandl's), or one of his scan-line variants.",
      discussion: """
        warp moves pixels by fractions of a pixel; films and streams need it. The other renderers use only \
        --shift: with them, the other options for parallax, holes and frame edges are errors. gather searches the \
        row for the source of each pixel; where several depths meet, it may stop too early. shiftAndFix, \
        gapsInOneLoop and frontPixelLast move whole pixels.
        """,
      valueName: "name"))
  var renderer: RendererWord?

  @Option(
    help: ArgumentHelp(
      """
      Colors of parts of a view that the photo does not show: blended averages the background beside them over \
      several rows; stretched repeats the nearest background pixel.
      """,
      valueName: "name"))
  var holeFilling = ParallaxRequest().holeFilling

  @Option(
    help: ArgumentHelp(
      """
      What to do with the left and right ends of the views, which extend beyond the photo: fill fills them like holes, \
      crop cuts them off, flat lets parallax fall to zero toward them. crop is not for films, streams, wiggle, gif and quilt.
      """,
      valueName: "name"))
  var frameEdges = ParallaxRequest().frameEdges

  @Option(
    help: ArgumentHelp(
      """
      Widen near surfaces in the depth map by A pixels to each side and D pixels up and down, such as 2x1; 0x0 is \
      off. The default is 1x1, and wider for maps of 2000 or more columns.
      """,
      valueName: "AxD"), transform: Dilation.argument)
  var dilation: Dilation?

  @Option(
    help: ArgumentHelp(
      """
      Largest parallax between the two views, as 3% or 0.03 of the width; by default without a limit. If a picture \
      exceeds it, all parallax in the picture is multiplied by one factor, so that the largest equals the limit.
      """,
      valueName: "share"), transform: Share.argument)
  var maxParallax: Share?

  var request: ParallaxRequest {
    ParallaxRequest(
      shift: shift, baseline: baseline, screenDistance: screenDistance, renderer: renderer,
      convergence: convergence, balance: balance, holeFilling: holeFilling,
      frameEdges: frameEdges, dilation: dilation, maxParallax: maxParallax)
  }
}
