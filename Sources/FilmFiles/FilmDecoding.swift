import DepthErrors
import DepthImages
import FrameStreams
import PictureFiles

/// The decoding of a film: ffmpeg's decoder, filters and formats, and the storage of the pictures made from frames.
package struct FilmDecoding: Sendable {
  /// Options before the film's name.
  let decoder: [String]
  /// Filters, in order.
  let filters: [String]
  /// ffmpeg's name of the sample format.
  let pixelFormat: String
  let matrix: ColorMatrix?
  let range: ColorRange?
  let siting: Y4MHeader.Siting
  /// The conversion of high dynamic range to sRGB; `nil` for standard dynamic range.
  let conversion: ColorConversion?
  /// The storage of pictures. Frames may have alpha or more bits.
  private let chroma: Y4MHeader.Chroma
  private let bits: Int
  /// Color tags of the result.
  let tags: ColorTags
  /// Notes for the user.
  package let warnings: [String]

  /// - Parameters:
  ///   - encoder: ffmpeg's name of the new film's encoder.
  ///   - keepsChroma: Whether RGB films become 4:4:4. The default, 4:2:0, works in all players.
  /// - Throws: `DepthError` for a film whose result would be wrong.
  init(
    _ video: FilmProbe.Stream, _ first: FirstFrames, of path: String, encoder: String,
    keepsChroma: Bool, tools: FFmpeg
  ) throws {
    if let profile = video.dolbyVisionAlone {
      throw DepthError.unsupportedFormat(
        file: path, expected: "a film with colors that ffmpeg supports",
        found: "Dolby Vision profile \(profile)")
    }
    var warnings: [String] = []
    // A stream may be marked as progressive although its frames are interlaced.
    let isInterlaced = video.isInterlaced || first.areInterlaced
    if isInterlaced { warnings.append("is interlaced, so it is deinterlaced") }
    let (name, decoder, alphaNote) = try Self.decoder(of: video, tools)
    self.decoder = decoder
    if let alphaNote { warnings.append(alphaNote) }
    let format = SampleFormat(name)
    let hasAlpha = format.hasAlpha && !video.leavesAlphaUnused
    let coding = video.highDynamicRange(first)
    conversion = coding?.conversion(bits: PlanarLayout.deepBits)
    let stored = try Self.stored(
      format, isHDR: coding != nil, encoder: encoder, keepsChroma: keepsChroma, tools)
    (chroma, bits) = (stored.chroma, stored.bits)
    warnings += stored.notes
    let read = Self.read(name, format, stored, hasAlpha: hasAlpha, isHDR: coding != nil)
    var filters = try Self.deinterlacing(video, isInterlaced: isInterlaced, name, tools)
    var tags = ColorTags(of: video)
    siting = video.siting
    let isMixed = format.colors == .rgb || format.colors == .gray && hasAlpha
    let source = try SourceMatrix(tags, isMixed: isMixed, tools)
    filters += source.filters(to: read, tags)
    if let note = source.note(named: video.matrixTag) { warnings.append(note) }
    (pixelFormat, matrix) = (read, source.matrix ?? (coding == nil ? nil : .bt2020))
    range =
      source.isConverted ? .limited : name.hasPrefix("yuvj") ? .full : tags.range
    if coding != nil {
      warnings.append("has high dynamic range, which is tone-mapped to standard dynamic range")
      tags = ColorTags(range: .limited, matrix: 1, transfer: 1, primaries: 1)
    } else {
      warnings += tags.notes
      if source.isConverted { (tags.range, tags.matrix) = (.limited, source.matrix?.code) }
      if source == .unknown { tags.matrix = nil }
      // Gray frames without a tag have full range, and are converted to luma and chroma.
      if format.colors == .gray, tags.range == nil { tags.range = .full }
    }
    (self.filters, self.tags, self.warnings) = (filters, tags, warnings)
  }

  var frames: PlanarLayout {
    let read = SampleFormat(pixelFormat)
    return PlanarLayout(
      chroma: read.hasAlpha ? .fullWithAlpha : read.chroma(ofRGB: .full), siting: siting,
      bits: read.bits, matrix: matrix ?? .bt601, range: range ?? .limited)
  }

  /// The storage of pictures that are made from frames.
  func pictures(of frames: PlanarLayout) -> PlanarLayout {
    var layout = frames
    (layout.chroma, layout.bits) = (chroma, bits)
    if conversion != nil { (layout.matrix, layout.range) = (.bt709, .limited) }
    return layout
  }

  /// The sample format of decoded frames, and options that select a decoder with alpha, because ffmpeg's own VP8 and VP9
  /// decoders omit alpha.
  private static func decoder(
    of video: FilmProbe.Stream, _ tools: FFmpeg
  ) throws -> (format: String, options: [String], note: String?) {
    let format = video.pixFmt ?? "yuv420p"
    let decoders = ["vp8": "libvpx", "vp9": "libvpx-vp9"]
    guard video.hasAlphaStream, let name = decoders[video.codecName ?? ""] else {
      return (format, [], nil)
    }
    guard try tools.hasDecoder(name) else {
      return (
        format, [],
        "has transparent parts, which need ffmpeg's decoder \(name); without it, hidden colors appear"
      )
    }
    return ("yuva420p", ["-c:\(video.index)", name], nil)
  }

  /// The storage of pictures: the film's chroma sampling and bits, limited to the encoder's capabilities.
  private static func stored(
    _ format: SampleFormat, isHDR: Bool, encoder: String, keepsChroma: Bool, _ tools: FFmpeg
  ) throws -> (chroma: Y4MHeader.Chroma, bits: Int, notes: [String]) {
    if isHDR { return (.quarter, 8, []) }
    if format.colors == .rgb {
      let bits = format.bits > 8 ? 10 : 8
      return (
        keepsChroma ? .full : .quarter, bits,
        keepsChroma
          ? [] : ["has RGB colors, and becomes 4:2:0 of \(bits) bits, which players support"]
      )
    }
    var bits = format.bits > 10 ? 12 : format.bits > 8 ? 10 : 8
    var notes: [String] = []
    if bits == 12 {
      bits = try Self.bits(keptBy: encoder, tools)
      if bits < 12 {
        notes.append("has \(format.bits) bits, of which \(encoder) keeps \(bits)")
      } else if format.bits > 12 {
        notes.append("has \(format.bits) bits, of which 12 are read")
      }
    }
    return (format.chroma(ofRGB: .full), bits, notes)
  }

  /// The sample format in which frames are read.
  private static func read(
    _ name: String, _ format: SampleFormat,
    _ stored: (chroma: Y4MHeader.Chroma, bits: Int, notes: [String]), hasAlpha: Bool, isHDR: Bool
  ) -> String {
    if hasAlpha { return SampleFormat.name(.fullWithAlpha, bits: 8) }
    let chroma = isHDR ? format.chroma(ofRGB: .full) : stored.chroma
    if name.hasPrefix("yuvj") {
      // These are older names of full-range formats. Under another name, the range would become limited.
      return ["yuvj420p", "yuvj422p"].contains(name) ? name : "yuvj444p"
    }
    guard isHDR else { return SampleFormat.name(chroma, bits: stored.bits) }
    return SampleFormat.name(chroma, bits: format.bits > 10 ? 12 : format.bits > 8 ? 10 : 8)
  }

  /// Deinterlacing filters. If the file does not state the field order, only frames marked as interlaced are converted.
  private static func deinterlacing(
    _ video: FilmProbe.Stream, isInterlaced: Bool, _ format: String, _ tools: FFmpeg
  ) throws -> [String] {
    let filter = { try (tools.hasFilter("bwdif") ? "bwdif" : "yadif") + "=mode=send_frame" }
    if video.isInterlaced { return [try filter()] }
    // For formats other than YUV, the filter would require a conversion.
    guard isInterlaced || video.mayBeInterlaced && format.hasPrefix("yuv") else { return [] }
    return [try filter() + ":deint=interlaced"]
  }

  /// Bits that an encoder keeps, at most 12; 12 if unknown.
  private static func bits(keptBy encoder: String, _ tools: FFmpeg) throws -> Int {
    let formats = try tools.pixelFormats(of: encoder).map { SampleFormat($0).bits }
    return formats.isEmpty || formats.contains { $0 >= 12 } ? 12 : formats.contains(10) ? 10 : 8
  }
}
