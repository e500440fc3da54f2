package import DepthImages
package import FrameStreams

/// A picture in the encoder's format.
package struct EncodedPicture: Sendable {
  let size: PixelSize
  let layout: PlanarLayout
  package let planes: [UInt8]
  package let microseconds: Int
}

/// The common format of a film's pictures.
struct VideoFormat: Sendable {
  let layout: PlanarLayout
  let size: PixelSize
  let pixelAspect: Ratio
  /// Duration of a frame in microseconds; 0 if unknown.
  let frameDuration: Int
  let tags: ColorTags

  /// Color options of the encoder.
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

/// The encoding of a film that is made from another film's frames.
package struct FilmEncoding: Sendable {
  let film: InputFilm
  /// The layout of pictures with the sampling of decoded frames.
  let decoded: PlanarLayout
  let pixelAspect: Ratio
  let settings: EncoderSettings
  let packing: ViewPacking?
  let isGray: Bool
  let tools: FFmpeg

  /// - Parameters:
  ///   - reader: The reader of the frames; `nil` to use the layout that the decoding expects.
  ///   - packing: `nil` for one view.
  ///   - isGray: Whether pictures are gray.
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

  /// The layout of pictures: the film's layout, with colors added to gray films.
  ///
  /// Interleaved views are 4:4:4, because row- or column-interleaved screens show each row or column to one eye.
  /// Anaglyphs are 4:2:0, although this slightly mixes the eyes' colors: most players and decoders for ordinary screens
  /// support only 4:2:0.
  private var layout: PlanarLayout {
    var layout = decoded
    if layout.chroma == .none, !isGray { layout.chroma = .quarter }
    return packing?.isInterleaved == true ? layout.unshared : layout
  }

  /// Converts a picture to the encoder's format.
  package func encoded(_ picture: Image, microseconds: Int) -> EncodedPicture {
    let layout = layout
    return EncodedPicture(
      size: PixelSize(width: picture.width, height: picture.height), layout: layout,
      planes: layout.planes(picture), microseconds: microseconds)
  }

  /// A dark picture of the film's size. The size is limited, because a damaged film may claim any size.
  func darkPicture() -> EncodedPicture {
    let (layout, video) = (layout, film.video)
    let size = PixelSize(
      width: min(max(video.width ?? 2, 2), 1920), height: min(max(video.height ?? 2, 2), 1080))
    return EncodedPicture(
      size: size, layout: layout, planes: [UInt8](repeating: 1, count: layout.bytes(of: size)),
      microseconds: 0)
  }

  /// Makes an encoder for pictures in the format of `picture`.
  ///
  /// - Parameter threads: Number of the encoder's threads, which affects the output.
  /// - Throws: `DepthError` if ffmpeg cannot be started.
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
    // Without a tag, players choose a matrix by the frame size, which has changed.
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
