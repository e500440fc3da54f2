import DepthErrors
import DepthImages
import FrameStreams

/// The decoding of a film: filters and formats of ffmpeg.
package struct FilmDecoding: Sendable {
  /// Filters, in their order.
  let filters: [String]
  /// ffmpeg's name of the sample format.
  let pixelFormat: String
  let matrix: ColorMatrix?
  let range: ColorRange?
  let siting: Y4MHeader.Siting
  /// Tags of color that the result has, as options of the encoder.
  let tags: [String]
  /// Notes for the user.
  package let warnings: [String]

  /// Sample formats that frames are read in as they are.
  private static let formats: Set<String> = [
    "yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p", "yuv411p", "gray",
    "yuv420p10le", "yuv422p10le", "yuv444p10le", "yuv420p12le", "yuv422p12le", "yuv444p12le",
  ]

  /// - Parameters:
  ///   - encoder: ffmpeg's name of the new film's encoder.
  ///   - keepsChroma: Whether RGB films become 4:4:4 instead of 4:2:0, which all players show.
  /// - Throws: `DepthError` for a film that would come out wrong.
  init(
    _ video: FilmProbe.Stream, _ first: FirstFrames, of path: String, encoder: String,
    keepsChroma: Bool, tools: FFmpeg
  ) throws {
    var warnings: [String] = []
    let format = video.pixFmt ?? "yuv420p"
    // A stream may say progressive of frames that are not.
    let isInterlaced = video.isInterlaced || first.areInterlaced
    if isInterlaced { warnings.append("is interlaced, and is made progressive") }
    var filters = Self.deinterlacing(video, isInterlaced: isInterlaced, format, tools)
    siting = video.siting
    if let profile = video.dolbyVisionAlone {
      throw DepthError.unsupportedFormat(
        file: path, expected: "a film with colors that ffmpeg knows",
        found: "Dolby Vision profile \(profile)")
    }
    if video.isHDR {
      guard tools.filters.contains("zscale"), tools.filters.contains("tonemap") else {
        throw DepthError.unsupportedFormat(
          file: path, expected: "standard dynamic range, or an ffmpeg with zscale and tonemap",
          found: "high dynamic range (\(video.colorTransfer ?? ""))")
      }
      filters += [
        "zscale=tin=\(video.colorTransfer ?? ""):min=\(video.matrixTag ?? "bt2020nc")"
          + ":pin=\(video.primariesTag ?? "bt2020"):rin=\(video.colorRange == "pc" ? "full" : "limited")"
          + ":t=linear:npl=100",
        "format=gbrpf32le", "zscale=p=bt709", "tonemap=tonemap=hable:desat=0",
        "zscale=t=bt709:m=bt709:r=limited", "format=yuv420p",
      ]
      warnings.append("has high dynamic range, which is tone-mapped to the standard one")
      (pixelFormat, matrix, range) = ("yuv420p", .bt709, .limited)
      tags = Self.tags(range: "tv", matrix: "bt709", transfer: "bt709", primaries: "bt709")
    } else {
      let isKnown = Self.formats.contains(format)
      let known: ColorMatrix? =
        switch video.matrixTag {
        case "bt709": .bt709
        case "smpte170m", "bt470bg": .bt601
        default: nil
        }
      // A matrix that is not read here, or colors that are not luma and chroma.
      let isForeign = video.matrixTag != nil && known == nil
      let isRGB = Self.isRGB(format)
      let best =
        isRGB
        ? (keepsChroma ? "yuv444p" : "yuv420p") + (Self.isDeepRGB(format) ? "10le" : "")
        : isKnown ? format : Self.near(format)
      if isRGB, !keepsChroma {
        warnings.append(
          "has RGB colors, and becomes 4:2:0 of \(Self.isDeepRGB(format) ? 10 : 8) bits, which players show"
        )
      }
      let bits = try Self.bits(of: best, by: encoder, tools)
      pixelFormat = bits < 12 ? best.replacing("p12le", with: bits == 10 ? "p10le" : "p") : best
      if pixelFormat != best {
        warnings.append("has 12 bits, of which \(encoder) keeps \(bits)")
      }
      if isForeign || isRGB {
        filters += ["scale=out_color_matrix=bt709:out_range=tv", "format=\(pixelFormat)"]
        (matrix, range) = (.bt709, .limited)
        tags = Self.tags(
          range: "tv", matrix: "bt709", transfer: video.transferTag, primaries: video.primariesTag)
      } else {
        matrix = known
        range =
          video.colorRange == "pc" || format.hasPrefix("yuvj")
          ? .full : video.colorRange == "tv" ? .limited : nil
        tags = Self.tags(
          range: video.colorRange, matrix: video.matrixTag, transfer: video.transferTag,
          primaries: video.primariesTag)
      }
    }
    (self.filters, self.warnings) = (filters, warnings)
  }

  /// Filters that make frames of two fields whole. Where the file does not say so, those that are marked as fields are made
  /// whole and the others stay.
  private static func deinterlacing(
    _ video: FilmProbe.Stream, isInterlaced: Bool, _ format: String, _ tools: FFmpeg
  ) -> [String] {
    let filter = (tools.filters.contains("bwdif") ? "bwdif" : "yadif") + "=mode=send_frame"
    if video.isInterlaced { return [filter] }
    // Other formats would be converted for the filter.
    guard isInterlaced || video.mayBeInterlaced && format.hasPrefix("yuv") else { return [] }
    return [filter + ":deint=interlaced"]
  }

  private static func isRGB(_ format: String) -> Bool {
    ["gbr", "rgb", "bgr", "0rg", "0bg", "arg", "abg", "pal", "x2r", "x2b"].contains(
      String(format.prefix(3)))
  }

  /// Whether an RGB format has more than 8 bits per color.
  private static func isDeepRGB(_ format: String) -> Bool {
    ["p9", "p10", "p12", "p14", "p16", "x2", "48", "64", "f16", "f32"].contains(
      where: format.contains)
  }

  /// Bits that an encoder keeps of a format of 12 bits; 12 where it does not say.
  private static func bits(of format: String, by encoder: String, _ tools: FFmpeg) throws -> Int {
    guard format.hasSuffix("p12le") else { return 12 }
    let formats = try tools.pixelFormats(of: encoder)
    if formats.isEmpty || formats.contains(where: { $0.contains("p12") }) { return 12 }
    return formats.contains { $0.contains("p10") || $0.hasPrefix("p010") } ? 10 : 8
  }

  /// How the frames are stored.
  var layout: PlanarLayout {
    let chroma: Y4MHeader.Chroma =
      pixelFormat.hasPrefix("gray")
      ? .none
      : pixelFormat.contains("444")
        ? .full
        : pixelFormat.contains("422") ? .half : pixelFormat.contains("411") ? .strip : .quarter
    return PlanarLayout(
      chroma: chroma, siting: siting,
      bits: pixelFormat.hasSuffix("p12le") ? 12 : pixelFormat.hasSuffix("p10le") ? 10 : 8,
      matrix: matrix ?? .bt601, range: range ?? .limited)
  }

  /// The format that is read and loses least.
  private static func near(_ format: String) -> String {
    let sampling =
      ["420", "422", "444"].first(where: format.contains)
      ?? (format.hasPrefix("nv1") || format.hasPrefix("p0") || format.hasPrefix("yuv41")
        ? "420" : format.hasPrefix("gray") ? "" : "444")
    if sampling.isEmpty { return "gray" }
    let isDeep = ["9", "10", "12", "14", "16"].contains { depth in
      format.contains("p\(depth)") || format == "p0\(depth)le"
    }
    return "yuv\(sampling)p" + (isDeep ? "10le" : "")
  }

  /// Tags as options of ffmpeg, which calls two transfers otherwise than ffprobe does.
  static func tags(
    range: String?, matrix: String?, transfer: String?, primaries: String?
  ) -> [String] {
    func option(_ name: String, _ value: String?) -> [String] {
      value.map { $0 == "unknown" ? [] : [name, $0] } ?? []
    }
    let names = ["bt470m": "gamma22", "bt470bg": "gamma28"]
    return option("-color_range", range) + option("-colorspace", matrix)
      + option("-color_trc", transfer.map { names[$0] ?? $0 })
      + option("-color_primaries", primaries)
  }
}
