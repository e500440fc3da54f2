import DepthImages
import FilmFiles
import FrameStreams
import _TestSupport

/// A film that is decoded and encoded again without depth, as by `depth video`.
struct FilmCopy {
  let film: InputFilm
  /// The decoded frames, by their numbers.
  private(set) var images: [Int: Image] = [:]
  /// Notes on the film.
  let notes: [String]
  /// The properties of the new film's pictures by ffprobe.
  let stream: [String: Any]

  /// - Parameters:
  ///   - name: The film.
  ///   - output: The new film.
  ///   - codec: The encoder's name in ffmpeg.
  ///   - skipping: The number of first frames that an earlier run has made.
  init(
    _ name: String, to output: String = "copy", codec: String = "libx264", skipping: Int = 0,
    in folder: TemporaryFolder
  ) throws {
    let (path, tools) = (folder.path(name), try FFmpeg())
    film = try InputFilm(
      path, excerpt: FilmExcerpt(), preview: nil, encoder: codec, keepsChroma: false, tools: tools)
    let decoder = try FilmDecoder(path, film, skipping: skipping, tools: tools)
    let reader = try decoder.reader(
      film.decoding, limits: ImageLimits(), firstIndex: skipping, makesViews: false,
      isStopped: { false })
    let frames = FilmFrames(
      reader: reader, decoder: decoder, origin: nil, last: nil, segment: nil,
      isStopped: { false })
    let encoding = FilmEncoding(
      of: film, readBy: reader, by: EncoderSettings(codec: codec), packing: nil, isGray: false,
      tools: tools)
    var encoder: FilmEncoder?
    _ = try frames.beginSegment()
    while let frame = try frames.next() {
      let image = try frame.frame.image()
      images[frame.frame.index] = image
      let picture = encoding.encoded(image, microseconds: frame.microseconds)
      let piece = try encoder ?? encoding.encoder(of: picture, to: folder.path(output), threads: 1)
      encoder = piece
      try piece.encode(picture.planes, microseconds: frame.microseconds)
    }
    _ = decoder.finish()
    try encoder?.finish()
    notes = film.decoding.warnings + [decoder.noteOfSizes].compactMap(\.self)
    stream = try FilmTools.streams(folder.path(output))[0]
  }

  /// A pixel's red, green and blue.
  func color(of frame: Int = 0, _ x: Int, _ y: Int) -> [Int] {
    guard let image = images[frame] else { return [] }
    return (0..<3).map { Int(image.pixels[3 * (y * image.width + x) + $0]) }
  }
}
