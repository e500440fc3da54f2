public import ArgumentParser
import DepthBase
import DepthImages
import DepthVideo
import MonocularDepth
public import PictureFiles
import SystemEssentials

/// Options of every command that estimates depth.
struct CommonOptions: ParsableArguments {
  @OptionGroup var weights: WeightsOptions

  @Option(help: .threads) var threads: Int?

  @Flag(help: "Print results on standard output as JSON, one object per line.")
  var json = false

  @Flag(help: "Print no progress and no summary on standard error.")
  var quiet = false

  func validate() throws { try check("--threads", threads, in: ThreadCount.range) }
}

/// Limits on the size of files.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Largest photo, depth file or result, in pixels (width times height); larger ones are refused.
      """,
      valueName: "n"))
  var maxPixels = ImageLimits().maximumPixels

  func validate() throws {
    // With at most this many pixels, byte counts fit in `Int`.
    guard (1...1_000_000_000_000).contains(maxPixels) else {
      throw ValidationError("--max-pixels is \(maxPixels), expected 1 to 1000000000000")
    }
  }

  var limits: ImageLimits { ImageLimits(maximumPixels: maxPixels) }
}

/// The format of pictures (JPEG or PNG), and their quality and compression.
struct PictureFormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "JPEG quality, 1 to 100; \(ImageFileFormat.defaultQuality) by default.", valueName: "n"))
  var quality: Int?
  @Flag(help: "Write PNG instead of JPEG if the output can be either.")
  var lossless = false
  @OptionGroup var png: CompressionOptions

  /// Rejects a name of `-o` whose format is unknown or contradicts `--lossless`.
  ///
  /// - Throws: A validation error.
  func check(named output: String) throws {
    let format: ImageFileFormat
    do { format = try ImageFileFormat(extensionOf: URL(filePath: output)) } catch {
      throw ValidationError("\(error)".escapingControls)
    }
    guard !lossless || format == .png else {
      throw ValidationError(
        "--lossless writes PNG, expected -o with a name in .png, found \(output)".escapingControls)
    }
  }

  /// - Parameter metadata: The metadata that the pictures keep.
  func request(_ metadata: MetadataOptions) -> PictureRequest {
    PictureRequest(
      quality: quality, compression: png.compression, keepLocation: metadata.keepLocation,
      stripMetadata: metadata.stripMetadata)
  }

  /// Names of the given options that streams do not support.
  var givenOptions: [String] { (lossless ? ["--lossless"] : []) + png.givenOptions }
}

extension PNGCompression: ExpressibleByArgument, Codable {}

/// The compression of PNG files.
struct CompressionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      PNG compression: fast, default or small. Compared with default, fast takes half the time and makes files 1.45 \
      times as large; small takes forty times the time and makes files 0.83 times as large.
      """,
      valueName: "name"))
  var compression: PNGCompression = .default

  /// Rejects `--compression` if no output is PNG.
  ///
  /// - Parameter hasPNG: Whether any output is PNG.
  /// - Throws: A validation error.
  func check(hasPNG: Bool) throws {
    if let option = givenOptions.first, !hasPNG {
      throw ValidationError("\(option) requires an output as .png")
    }
  }

  /// Names of the options that differ from their defaults.
  var givenOptions: [String] { compression == .default ? [] : ["--compression"] }
}

/// The metadata that photos and films keep.
struct MetadataOptions: ParsableArguments {
  @Flag(
    help: """
      Copy a photo's whole Exif block and all tags of a film. By default the location, the owner's name and serial \
      numbers are left out.
      """)
  var keepLocation = false

  @Flag(
    help: """
      Copy only orientation, color profile and copyright of a photo's metadata, and copyright and languages of a film's.
      """)
  var stripMetadata = false

  /// Names of the given options.
  var givenOptions: [String] {
    optionNames(["--keep-location": keepLocation, "--strip-metadata": stripMetadata])
  }

  var request: PictureRequest {
    PictureRequest(keepLocation: keepLocation, stripMetadata: stripMetadata)
  }
}

/// Options of commands that estimate the depth of frames.
struct FrameEstimationOptions: ParsableArguments {
  @OptionGroup var weights: WeightsOptions
  @OptionGroup var camera: CameraOptions

  @OptionGroup var confidence: ConfidenceOptions

  @OptionGroup var calibration: CalibrationOptions

  @Option(
    help: ArgumentHelp(
      """
      Temporal filter against flicker: \(TemporalSmoothing.allCases.map(\.rawValue).joined(separator: ", ")).
      """,
      discussion: """
        gated moves the scale of each map toward the scale of earlier maps, and averages depth over time where the \
        photo has not changed. exponential averages all pixels. none leaves each map as it is estimated.
        """,
      valueName: "name"))
  var steady = TemporalSmoothing.standard

  @Option(help: .threads) var threads: Int?

  @Flag(help: "Print no summary on standard error.")
  var quiet = false

  func validate() throws { try check("--threads", threads, in: ThreadCount.range) }

  /// The estimation with these options, for the camera of the command line.
  func value(_ options: DepthOptions, _ limits: LimitOptions) -> FrameEstimation {
    var options = options
    (options.camera, options.limits) = (camera.setting, limits.limits)
    return FrameEstimation(
      weights: weights.request, options: options, calibration: calibration.file, threads: threads)
  }
}
