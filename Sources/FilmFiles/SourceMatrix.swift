import DepthImages

/// The conversion of a film's colors to luma and chroma with a supported matrix.
enum SourceMatrix: Equatable {
  /// There is no tag.
  case untagged
  case known(ColorMatrix)
  /// ffmpeg's own scaler converts to BT.709.
  case scaled
  /// The filter zscale converts.
  case converted(Int)
  /// No conversion is available.
  case unknown

  /// - Parameter isMixed: Whether frames must be converted to luma and chroma.
  init(_ tags: ColorTags, isMixed: Bool, _ tools: FFmpeg) throws {
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
      } else if [8, 10, 12, 13, 14].contains(code), try tools.hasFilter("zscale") {
        .converted(code)
      } else {
        .unknown
      }
  }

  /// The matrix of the frames as read; `nil` for an assumed matrix.
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

  /// - Parameter format: The sample format in which frames are read.
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
    // Newer versions of ffmpeg refuse any conversion of frames with such a tag, even to another bit depth.
    case .unknown: return ["setparams=colorspace=bt709"]
    }
  }

  /// Transfer and primaries for the zscale filter.
  ///
  /// Matrices of constant luminance and ICtCp depend on transfer and primaries, and the filter accepts only the defined
  /// combination. For other matrices, any values work.
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

  /// The note on a matrix without a conversion.
  func note(named name: String?) -> String? {
    guard self == .unknown, let name else { return nil }
    return "has the color matrix \(name), which ffmpeg does not convert; its colors may be wrong"
  }
}
