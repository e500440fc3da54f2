import DepthImages
import FrameStreams

/// Color tags of a new film, as numbers of ITU-T H.273.
///
/// All versions of ffmpeg accept numbers in options and filters, but not all of the names that ffprobe prints.
///
/// > Source: ITU-T H.273, tables 2 to 4; ffmpeg's `pixdesc.c` for the names.
struct ColorTags: Sendable {
  var range: ColorRange?
  var matrix, transfer, primaries: Int?
  /// Notes on tags of the input that are left out.
  private(set) var notes: [String] = []
  /// Whether the input's matrix has no number.
  private(set) var lacksMatrix = false

  init(range: ColorRange?, matrix: Int?, transfer: Int? = nil, primaries: Int? = nil) {
    (self.range, self.matrix) = (range, matrix)
    (self.transfer, self.primaries) = (transfer, primaries)
  }

  init(of video: FilmProbe.Stream) {
    range = video.colorRange == "pc" ? .full : video.colorRange == "tv" ? .limited : nil
    matrix = video.matrixTag.flatMap { Self.matrices[$0] }
    lacksMatrix = matrix == nil && video.matrixTag != nil
    transfer = number(of: video.transferTag, in: Self.transfers, "transfer")
    primaries = number(of: video.primariesTag, in: Self.primaries, "primaries")
  }

  private mutating func number(
    of name: String?, in codes: [String: Int], _ kind: String
  ) -> Int? {
    guard let name else { return nil }
    if let code = codes[name] { return code }
    notes.append("has the color \(kind) \(name), which ffmpeg cannot write; the tag is left out")
    return nil
  }

  /// Options of an encoder. Since version 9, ffmpeg takes most of these tags from the frames alone.
  var options: [String] {
    func option(_ name: String, _ code: Int?) -> [String] { code.map { [name, "\($0)"] } ?? [] }
    return (range.map { ["-color_range", $0 == .full ? "pc" : "tv"] } ?? [])
      + option("-colorspace", matrix) + option("-color_trc", transfer)
      + option("-color_primaries", primaries)
  }

  private static let primaries = [
    "bt709": 1, "bt470m": 4, "bt470bg": 5, "smpte170m": 6, "smpte240m": 7, "film": 8, "bt2020": 9,
    "smpte428": 10, "smpte431": 11, "smpte432": 12, "jedec-p22": 22, "ebu3213": 22,
  ]

  private static let transfers = [
    "bt709": 1, "bt470m": 4, "gamma22": 4, "bt470bg": 5, "gamma28": 5, "smpte170m": 6,
    "smpte240m": 7, "linear": 8, "log100": 9, "log316": 10, "iec61966-2-4": 11, "bt1361e": 12,
    "iec61966-2-1": 13, "bt2020-10": 14, "bt2020-12": 15, "smpte2084": 16, "smpte428": 17,
    "arib-std-b67": 18,
  ]

  private static let matrices = [
    "bt709": 1, "fcc": 4, "bt470bg": 5, "smpte170m": 6, "smpte240m": 7, "ycgco": 8, "bt2020nc": 9,
    "bt2020c": 10, "smpte2085": 11, "chroma-derived-nc": 12, "chroma-derived-c": 13, "ictcp": 14,
    "ipt-c2": 15, "ycgco-re": 16, "ycgco-ro": 17,
  ]
}

extension ColorMatrix {
  /// The matrix with an H.273 number; `nil` if frames with this matrix cannot be read.
  init?(code: Int) {
    switch code {
    case 1: self = .bt709
    case 5, 6: self = .bt601
    case 9: self = .bt2020
    default: return nil
    }
  }

  /// The matrix's number in new films.
  var code: Int {
    switch self {
    case .bt601: 6
    case .bt709: 1
    case .bt2020: 9
    }
  }
}
