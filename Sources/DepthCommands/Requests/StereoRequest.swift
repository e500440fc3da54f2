import DepthBase
import DepthImages
import MonocularDepth
import PictureFiles
import StereoPhotos
import ViewSynthesis

/// A stereo photo for `depth stereo` and `POST /v1/stereo`.
struct StereoRequest: Request {
  var parallax = ParallaxRequest()
  var camera = CameraRequest()
  var format = StereoFormatWord(.sideBySide)
  /// Columns and rows of a quilt's views.
  var quilt: Grid?
  var views: Int?
  /// Largest width of an animation, pixels.
  var animationWidth: Int?
  /// Whether the file is PNG if the format has a choice.
  var lossless = false
  var picture = PictureRequest()

  func check() throws(InvalidRequest) {
    if isSpatial { try parallax.checkSpatial() } else { try parallax.check() }
    try camera.check()
    try picture.check()
    let name = format.word
    try check("views", views, in: StereoOutput.animationViewCounts)
    try check("animationWidth", animationWidth, in: StereoOutput.animationWidths)
    if format.format != .wiggle, format.format != .wiggleGIF {
      try refuse(
        ["views": views != nil, "animationWidth": animationWidth != nil],
        needing: "`format` wiggle or gif, found `format` \(name)")
    }
    if lossless, let only = format.format.requiredExtension, only != "png" {
      throw InvalidRequest("`lossless` writes PNG, `format` \(name) is always .\(only)")
    }
    if let quilt {
      if !name.hasPrefix("quilt") {
        throw InvalidRequest("`quilt` requires `format` quilt, found `format` \(name)")
      }
      let counts = StereoOptions.quiltViews
      if !counts.contains(quilt.count) {
        throw InvalidRequest(
          "`quilt` has \(quilt.count) views, expected \(counts.lowerBound) to \(counts.upperBound)")
      }
    }
    try picture.check(writing: stereoFormat.fileExtension(output: output))
    try parallax.check(stereoFormat)
  }

  /// The format; for a quilt, including the requested layout.
  var stereoFormat: StereoFormat {
    guard case .quilt = format.format, let quilt else { return format.format }
    return .quilt(columns: quilt.columns, rows: quilt.rows)
  }

  /// The feature that requires metres, for messages; `nil` if relative depth is enough.
  var purposeOfMetres: String? { isSpatial ? "a spatial photo" : parallax.purposeOfMetres }

  var background: DepthOptions.Background { isSpatial ? .infinite : parallax.background }

  private var isSpatial: Bool { format.format == .spatial }

  /// Rejects a photo that the format does not support, before its depth is estimated.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat`.
  func check(photo: PhotoFile) throws {
    try photo.requireOneView()
    try checkEncoder()
  }

  /// Fails if no encoder for the format is available.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat`.
  func checkEncoder() throws {
    if isSpatial { try HEVCPicture.requireEncoder() }
  }

  /// The request for a film of the same stereo pictures.
  ///
  /// - Throws: ``InvalidRequest`` for options that only photos support.
  func film() throws(InvalidRequest) -> FilmRequest {
    try parallax.checkFilm(stereoFormat)
    return FilmRequest(
      stereo: FilmFormatWord(word: stereoFormat.name), effect: EffectRequest(camera: camera),
      parallax: parallax)
  }

  var output: StereoOutput {
    var output = StereoOutput()
    output.isLossless = lossless
    output.quality = picture.jpegQuality
    output.compression = picture.compression
    if let views { output.animationViews = views }
    if let animationWidth { output.animationWidth = animationWidth }
    output.metadata = picture.metadata
    return output
  }

  /// The kind of work, which determines the memory.
  var work: MemoryNeed.Work {
    isSpatial
      ? .init(bytesPerPixel: MemoryNeed.Work.stereo.bytesPerPixel + HEVCPicture.bytesPerPixel)
      : .stereo
  }

  /// Pixels of the output, if it may be larger than the photo.
  func pixels(height: Int, width: Int) -> Int {
    stereoFormat.pixels(height: height, width: width, output: output)
  }

  func pixels(of photo: PhotoFile) -> Int { pixels(height: photo.height, width: photo.width) }

  /// The files of a photo's views.
  ///
  /// - Parameter sentWidth: The width of the request's photo, if `photo` is a reduced copy of it.
  /// - Throws: `DepthError`; `CancellationError`.
  func files(
    of photo: Image, reducedFrom sentWidth: Int? = nil, depth: DepthMap, call: CallContext
  ) throws -> [StereoFile] {
    try photo.stereoFiles(
      as: stereoFormat, depth: depth,
      options: parallax.options(
        focalLength: camera.setting.givenFocalLength, isSpatial: isSpatial
      )
      .resized(from: sentWidth ?? photo.width, to: photo.width),
      output: output, call: call)
  }
}
