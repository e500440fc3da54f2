package import DepthBase
import DepthErrors
public import DepthImages
public import PictureFiles
public import ViewSynthesis

/// The content of a file, and the ending of its name.
///
/// ```swift
/// for file in try photo.stereoFiles(as: .leftRight, depth: depth) {
///   try Data(file.bytes).write(to: url.appending(path: "room" + file.ending))
/// }
/// ```
public struct StereoFile: Sendable, Hashable {
  /// The end of the file's name: a suffix by which viewers recognize the format, and the extension, such as "_LR.jpg".
  public var ending: String
  /// The file's content.
  public var bytes: [UInt8]
}

/// Settings for writing stereo files.
///
/// ```swift
/// var output = StereoOutput()
/// output.isLossless = true
/// let files = try photo.stereoFiles(as: .sideBySide, depth: depth, output: output)
/// ```
public struct StereoOutput: Sendable, Hashable {
  /// Whether still pictures are PNG instead of JPEG, in formats that allow both.
  public var isLossless = false
  /// The PNG compression, a trade-off between time and size.
  public var compression = PNGCompression.default
  /// JPEG quality, 1…100.
  public var quality = ImageFileFormat.defaultQuality
  /// Largest width of animations, pixels, 1…65 535.
  public var animationWidth = 1280
  /// Number of different views in an animation, from the left eye to the right eye. With more than two, the animation
  /// moves smoothly.
  public var animationViews = 2
  /// Seconds for which an animation shows each view, 0.01…10.
  public var animationDelay = 0.12
  /// Largest width of a quilt, pixels, 1…65 535.
  public var quiltWidth = 4096
  /// The distance between the outermost views of a quilt, divided by the distance between the eyes.
  public var quiltSpread = 2.0
  /// The part of the photo's metadata that is copied into the files; by default all metadata except the location.
  public var metadata = MetadataPolicy.withoutLocation

  /// Range of ``animationWidth`` in requests.
  package static let animationWidths = 16...8192
  /// Range of ``animationViews`` in requests.
  package static let animationViewCounts = 2...64

  /// The default options.
  public init() {}
}

extension Image {
  /// Renders the photo's views and encodes them as files of a stereo format.
  ///
  /// - Parameters:
  ///   - format: The stereo format.
  ///   - depth: Depth of the photo. The map has the photo's size or is smaller.
  ///   - options: The options for rendering the views.
  ///   - output: The settings for encoding the files.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not change the files.
  /// - Returns: The files in memory: the left and the right view for `StereoFormat.leftRight`, otherwise one file.
  /// - Throws: `DepthError`; with code `invalidArgument` if a setting, such as the number of threads or the delay, is
  ///   outside its documented range.
  public func stereoFiles(
    as format: StereoFormat, depth: DepthMap, options: StereoOptions = StereoOptions(),
    output: StereoOutput = StereoOutput(), threads: Int? = nil
  ) throws -> [StereoFile] {
    let pixels = max(height * width, format.pixels(height: height, width: width, output: output))
    try MemoryNeed(.stereo, pixels: pixels).require(for: "the stereo photo")
    return try stereoFiles(
      as: format, depth: depth, options: options, output: output,
      call: CallContext(threads: ThreadCount.checked(threads)))
  }

  /// A variant of the public function with the threads and cancellation of a call.
  package func stereoFiles(
    as format: StereoFormat, depth: DepthMap, options: StereoOptions, output: StereoOutput,
    call: CallContext
  ) throws -> [StereoFile] {
    let photo = withMetadata(output.metadata)
    let suffixes = format.suffixes(aspect: Double(width) / Double(height))
    func file(_ bytes: [UInt8], _ fileExtension: String, _ index: Int = 0) -> StereoFile {
      StereoFile(ending: "\(suffixes[index]).\(fileExtension)", bytes: bytes)
    }
    switch format {
    case .wiggle, .wiggleGIF:
      let frames = try photo.animationFrames(
        depth: depth, options: options, output: output, call: call)
      let animation = try PictureAnimation(frames: frames, delay: output.animationDelay)
      return format == .wiggle
        ? [file(try animation.animatedPNG(call: call), "png")]
        : [file(try animation.gif(call: call), "gif")]
    case .quilt(let columns, let rows):
      try output.quiltWidth.checked(in: 1...65_535, "the quilt's width", "1 to 65535 pixels")
      let quilt = try photo.quilt(
        columns: columns, rows: rows, depth: depth, options: options,
        maximumWidth: output.quiltWidth, spread: output.quiltSpread, call: call)
      let (type, name) = output.picture(for: format)
      return [
        file(
          try quilt.encoded(as: type, compression: output.compression, call: call), name)
      ]
    case .spatial:
      let (options, parallax) = try options.ofParallelCameras()
      let pair = try photo.stereoPair(
        depth: depth, options: options, limits: ImageLimits(), call: call.silent)
      let focalLength = try Camera(of: photo, focalLength: parallax.focalLength).focalLength
      let bytes = try pair.spatialPhoto(
        quality: output.quality, focalLength: focalLength, baseline: parallax.baseline,
        balance: options.balance, cancellation: call.cancellation)
      return [file(bytes, "heic")]
    default:
      let pair = try photo.stereoPair(
        depth: depth, options: options, limits: ImageLimits(),
        call: call.silent)
      try call.cancellation?.check()
      if format == .mpo {
        var baseline: Double?
        if case .metric(let metric) = options.amount { baseline = metric.baseline }
        return [file(try pair.mpo(quality: output.quality, baseline: baseline), "mpo")]
      }
      let (type, name) = output.picture(for: format)
      return try pair.pictures(for: format, threads: call.threads)
        .enumerated().map { index, picture in
          file(
            try picture.encoded(as: type, compression: output.compression, call: call), name, index)
        }
    }
  }

  /// The views from left to right and back, without repetition of the turning points.
  private func animationFrames(
    depth: DepthMap, options: StereoOptions, output: StereoOutput, call: CallContext
  ) throws -> [Image] {
    try output.animationWidth.checked(in: 1...65_535, "the animation's width", "1 to 65535 pixels")
    let photo = fitted(width: min(width, output.animationWidth), threads: call.threads)
    let views = try photo.views(
      count: output.animationViews, depth: depth,
      options: options.resized(from: width, to: photo.width), call: call)
    return views + views.dropFirst().dropLast().reversed()
  }
}

extension StereoPair {
  /// The still pictures of a format: the left and the right view for `StereoFormat.leftRight`, otherwise one picture.
  /// Empty for animations, multi-picture files and quilts.
  package func pictures(for format: StereoFormat) -> [Image] {
    pictures(for: format, threads: availableProcessors)
  }

  package func pictures(for format: StereoFormat, threads: Int) -> [Image] {
    switch format {
    case .leftRight: [left, right]
    case .left: [left]
    case .right: [right]
    case .sideBySide: [picture(.sideBySide, threads: threads)]
    case .sideBySideHalf: [picture(.sideBySideHalf, threads: threads)]
    case .overUnder: [picture(.overUnder, threads: threads)]
    case .overUnderHalf: [picture(.overUnderHalf, threads: threads)]
    case .crossEyed: [picture(.crossEyed, threads: threads)]
    case .anaglyph(let glasses): [picture(.anaglyph(glasses), threads: threads)]
    case .rowInterleaved: [picture(.rowInterleaved, threads: threads)]
    case .columnInterleaved: [picture(.columnInterleaved, threads: threads)]
    case .holeMask: [picture(.holeMask, threads: threads)]
    case .wiggle, .wiggleGIF, .mpo, .spatial, .quilt: []
    }
  }
}

extension StereoOutput {
  /// The format and extension of a still picture. Anaglyphs have full chroma resolution, because subsampling causes
  /// ghosts.
  func picture(for format: StereoFormat) -> (ImageFileFormat, String) {
    if isLossless || format.requiredExtension == "png" { return (.png, "png") }
    if case .anaglyph = format { return (.jpeg(quality: quality, chroma: .full), "jpg") }
    return (.jpeg(quality: quality), "jpg")
  }
}
