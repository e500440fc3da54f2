import ArgumentParser
import DepthImages
import FrameStreams

/// How `depth stereo` and `depth effect` take a stream of frames instead of photos.
struct PictureStreamOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      """
      Read frames from standard input and write pictures to standard output, as 'depth stream' does.
      """,
      discussion: """
        --from, --size, --rate, --matrix, --color-range, --to, --steady, --depth-every and --latest are only for \
        --stream. Photos, -o, --depth and --json are refused with it.
        """))
  var stream = false

  @OptionGroup var frames: FrameOptions

  @Option(
    help: ArgumentHelp(
      """
      Format of pictures on standard output: \
      \(PictureStreamFormat.allCases.map(\.rawValue).joined(separator: ", ")).
      """,
      discussion: """
        same, the default, is the format of the input frames, with their chroma subsampling, color matrix, range and \
        bit depth. With same and y4m, masks are gray, and anaglyphs, rows and columns have no chroma subsampling.
        """,
      valueName: "format"))
  var to: PictureStreamFormat?

  @Option(help: .steadyPictures(default: "; gated by default")) var steady: Steadiness?

  @Option(help: .depthEvery(default: " 1 by default.")) var depthEvery: Int?

  @Flag(
    exclusivity: .exclusive,
    help: "Process every frame, or drop all but the newest of the frames that wait.")
  var queue: FrameQueue = .everyFrame

  func validate() throws {
    try check("--depth-every", depthEvery, in: 1...60)
    guard !stream else { return }
    if frames.isGiven || to != nil || steady != nil || depthEvery != nil || queue != .everyFrame {
      throw ValidationError(
        "--from, --size, --rate, --matrix, --color-range, --to, --steady, --depth-every and --latest require --stream"
      )
    }
  }

  var steadiness: Steadiness { steady ?? .gated }

  /// Refuses photos and their options.
  ///
  /// - Parameters:
  ///   - name: Name of the command.
  ///   - output: Names of the given output options.
  ///   - own: Names of the given options that are specific to the command.
  /// - Throws: A validation error.
  func refusePhotos(
    of command: any PhotoDepthCommand, named name: String, output: [String], own: [String] = []
  ) throws {
    if let photo = command.photos.first, command.photos != ["-"] {
      throw ValidationError(
        "\(photo): with --stream frames are read from standard input: "
          + "ffmpeg -v error -i \(photo) -f yuv4mpegpipe - | depth \(name) --stream"
          .escapingControls)
    }
    let given =
      command.batch.givenOptions + output + optionNames(["--depth": command.depth != nil])
      + command.unit.givenOptions + own + optionNames(["--json": command.common.json])
    if let option = given.first {
      throw ValidationError("\(option) requires photos, found --stream")
    }
  }
}

/// What pictures go out as.
enum PictureStreamFormat: String, CaseIterable, ExpressibleByArgument {
  case same, y4m, rgb24, bgra, ppm, mjpeg
}

/// What a kind of picture asks of the stream.
enum PictureColors: Sendable {
  /// Colors as those of the frames.
  case shared
  /// Neighboring pixels are of different views.
  case unshared
  /// Gray, of all 256 levels.
  case gray
}

extension PictureStreamFormat {
  /// How pictures are stored.
  ///
  /// - Parameters:
  ///   - frames: How the frames are.
  ///   - size: The pictures' size.
  func storage(of frames: FrameStorage, colors: PictureColors, size: PixelSize) -> FrameStorage {
    let storage: FrameStorage
    switch self {
    case .same: storage = frames
    case .rgb24: storage = .rgb24
    case .bgra: storage = .bgra
    case .ppm: storage = .ppm
    case .mjpeg: storage = .mjpeg
    case .y4m:
      if case .y4m = frames {
        storage = frames
      } else {
        storage = .y4m(
          PlanarLayout(
            chroma: .full, matrix: .assumed(width: size.width, height: size.height)))
      }
    }
    guard case .y4m(let layout) = storage else { return storage }
    switch colors {
    case .shared: return storage
    case .unshared: return .y4m(layout.unshared)
    case .gray:
      return .y4m(PlanarLayout(chroma: .none, matrix: layout.matrix, range: .full))
    }
  }
}
