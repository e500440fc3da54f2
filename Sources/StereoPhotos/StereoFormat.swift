import DepthErrors
public import ViewSynthesis

/// A format of stereo pictures for one way to view them.
///
/// ```swift
/// let quilt = try photo.stereoFiles(as: .quilt(columns: 8, rows: 6), depth: depth)
/// ```
public enum StereoFormat: Sendable, Hashable {
  /// Two files, one for each eye's view.
  case leftRight
  /// The view of this eye alone.
  case left, right
  /// The left eye's view on the left.
  case sideBySide
  /// ``sideBySide`` with each view squeezed to half of its width.
  case sideBySideHalf
  /// The left eye's view on top.
  case overUnder
  /// ``overUnder`` with each view squeezed to half of its height.
  case overUnderHalf
  /// The left eye's view on the right, for viewing with crossed eyes.
  case crossEyed
  /// Both views superimposed in different colors, for glasses with colored filters.
  case anaglyph(Anaglyph)
  /// One picture whose rows are taken from the left view, the right view, the left view and so on, for polarizing
  /// screens.
  case rowInterleaved
  /// One picture whose columns are taken from the left view, the right view, the left view and so on.
  case columnInterleaved
  /// An animated PNG that goes from the left view to the right view and back, with ``StereoOutput/animationViews``
  /// views.
  case wiggle
  /// ``wiggle`` as an animated GIF of at most 256 colors.
  case wiggleGIF
  /// A multi-picture file: two JPEGs in one file, for 3D cameras and screens.
  case mpo
  /// A spatial photo for Apple's headset: a HEIC file with both views and their cameras. The format requires
  /// `StereoOptions.Amount.metric`, whose screen distance has no effect.
  case spatial
  /// A grid of `columns` × `rows` views in one picture, for lenticular and light-field screens. The leftmost view is at
  /// the bottom left, the rightmost view at the top right.
  case quilt(columns: Int, rows: Int)
  /// The hole masks of both views side by side. Pixels that the photo does not show are white, all other pixels black.
  case holeMask

  /// Every format. The quilt has 8 columns and 6 rows.
  package static let all: [StereoFormat] =
    [
      .leftRight, .left, .right, .sideBySide, .sideBySideHalf, .overUnder, .overUnderHalf,
      .crossEyed,
    ]
    + Anaglyph.allCases.map(StereoFormat.anaglyph)
    + [
      .rowInterleaved, .columnInterleaved, .wiggle, .wiggleGIF, .mpo, .spatial,
      .quilt(columns: 8, rows: 6), .holeMask,
    ]

  /// The format with this ``name``; `nil` for other text. `anaglyph` means the red–cyan anaglyph, `tab` and
  /// `tab-half` mean `tb` and `tb-half`, and `quilt` means a quilt with 8 columns and 6 rows.
  package init?(name: String) {
    let name = Self.aliases[name] ?? name
    guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
    self = format
  }

  private static let aliases = [
    "anaglyph": "anaglyph-red-cyan", "tab": "tb", "tab-half": "tb-half",
  ]

  /// The name on the command line, `quilt` for any number of columns and rows.
  package var name: String {
    switch self {
    case .leftRight: "left-right"
    case .left: "left"
    case .right: "right"
    case .sideBySide: "sbs"
    case .sideBySideHalf: "sbs-half"
    case .overUnder: "tb"
    case .overUnderHalf: "tb-half"
    case .crossEyed: "cross-eyed"
    case .anaglyph(let kind): "anaglyph-\(kind.rawValue)"
    case .rowInterleaved: "rows"
    case .columnInterleaved: "columns"
    case .wiggle: "wiggle"
    case .wiggleGIF: "gif"
    case .mpo: "mpo"
    case .spatial: "spatial"
    case .quilt: "quilt"
    case .holeMask: "holes"
    }
  }

  /// The suffix before the extension of a file's name, by which viewers recognize the format. For two
  /// files, the suffix of the left view comes first.
  ///
  /// - Parameter aspect: Width of one view divided by its height, which is part of a quilt's name.
  package func suffixes(aspect: Double) -> [String] {
    switch self {
    case .leftRight: ["_L", "_R"]
    case .left: ["_L"]
    case .right: ["_R"]
    case .sideBySide: ["_LRF_Full_SBS"]
    case .sideBySideHalf: ["_LR"]
    case .overUnder: ["_TBF_fulltb"]
    case .overUnderHalf: ["_TB"]
    case .crossEyed: ["_RLF_cross"]
    case .anaglyph(.redCyan): ["_redcyan_dubois"]
    case .anaglyph(.greenMagenta): ["_greenmagenta_dubois"]
    case .anaglyph(.amberBlue): ["_amberblue_dubois"]
    case .anaglyph(.halfColor): ["_redcyan_half"]
    case .anaglyph(.gray): ["_redcyan_gray"]
    case .anaglyph(.color): ["_redcyan_color"]
    case .rowInterleaved: ["_rows"]
    case .columnInterleaved: ["_columns"]
    case .wiggle, .wiggleGIF: ["_wiggle"]
    case .mpo: [""]
    case .spatial: ["_spatial"]
    case .quilt(let columns, let rows):
      ["_qs\(columns)x\(rows)a\(aspect.rounded(toDigits: 2))"]
    case .holeMask: ["_holes"]
    }
  }

  /// The only extension that the format can have; `nil` if both JPEG and PNG are possible.
  package var requiredExtension: String? {
    switch self {
    case .wiggle, .holeMask: "png"
    case .wiggleGIF: "gif"
    case .mpo: "mpo"
    case .spatial: "heic"
    // JPEG would mix rows or columns of the two views.
    case .rowInterleaved, .columnInterleaved: "png"
    default: nil
    }
  }
}

extension StereoFormat {
  /// Whether the format is a single still picture, as required for films.
  package var isOnePicture: Bool {
    switch self {
    case .leftRight, .wiggle, .wiggleGIF, .mpo, .spatial, .quilt: false
    default: true
    }
  }

  /// Whether neighboring pixels belong to different views and must not share chroma samples.
  package var mixesViews: Bool {
    switch self {
    case .anaglyph, .rowInterleaved, .columnInterleaved: true
    default: false
    }
  }
}
