import DepthBase
import DepthErrors
import DepthImages
import FrameStreams
import SystemEssentials

extension FilmRun.Settings {
  /// An encoder of pictures like one.
  ///
  /// - Parameters:
  ///   - format: The film's.
  ///   - threads: Of the encoder; they change its bits.
  /// - Throws: `DepthError` where ffmpeg cannot be started.
  func encoder(
    of picture: EncodedPicture, _ format: SourceFormat, to file: String, threads: Int,
    tools: FFmpeg
  ) throws -> FilmEncoder {
    try FilmEncoder(
      format.format(of: picture),
      arguments: encoding.arguments(
        packing: stereo?.framePacking, isLimited: format.film.video.colorRange == "tv",
        threads: threads),
      isVAAPI: encoding.isVAAPI, to: file, as: encoding.pieceFormat, tools: tools)
  }
}

/// Facts that are known before the first frame is decoded.
extension FilmRun {
  func muxer(of film: SourceFilm) -> FilmMuxer {
    FilmMuxer(
      path: input, probe: film.probe, excerpt: film.excerpt, stereo: settings.stereo, tools: tools,
      pieceTicks: settings.encoding.pieceTicks,
      codec: tools.encoders[settings.encoding.encoder] ?? settings.encoding.encoder)
  }

  /// The ways of the film's streams into the new one, by trials with a few dark pictures.
  ///
  /// - Throws: `DepthError` where the new film's container does not hold them, or where its encoder fails.
  func carriage(of film: SourceFilm, in folder: FilmFolder) throws -> StreamCarriage {
    let pictures = folder.path("trial.video")
    defer { unsafe unlink(pictures) }
    return try namingOutput {
      try encodeTrial(of: film, to: pictures)
      return try StreamCarriage(
        of: film.probe, into: FilmContainer(output), tools: tools,
        by: MuxerTrial(
          of: muxer(of: film), pictures: pictures, writing: folder.path("trial.film")))
    }
  }

  /// Does work whose errors name the new film, and not the program's own files beside it.
  func namingOutput<R>(_ work: () throws -> R) throws -> R {
    do { return try work() } catch let error as DepthError {
      throw DepthError(error.code, file: output.relativePath, error.message, cause: error.cause)
    }
  }

  private func encodeTrial(of film: SourceFilm, to file: String) throws {
    let format = SourceFormat(
      film: film, stored: .y4m(film.decoding.layout), pixelAspect: Ratio(1, 1))
    let layout = format.layout(isGray: settings.isGray, stereo: settings.stereo)
    // A damaged film may claim any size.
    let size = PixelSize(
      width: min(max(film.video.width ?? 2, 2), 1920),
      height: min(max(film.video.height ?? 2, 2), 1080))
    let planes = [UInt8](repeating: 1, count: layout.bytes(of: size))
    let picture = EncodedPicture(size: size, layout: layout, planes: planes, microseconds: 0)
    let encoder = try settings.encoder(of: picture, format, to: file, threads: 1, tools: tools)
    do {
      for frame in 0..<12 {
        try encoder.encode(planes, microseconds: frame * film.frameDuration)
      }
      try encoder.finish()
    } catch {
      encoder.abandon()
      throw error
    }
  }
}
