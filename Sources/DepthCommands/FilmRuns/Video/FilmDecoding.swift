import DepthErrors
import DepthImages
import FrameStreams

/// How a film becomes frames: the filters and formats of ffmpeg.
struct FilmDecoding: Sendable {
  /// Filters, in their order.
  let filters: [String]
  /// ffmpeg's name of the sample format.
  let pixelFormat: String
  let matrix: ColorMatrix?
  let range: ColorRange?
  let siting: Y4MHeader.Siting
  /// Tags of color that the result has, as options of the encoder.
  let tags: [String]
  /// A note for the user.
  let warnings: [String]

  /// Sample formats that frames are read in as they are.
  private static let formats: Set<String> = [
    "yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p", "yuv411p", "gray",
    "yuv420p10le", "yuv422p10le", "yuv444p10le", "yuv420p12le", "yuv422p12le", "yuv444p12le",
  ]

  /// - Throws: `DepthError` for a film that would come out wrong.
  init(_ video: FilmProbe.Stream, of path: String, tools: FFmpeg) throws {
    var (filters, warnings): ([String], [String]) = ([], [])
    let format = video.pixFmt ?? "yuv420p"
    if video.isInterlaced {
      filters.append((tools.filters.contains("bwdif") ? "bwdif" : "yadif") + "=mode=send_frame")
      warnings.append("is interlaced, and is made progressive")
    }
    siting = video.siting
    guard !video.isDolbyVisionAlone else {
      throw DepthError.unsupportedFormat(
        file: path, expected: "a film with colors that ffmpeg knows",
        found: "Dolby Vision profile 5")
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
      let isRGB = ["gbr", "rgb", "bgr", "0rg", "0bg", "arg", "abg", "pal"].contains(
        String(format.prefix(3)))
      if isForeign || isRGB {
        let deep = format.contains("10") || format.contains("12") || format.contains("16")
        pixelFormat =
          isKnown ? format : isRGB ? (deep ? "yuv444p10le" : "yuv444p") : Self.near(format)
        filters += ["scale=out_color_matrix=bt709:out_range=tv", "format=\(pixelFormat)"]
        (matrix, range) = (.bt709, .limited)
        tags = Self.tags(
          range: "tv", matrix: "bt709", transfer: video.transferTag, primaries: video.primariesTag)
      } else {
        pixelFormat = isKnown ? format : Self.near(format)
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

  private static func tags(
    range: String?, matrix: String?, transfer: String?, primaries: String?
  ) -> [String] {
    func option(_ name: String, _ value: String?) -> [String] {
      value.map { $0 == "unknown" ? [] : [name, $0] } ?? []
    }
    return option("-color_range", range) + option("-colorspace", matrix)
      + option("-color_trc", transfer) + option("-color_primaries", primaries)
  }
}
