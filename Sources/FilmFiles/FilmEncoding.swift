package import DepthImages
package import FrameStreams

/// A picture on its way to the encoder.
package struct EncodedPicture: Sendable {
  let size: PixelSize
  let layout: PlanarLayout
  package let planes: [UInt8]
  package let microseconds: Int
}

/// The format of all pictures of a film.
struct VideoFormat: Sendable {
  let layout: PlanarLayout
  let size: PixelSize
  let pixelAspect: Ratio
  /// Microseconds; 0 is unknown.
  let frameDuration: Int
  let tags: ColorTags

  /// Options of the encoder about color.
  var colorOptions: [String] {
    guard layout.chroma == .quarter else { return tags.options }
    let place =
      switch layout.siting {
      case .center: "center"
      case .left: "left"
      case .topLeft: "topleft"
      }
    return tags.options + ["-chroma_sample_location", place]
  }
}

/// The encoding of a film that is made from another one's frames.
package struct FilmEncoding: Sendable {
  let film: InputFilm
  /// The layout of pictures like the decoded frames.
  let decoded: PlanarLayout
  let pixelAspect: Ratio
  let settings: EncoderSettings
  let packing: ViewPacking?
  let isGray: Bool
  let tools: FFmpeg

  /// - Parameters:
  ///   - reader: The reader of the frames; `nil` for the layout that the film's decoding promises.
  ///   - packing: `nil` for one view.
  ///   - isGray: Whether pictures have gray levels instead of colors.
  package init(
    of film: InputFilm, readBy reader: FrameReader? = nil, by settings: EncoderSettings,
    packing: ViewPacking?, isGray: Bool, tools: FFmpeg
  ) {
    (self.film, self.settings, self.packing) = (film, settings, packing)
    (self.isGray, self.tools) = (isGray, tools)
    guard case .y4m(let frames) = reader?.stored ?? .y4m(film.decoding.frames) else {
      preconditionFailure("ffmpeg sends YUV4MPEG2")
    }
    decoded = film.decoding.pictures(of: frames)
    pixelAspect = reader?.pixelAspect ?? Ratio(1, 1)
  }

  /// The layout of pictures: the film's, with colors where it has none.
  ///
  /// Interleaved views are 4:4:4: the screens that show them take each row or column from one eye. Anaglyphs are
  /// not, although subsampled chroma mixes the colors of both eyes a little: they are for ordinary screens, whose
  /// players and decoders mostly know 4:2:0 only.
  private var layout: PlanarLayout {
    var layout = decoded
    if layout.chroma == .none, !isGray { layout.chroma = .quarter }
    return packing?.isInterleaved == true ? layout.unshared : layout
  }

  /// A picture as the encoder takes it.
  package func encoded(_ picture: Image, microseconds: Int) -> EncodedPicture {
    let layout = layout
    return EncodedPicture(
      size: PixelSize(width: picture.width, height: picture.height), layout: layout,
      planes: layout.planes(picture), microseconds: microseconds)
  }

  /// A dark picture of about the film's size, which a damaged film may claim to be any.
  func darkPicture() -> EncodedPicture {
    let (layout, video) = (layout, film.video)
    let size = PixelSize(
      width: min(max(video.width ?? 2, 2), 1920), height: min(max(video.height ?? 2, 2), 1080))
    return EncodedPicture(
      size: size, layout: layout, planes: [UInt8](repeating: 1, count: layout.bytes(of: size)),
      microseconds: 0)
  }

  /// An encoder of pictures like one.
  ///
  /// - Parameter threads: Of the encoder; they change its bits.
  /// - Throws: `DepthError` where ffmpeg cannot be started.
  package func encoder(
    of picture: EncodedPicture, to file: String, threads: Int
  ) throws -> FilmEncoder {
    try FilmEncoder(
      format(of: picture), by: settings,
      arguments: settings.arguments(
        packing: packing?.arrangement, isLimited: film.decoding.tags.range == .limited,
        threads: threads),
      to: file, tools: tools)
  }

  private func format(of picture: EncodedPicture) -> VideoFormat {
    var tags = film.decoding.tags
    // Without a tag, players assume a matrix by the size of the frames, which has changed.
    if tags.matrix == nil, picture.layout.chroma != .none,
      picture.layout.matrix
        != .assumed(width: picture.size.width, height: picture.size.height)
    {
      tags.matrix = picture.layout.matrix.code
    }
    return VideoFormat(
      layout: picture.layout, size: picture.size, pixelAspect: pixelAspect,
      frameDuration: film.frameDuration, tags: tags)
  }
}
