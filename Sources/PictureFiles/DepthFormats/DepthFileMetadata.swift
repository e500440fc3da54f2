import DepthBase
public import DepthImages
public import SystemEssentials

/// The metadata of a depth file: `tEXt` chunks of a PNG, or attributes of an OpenEXR file.
///
/// | keyword | text |
/// |---|---|
/// | `depth:unit` | `millimetre` (in OpenEXR `metre`), `disparity`, `relative-disparity` or `normalized` |
/// | `depth:near-is` | `white` or `black`, for a normalized map |
/// | `depth:offset`, `depth:scale` | value = offset + scale · sample, for a PNG that is not in millimetres |
/// | `depth:near`, `depth:far` | nearest and farthest value, metres |
/// | `depth:weights-sha256` | the identifier of the weights (``weightsIdentifier``) |
/// | `Software` | the program that wrote the file |
///
/// PFM, `.npy` and `.npz` files have no metadata, but `.npz` files record their unit.
///
/// ```swift
/// let metadata = try DepthFileMetadata(contentsOf: url)
/// print(metadata.unit == .metres, metadata.weightsIdentifier ?? "")
/// ```
public struct DepthFileMetadata: Hashable, Sendable {
  /// Unit of the map. Writing ignores this field and stores the unit of the map, with metres as millimetres.
  public var unit: DepthMap.Unit?
  /// Name and version of the program that writes the file; `nil` for none.
  public var software: String?
  /// The identifier of the weights (`DepthEstimator.weightsIdentifier()`): 64 hexadecimal digits per weights file, joined by
  /// `+`, with suffixes such as `+mirrored` if the networks also estimated the mirrored photo.
  public var weightsIdentifier: String?
  /// Nearest and farthest depth, metres. If they are `nil`, the map's own depths are written.
  public var near, far: Double?

  /// Creates metadata from its parts; empty by default.
  public init(
    unit: DepthMap.Unit? = nil, software: String? = nil, weightsIdentifier: String? = nil,
    near: Double? = nil, far: Double? = nil
  ) {
    (self.unit, self.software, self.weightsIdentifier) = (unit, software, weightsIdentifier)
    (self.near, self.far) = (near, far)
  }

  /// Reads the fields of a file. All fields are `nil` for formats without metadata.
  ///
  /// - Throws: `DepthError` when the file cannot be read or is a damaged PNG or NumPy archive.
  public init(contentsOf url: URL) throws {
    try self.init(decoding: InputFile.bytes(of: url), name: url.relativePath)
  }

  /// Reads the fields of a file in memory.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: The file's name in errors.
  /// - Throws: `DepthError` with code `damaged` for a damaged PNG or NumPy archive.
  public init(decoding bytes: [UInt8], name: String) throws {
    if case .png = FileSignature(of: bytes) {
      self.init(texts: try PNGChunks(bytes, file: name).texts)
    } else if case .npz = FileSignature(of: bytes) {
      self.init(unit: try NPZ.storedUnit(bytes, file: name)?.unit)
    } else {
      self.init()
    }
  }

  enum Keyword {
    static let unit = "depth:unit"
    static let nearIs = "depth:near-is"
    static let offset = "depth:offset"
    static let scale = "depth:scale"
    static let near = "depth:near"
    static let far = "depth:far"
    static let weights = "depth:weights-sha256"
    static let software = "Software"
    static let all: Set = [unit, nearIs, offset, scale, near, far, weights, software]
  }

  init(texts: [String: String]) {
    self.init(
      unit: Self.storedUnit(texts)?.unit,
      software: texts[Keyword.software], weightsIdentifier: texts[Keyword.weights],
      near: texts[Keyword.near].flatMap { Double($0) },
      far: texts[Keyword.far].flatMap { Double($0) })
  }

  /// The unit in the text chunks.
  static func storedUnit(_ texts: [String: String]) -> StoredUnit? {
    let near = texts[Keyword.nearIs].flatMap(DepthMap.Polarity.init) ?? .white
    return texts[Keyword.unit].flatMap { StoredUnit(name: $0, near: near) }
  }

  /// The text chunks of these fields, in the order of the table above.
  var chunks: [UInt8] {
    texts(metres: .millimetre).flatMap { PNGChunks.text($0.name, $0.text) }
  }

  /// The texts of these fields, with `metres` as the stored unit of metres.
  func texts(metres: StoredUnit) -> [(name: String, text: String)] {
    let stored = unit == .metres ? metres : unit.map { StoredUnit(unit: $0) }
    var pairs: [(String, String?)] = [(Keyword.unit, stored?.name)]
    if case .normalized(let near) = unit { pairs.append((Keyword.nearIs, near.rawValue)) }
    pairs += [
      // Floats have the precision of the map's values: 0.7, not 0.699999988079071.
      (Keyword.near, near.map { "\(Float($0))" }), (Keyword.far, far.map { "\(Float($0))" }),
      (Keyword.weights, weightsIdentifier), (Keyword.software, software),
    ]
    return pairs.compactMap { name, text in text.map { (name, $0) } }
  }
}
