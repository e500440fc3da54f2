import DepthImages
import FrameStreams
import StereoPhotos

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
