import DepthImages

/// The way from a film's colors to luma and chroma by a matrix that frames are read by.
enum SourceMatrix: Equatable {
  /// Nothing is said.
  case untagged
  case known(ColorMatrix)
  /// ffmpeg's own scaler converts to BT.709.
  case scaled
  /// The filter zscale converts.
  case converted(Int)
  /// Nothing converts.
  case unknown

  /// - Parameter isMixed: Whether frames have to become luma and chroma.
  init(_ tags: ColorTags, isMixed: Bool, _ tools: FFmpeg) {
    guard !isMixed else {
      self = .scaled
      return
    }
    guard let code = tags.matrix else {
      self = tags.lacksMatrix ? .unknown : .untagged
      return
    }
    self =
      if let known = ColorMatrix(code: code) {
        .known(known)
      } else if [4, 7].contains(code) {
        .scaled
      } else if [8, 10, 12, 13, 14].contains(code), tools.filters.contains("zscale") {
        .converted(code)
      } else {
        .unknown
      }
  }

  /// The matrix of the frames that are read; `nil` for the one that is assumed.
  var matrix: ColorMatrix? {
    switch self {
    case .untagged, .unknown: nil
    case .known(let matrix): matrix
    case .scaled, .converted: .bt709
    }
  }

  var isConverted: Bool {
    switch self {
    case .scaled, .converted: true
    default: false
    }
  }

  /// - Parameter format: The format that frames are read in.
  func filters(to format: String, _ tags: ColorTags) -> [String] {
    switch self {
    case .untagged, .known: return []
    case .scaled: return ["scale=out_color_matrix=bt709:out_range=tv", "format=\(format)"]
    case .converted(let code):
      let (transfer, primaries) = Self.light(of: code, tags)
      let range = tags.range == .full ? "full" : "limited"
      return [
        "zscale=min=\(code):tin=\(transfer):pin=\(primaries):rin=\(range)"
          + ":m=1:t=\(transfer):p=\(primaries):r=limited", "format=\(format)",
      ]
    // Newer versions refuse to convert frames with such a tag, even to other bits.
    case .unknown: return ["setparams=colorspace=bt709"]
    }
  }

  /// Transfer and primaries by which the filter converts. Matrices of constant luminance, and ICtCp, are defined by them, and the
  /// filter knows no others; for the rest, any will do.
  private static func light(
    of code: Int, _ tags: ColorTags
  ) -> (transfer: Int, primaries: Int) {
    let transfer = tags.transfer.flatMap { [12, 17].contains($0) ? nil : $0 } ?? 14
    let primaries = tags.primaries.flatMap { $0 == 10 ? nil : $0 } ?? 9
    return switch code {
    case 10: (14, 9)
    case 13: (transfer, primaries)
    case 14: (tags.transfer == 18 ? 18 : 16, 9)
    default: (1, primaries)
    }
  }

  /// The note on a matrix that nothing converts.
  func note(named name: String?) -> String? {
    guard self == .unknown, let name else { return nil }
    return "has the color matrix \(name), which ffmpeg does not convert; its colors may be wrong"
  }
}
