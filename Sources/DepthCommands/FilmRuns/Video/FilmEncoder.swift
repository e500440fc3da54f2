import DepthErrors
import DepthImages
import FrameStreams
import StereoPhotos
import SystemEssentials

/// What all pictures of a film's encoding share.
struct FilmFormat: Sendable {
  let layout: PlanarLayout
  let size: PixelSize
  let pixelAspect: Ratio
  /// Microseconds; 0 is unknown.
  let frameDuration: Int
  /// Tags of color, as options of ffmpeg.
  let tags: [String]
}

/// Pictures of a film, encoded by ffmpeg in a process of its own.
final class FilmEncoder: Sendable {
  private static let name = "ffmpeg's encoder"

  private let child: ChildProcess
  private let format: FilmFormat
  private let file: String

  /// - Parameters:
  ///   - arguments: Options of the encoder.
  ///   - file: What is written, without sound, and ffmpeg's name of its container.
  /// - Throws: `DepthError` where ffmpeg cannot be started.
  init(
    _ format: FilmFormat, arguments: [String], isVAAPI: Bool, to file: String, as container: String,
    tools: FFmpeg
  ) throws {
    (self.format, self.file) = (format, file)
    var filters: [String] = []
    if let steps = format.layout.steps {
      let (width, height) = (
        format.size.width - format.size.width % steps.across,
        format.size.height - format.size.height % steps.down
      )
      // Encoders take whole samples of chroma.
      if width != format.size.width || height != format.size.height, width > 0, height > 0 {
        filters.append("crop=\(width):\(height):0:0")
      }
    }
    if isVAAPI { filters += ["format=nv12", "hwupload"] }
    child = try ChildProcess(
      tools.ffmpeg,
      ["-hide_banner", "-loglevel", "level+error", "-nostats", "-y"]
        + (isVAAPI ? ["-vaapi_device", "/dev/dri/renderD128"] : [])
        + ["-f", "matroska", "-i", "pipe:0", "-map", "0:v:0"]
        + (filters.isEmpty ? [] : ["-vf", filters.joined(separator: ",")]) + tools.timing
        + ["-enc_time_base", "-1"] + arguments + format.tags + ["-f", container, FFmpeg.url(file)],
      input: .pipe)
    try write(
      RawMatroska(
        layout: format.layout, size: format.size, frameDuration: format.frameDuration * 1000,
        pixelAspect: format.pixelAspect
      ).header)
  }

  /// - Parameters:
  ///   - planes: A picture's bytes.
  ///   - microseconds: From the first picture on.
  /// - Throws: `DepthError` with ffmpeg's reason.
  func encode(_ planes: [UInt8], microseconds: Int) throws {
    let container = RawMatroska(
      layout: format.layout, size: format.size, frameDuration: 0, pixelAspect: format.pixelAspect)
    try write(container.start(of: planes.count, microseconds: microseconds))
    try write(planes)
  }

  private func write(_ bytes: [UInt8]) throws {
    guard child.write(bytes) else {
      throw child.writeFailure(child.finish(), name: Self.name)
        ?? DepthError(.unwritable, "\(Self.name): ended before the last picture")
    }
  }

  /// Ends the file.
  ///
  /// - Throws: `DepthError` with ffmpeg's reason.
  func finish() throws {
    child.closeInput()
    if let failure = child.writeFailure(child.finish(), name: Self.name) { throw failure }
  }

  /// Ends it without a file.
  func abandon() {
    child.end()
    unsafe unlink(file)
  }
}

/// A picture on its way to the encoder.
struct EncodedPicture: Sendable {
  let size: PixelSize
  let layout: PlanarLayout
  let planes: [UInt8]
  let microseconds: Int
}

/// The format of a film's frames, from which that of the result follows.
struct SourceFormat: Sendable {
  let film: SourceFilm
  let stored: FrameStorage
  let pixelAspect: Ratio

  /// How pictures are stored: as the film, with colors where it has none.
  ///
  /// Interleaved views are 4:4:4: the screens that show them take each row or column from one eye. Anaglyphs are
  /// not, although subsampled chroma mixes the colors of both eyes a little (``StereoFormat/mixesViews``, which
  /// streams follow): they are for ordinary screens, whose players and decoders mostly know 4:2:0 only.
  func layout(isGray: Bool, stereo: StereoFormat?) -> PlanarLayout {
    guard case .y4m(var layout) = stored else { preconditionFailure("ffmpeg sends YUV4MPEG2") }
    layout = layout.opaque
    if layout.chroma == .none, !isGray { layout.chroma = .quarter }
    return stereo == .rowInterleaved || stereo == .columnInterleaved ? layout.unshared : layout
  }

  func format(of picture: EncodedPicture) -> FilmFormat {
    var tags = film.decoding.tags
    // Without a tag, players assume a matrix by the size of the frames, which has changed.
    if !tags.contains("-colorspace"), picture.layout.chroma != .none,
      picture.layout.matrix
        != .assumed(width: picture.size.width, height: picture.size.height)
    {
      tags += ["-colorspace", picture.layout.matrix == .bt709 ? "bt709" : "smpte170m"]
    }
    if picture.layout.chroma == .quarter {
      let place =
        switch picture.layout.siting {
        case .center: "center"
        case .left: "left"
        case .topLeft: "topleft"
        }
      tags += ["-chroma_sample_location", place]
    }
    return FilmFormat(
      layout: picture.layout, size: picture.size, pixelAspect: pixelAspect,
      frameDuration: film.frameDuration, tags: tags)
  }
}
