public import ArgumentParser
import DepthImages
package import DepthVideo
public import ViewSynthesis

/// Runs a check of a request or an output. Errors name options instead of fields.
///
/// - Throws: A validation error instead of ``InvalidRequest`` and ``WrongUsage``.
func namingOptions(_ check: () throws -> Void) throws {
  do { try check() } catch let error as InvalidRequest {
    throw ValidationError(error.usage)
  } catch let error as WrongUsage { throw ValidationError(error.description) }
}

extension ArgumentWord {
  /// Parses the value of an option.
  ///
  /// - Throws: A validation error with the accepted words.
  static func argument(_ word: String) throws -> Self {
    guard let value = Self(word: word) else { throw ValidationError(expectation(for: word)) }
    return value
  }
}

extension ArgumentWord where Self: ExpressibleByArgument {
  init?(argument: String) { self.init(word: argument) }
}

extension RendererWord: ExpressibleByArgument {
  static var allValueStrings: [String] { names }
  static var defaultCompletionKind: CompletionKind { .list(names) }
}
extension EffectName: ExpressibleByArgument {
  /// The names of effects for an option. For photos, effects are subcommands.
  static var allValueStrings: [String] { namesForFrames }
  static var defaultCompletionKind: CompletionKind { .list(namesForFrames) }
}
extension LensRequest.Style: ExpressibleByArgument {}
extension ShapeRequest.FlyingPixels: ExpressibleByArgument {}
extension ExportRequest.Kind: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}
extension TemporalSmoothing: ExpressibleByArgument {}
extension StereoOptions.HoleFilling: ExpressibleByArgument {}
extension StereoOptions.FrameEdges: ExpressibleByArgument {}

/// The help of arguments and options shared by several commands.
extension ArgumentHelp {
  static var photos: ArgumentHelp {
    """
    JPEG, PNG, HEIC, WebP or AVIF photos, folders of photos, or '-' for one photo on standard \
    input; without -o, its results are named stdin.
    """
  }

  static var depthOfPhotos: ArgumentHelp {
    ArgumentHelp(
      "Depth: auto, network, embedded, a depth file, or a folder of depth files.",
      discussion: """
        auto, the default, uses the depth stored in the photo if it is sufficient, and otherwise the network's: where \
        distances are needed, depth of unknown scale is not sufficient. --weights, --mirrored, --input-size, \
        --precision and --calibration apply to the estimate: with one of them, auto means network. embedded \
        fails for a photo without depth. Write ./auto for a file called auto. For several photos, give a folder MAPS of depth files. The depth of PHOTOS/PLACE/NAME.jpg is then \
        MAPS/PLACE/NAME_depth.png or MAPS/PLACE/NAME.png, or the same with .pfm, .npy or .npz.
        """,
      valueName: "file")
  }

  static var outputFolder: ArgumentHelp {
    ArgumentHelp(
      """
      Folder for output files named after the photos, with the subfolders of the input; created if missing.
      """,
      valueName: "folder")
  }

  static var threads: ArgumentHelp {
    ArgumentHelp(
      """
      Number of threads, 1 to 256. By default one per processor, but at most the environment variable \
      OMP_NUM_THREADS.
      """,
      valueName: "n")
  }

  static var depthScale: ArgumentHelp {
    ArgumentHelp(
      """
      Values per metre in depth files, such as 1000 for millimetres. Needed for files that do not record their unit; \
      5000 by default for TUM.
      """,
      valueName: "n")
  }

  static var mirrored: ArgumentHelp {
    "Average the estimate with that of the mirrored photo. This takes twice the time."
  }

  static var overwrite: ArgumentHelp {
    "Replace existing files; without this option they are an error."
  }

  /// - Parameter standard: A text about the default, if `--help` does not print the default.
  static func steadyPictures(default standard: String = "") -> ArgumentHelp {
    ArgumentHelp(
      """
      Temporal filter against flicker: \(TemporalSmoothing.allCases.map(\.rawValue).joined(separator: ", "))\(standard).
      """,
      discussion: """
        gated moves the scale of each map toward the scale of earlier maps, and averages depth over time where the \
        picture has not changed; exponential averages all pixels. Both also change parallax and focus slowly, and \
        fill holes from earlier frames. none makes each picture from its frame alone, except for --depth-every.
        """,
      valueName: "name")
  }

  /// - Parameter standard: See ``steadyPictures(default:)``.
  static func depthEvery(default standard: String = "") -> ArgumentHelp {
    ArgumentHelp(
      """
      Estimate depth only for every nth frame (1 to 60) and after cuts. In between, move the last map with the \
      picture's motion.\(standard)
      """,
      valueName: "n")
  }
}

extension ParsableArguments {
  /// Rejects an option's value that is outside its range.
  ///
  /// - Parameters:
  ///   - option: The option's name.
  ///   - value: The value; `nil` if the option was not given.
  ///   - unit: The unit, which follows the range in the message.
  /// - Throws: A validation error, also for NaN.
  func check<Value: Comparable>(
    _ option: String, _ value: Value?, in range: ClosedRange<Value>, unit: String = ""
  ) throws {
    if let fault = rangeFault(value, in: range, unit: unit) {
      throw ValidationError("\(option) is \(fault)")
    }
  }

  /// Throws a validation error unless the scale, in values per metre, is positive and finite.
  func check(depthScale: Double?, named name: String = "--depth-scale") throws {
    if let depthScale, !(depthScale > 0 && depthScale.isFinite) {
      throw ValidationError("\(name) is \(depthScale), expected a positive number")
    }
  }

  /// Throws a validation error if both `-o` and `--output-dir` are given.
  func check(output: String?, outputDir: String?) throws {
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir exclude each other")
    }
  }
}

/// The names of options whose condition is true, in order.
func optionNames(_ options: KeyValuePairs<String, Bool>) -> [String] {
  options.filter(\.value).map(\.key)
}
