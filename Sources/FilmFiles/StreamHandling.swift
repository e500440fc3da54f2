/// The handling of an input stream in the new film.
package enum StreamHandling: Sendable, Hashable {
  case copied
  case encoded(StreamEncoder)

  /// Options of ffmpeg for the output stream with this number.
  func arguments(at index: Int) -> [String] {
    switch self {
    case .copied: []
    case .encoded(let encoder):
      ["-c:\(index)", encoder.name]
        + (encoder.bitRate.map { ["-b:\(index)", "\($0)"] } ?? [])
        + (encoder.filter.map { ["-filter:\(index)", $0] } ?? [])
    }
  }
}

/// An encoder of ffmpeg for sound or subtitles.
package struct StreamEncoder: Sendable, Hashable {
  let name: String
  /// Bits per second; `nil` for the encoder's default and for lossless encoders.
  var bitRate: Int?
  var filter: String?

  init(_ name: String) { self.name = name }

  /// An encoder of sound that fills gaps with silence. Without filling, encoders close gaps and later sound is early.
  ///
  /// - Parameters:
  ///   - layouts: Channel layouts that players and the encoder support, such as `5.1|stereo`; `nil` for all.
  ///   - channels: Number of channels, for lossy coding with 96 kbit/s per channel.
  init(sound name: String, layouts: String? = nil, channels: Int? = nil) {
    self.name = name
    bitRate = channels.map { 96_000 * min(max($0, 1), 8) }
    filter = "aresample=async=1" + (layouts.map { ",aformat=channel_layouts=\($0)" } ?? "")
  }
}

extension FilmContainer {
  /// The possible handlings of a stream of sound or subtitles, best first.
  ///
  /// Lossless sound stays lossless if the container has a lossless codec that players support. Text is converted to the
  /// container's own text format.
  func handlings(of stream: FilmProbe.Stream) -> [StreamHandling] {
    switch stream.codecType {
    case "audio":
      (closesGaps(of: stream) ? sameEncoder(of: stream).map(StreamHandling.encoded) : [.copied])
        + soundEncoders(of: stream).map(StreamHandling.encoded)
    case "subtitle":
      [.copied]
        + (stream.isText ? textEncoder.map { [.encoded(StreamEncoder($0))] } ?? [] : [])
    default: []
    }
  }

  /// Whether a copy would close gaps in sound, because PCM samples have no times in the container.
  private func closesGaps(of stream: FilmProbe.Stream) -> Bool {
    stream.isPCM && ["mov", "mp4", "avi"].contains(muxer)
  }

  /// The encoder of the same PCM format, which preserves samples and fills gaps.
  private func sameEncoder(of stream: FilmProbe.Stream) -> [StreamEncoder] {
    [stream.codecName].compactMap(\.self).map { StreamEncoder(sound: $0) }
  }

  private func soundEncoders(of stream: FilmProbe.Stream) -> [StreamEncoder] {
    let channels = stream.channels ?? 2
    switch muxer {
    case "nut": return []
    case "webm":
      return [
        StreamEncoder(sound: "libopus", layouts: Self.vorbisLayouts, channels: channels),
        StreamEncoder(sound: "libvorbis", channels: channels),
      ]
    case "matroska", "mov", "avi":
      guard let samples = stream.losslessSamples else { break }
      let pcm = StreamEncoder(sound: "pcm_\(samples)le")
      let isFLAC = muxer == "matroska" && ["s16", "s24"].contains(samples) && channels <= 8
      return isFLAC ? [StreamEncoder(sound: "flac"), pcm] : [pcm]
    default: break
    }
    // Codecs that AVI players support.
    return muxer == "avi"
      ? [StreamEncoder(sound: "ac3", channels: min(channels, 6))]
      : [StreamEncoder(sound: "aac", layouts: Self.advancedLayouts, channels: channels)]
  }

  /// Channel layouts of Vorbis and Opus.
  private static let vorbisLayouts = "7.1|6.1|5.1|5.0|quad|3.0|stereo|mono"
  /// Channel layouts with a number in AAC, and a few other layouts that AAC can describe.
  ///
  /// 5.1 with side speakers, as in AC-3, is mapped to the numbered layout.
  private static let advancedLayouts = "7.1|6.1|5.1|5.0|4.0|quad|3.0|2.1|stereo|mono"

  private var textEncoder: String? {
    switch muxer {
    case "matroska": "srt"
    case "mp4", "mov": "mov_text"
    case "webm": "webvtt"
    default: nil
    }
  }
}

extension FilmProbe.Stream {
  fileprivate var isText: Bool {
    [
      "subrip", "srt", "ass", "ssa", "webvtt", "mov_text", "text", "eia_608", "jacosub", "microdvd",
      "mpl2", "pjs", "realtext", "sami", "stl", "subviewer", "subviewer1", "vplayer",
    ].contains(codecName ?? "")
  }

  private static let losslessCodecs: Set<String> = [
    "alac", "ape", "flac", "mlp", "mp4als", "s302m", "shorten", "tak", "truehd", "tta", "wavpack",
    "wmalossless",
  ]

  fileprivate var isPCM: Bool { (codecName ?? "").hasPrefix("pcm_") }

  /// The sample format of losslessly coded sound, as in names of PCM codecs; `nil` for other sound.
  fileprivate var losslessSamples: String? {
    let name = codecName ?? ""
    let isExact = isPCM && !["pcm_alaw", "pcm_mulaw", "pcm_vidc"].contains(name)
    guard isExact || Self.losslessCodecs.contains(name) || name == "dts" && profile == "DTS-HD MA"
    else {
      return nil
    }
    switch sampleFmt?.prefix(3) {
    case "flt": return "f32"
    case "dbl": return "f64"
    case "u8", "u8p", "s16": return "s16"
    default:
      let bits = bitsPerRawSample.flatMap { Int($0) } ?? 0
      return (1...24).contains(bits) ? "s24" : "s32"
    }
  }
}
