import DepthBase
import DepthErrors
import DepthImages
import FrameStreams
import SystemEssentials

/// An encoder of a film's pictures that runs ffmpeg in a child process.
package final class FilmEncoder: Sendable {
  private static let name = "ffmpeg's encoder"

  private let child: ChildProcess
  private let format: VideoFormat
  private let file: String

  /// - Parameters:
  ///   - arguments: Options of the encoder.
  ///   - file: The output file, without sound.
  /// - Throws: `DepthError` if ffmpeg cannot be started.
  init(
    _ format: VideoFormat, by settings: EncoderSettings, arguments: [String], to file: String,
    tools: FFmpeg
  ) throws {
    (self.format, self.file) = (format, file)
    var filters: [String] = []
    if let steps = format.layout.steps {
      let (width, height) = (
        format.size.width - format.size.width % steps.across,
        format.size.height - format.size.height % steps.down
      )
      // Encoders require whole chroma samples.
      if width != format.size.width || height != format.size.height, width > 0, height > 0 {
        filters.append("crop=\(width):\(height):0:0")
      }
    }
    if settings.isVAAPI { filters += ["format=nv12", "hwupload"] }
    child = try ChildProcess(
      tools.ffmpeg,
      ["-hide_banner", "-loglevel", "level+error", "-nostats", "-y"]
        + (settings.isVAAPI ? ["-vaapi_device", "/dev/dri/renderD128"] : [])
        + ["-f", "matroska", "-i", "pipe:0", "-map", "0:v:0"]
        + (filters.isEmpty ? [] : ["-vf", filters.joined(separator: ",")]) + tools.timing
        + tools.ticks + arguments + format.colorOptions
        + ["-f", settings.pieceFormat, FFmpeg.url(file)],
      input: .pipe)
    try write(
      RawMatroska(
        layout: format.layout, size: format.size, frameDuration: format.frameDuration * 1000,
        pixelAspect: format.pixelAspect, tags: format.tags
      ).header)
  }

  /// - Parameters:
  ///   - planes: The bytes of a picture.
  ///   - microseconds: Time since the first picture.
  /// - Throws: `DepthError` with ffmpeg's message.
  package func encode(_ planes: [UInt8], microseconds: Int) throws {
    let container = RawMatroska(
      layout: format.layout, size: format.size, frameDuration: 0, pixelAspect: format.pixelAspect,
      tags: format.tags)
    try write(container.start(of: planes.count, microseconds: microseconds))
    try write(planes)
  }

  private func write(_ bytes: [UInt8]) throws {
    guard child.write(bytes) else {
      throw child.writeFailure(child.finish(), name: Self.name)
        ?? DepthError(.unwritable, "\(Self.name): ended before the last picture")
    }
  }

  /// Completes the file.
  ///
  /// - Throws: `DepthError` with ffmpeg's message.
  package func finish() throws {
    child.closeInput()
    if let failure = child.writeFailure(child.finish(), name: Self.name) { throw failure }
  }

  /// Ends the encoding and removes the file.
  package func abandon() {
    child.end()
    unsafe unlink(file)
  }
}
