package import DepthBase
import DepthErrors
public import DepthImages
public import SystemEssentials

extension DepthMap {
  /// Reads a depth file: PNG, PFM, NumPy array or archive, or a gray JPEG. OpenEXR is write only.
  ///
  /// The content determines the format. The Exif orientation of a PNG or JPEG is applied.
  ///
  /// - Parameters:
  ///   - url: A file, a named pipe or `/dev/stdin`.
  ///   - unit: Unit of the map. PNGs and NumPy archives of this library record the unit, and floats are metres by default.
  ///     Other PNGs, JPEGs and integer arrays require this argument. In metres and disparity, 0 means no value.
  ///   - scale: The map's value for a stored 1: `0.001` for millimetres, `1 / 5000` for a depth PNG of TUM RGB-D. The default
  ///     is the file's scale. If the file has none, the default is 1 for metres and floats, and the reciprocal of the type's
  ///     maximum for integers with other units. For integers, a scale also requires `unit`.
  ///   - key: Name of the array in a NumPy archive; by default `depth`, `depthmap`, `arr_0` or `predicted_depth`.
  ///   - limits: The largest accepted map.
  /// - Throws: `DepthError`; code `unknownUnit` if the unit is missing, or if file and caller contradict each other. For a
  ///   NumPy archive, the caller's unit takes precedence.
  public init(
    contentsOf url: URL, unit: Unit? = nil, scale: Double? = nil, key: String? = nil,
    limits: ImageLimits = ImageLimits()
  ) throws {
    try self.init(
      decoding: Self.fileBytes(of: url), name: url.relativePath, unit: unit, scale: scale,
      key: key, limits: limits)
  }

  /// Reads a depth file in memory, called `name` in errors.
  ///
  /// - Throws: `DepthError`; see ``init(contentsOf:unit:scale:key:limits:)``.
  public init(
    decoding bytes: [UInt8], name: String = "the depth map", unit: Unit? = nil,
    scale: Double? = nil, key: String? = nil, limits: ImageLimits = ImageLimits()
  ) throws {
    try self.init(
      decoding: bytes, name: name, stored: unit.map { StoredUnit(unit: $0, scale: scale) },
      scale: scale, key: key, limits: limits)
  }

  init(
    decoding bytes: [UInt8], name: String, stored given: StoredUnit?, scale: Double?,
    key: String?, limits: ImageLimits
  ) throws {
    try Self.requireDepthFile(bytes, name: name)
    let (grid, signature): (FloatGrid, FileSignature)
    signature = FileSignature(of: bytes)
    if let key, signature != .npz {
      throw DepthError.unsupportedFormat(
        file: name, expected: "a NumPy archive with the array '\(key)'",
        found: signature.description)
    }
    switch signature {
    case .png:
      self = try DepthMap(png: bytes, unit: given, file: name, limits: limits)
      return
    case .pfm: grid = try PFM.decode(bytes, file: name, limits: limits)
    case .npy: grid = try NPY.decode(bytes, file: name, limits: limits)
    case .npz:
      grid = try NPZ.decode(
        bytes, file: name, key: key, isUnitGiven: given != nil, limits: limits
      ).grid
    case .exr: throw Self.noDepthFile(name, found: "an OpenEXR picture, which is written only")
    case .jpeg:
      let image = try Image(decoding: bytes, name: name, limits: limits)
      grid = FloatGrid(
        height: image.height, width: image.width,
        values: try DepthMap.gray(image.pixels, .rgb8, file: name).map { Float($0) },
        integerMaximum: 255)
    case let other: throw Self.noDepthFile(name, found: other.description)
    }
    self.init(grid, try Self.unit(of: grid, given: given, scale: scale, file: name))
  }

  /// Reads a depth file in memory, such as the body of a request, called `name` in errors.
  ///
  /// - Throws: `DepthError`; see ``init(contentsOf:unit:scale:key:limits:)``.
  public init(
    decoding data: Data, name: String = "the depth map", unit: Unit? = nil, scale: Double? = nil,
    key: String? = nil, limits: ImageLimits = ImageLimits()
  ) throws {
    try self.init(
      decoding: [UInt8](data), name: name, unit: unit, scale: scale, key: key, limits: limits)
  }

  /// The unit from the file or the caller; by default, floats are metres.
  static func unit(
    of grid: FloatGrid, given: StoredUnit?, scale: Double? = nil, file: String
  ) throws -> StoredUnit {
    if var stated = grid.stated {
      stated.scale = stated.scale ?? scale ?? given?.scale
      if let given, !stated.agrees(with: given) {
        throw DepthError.unitMismatch(file: file, expected: given.phrase, found: stated.phrase)
      }
      return stated
    }
    let floats = grid.integerMaximum == nil ? StoredUnit(unit: .metres, scale: scale ?? 1) : nil
    guard let stored = given ?? floats else { throw DepthMap.unknownUnit(file) }
    return stored
  }

  /// The bytes of a file that may be a depth map.
  static func fileBytes(of url: URL) throws -> [UInt8] {
    try InputFile.bytes(of: url) { try requireDepthFile($0, name: $1) }
  }

  /// - Throws: `DepthError` with code `unsupportedFormat` if the first bytes are not those of a depth map.
  private static func requireDepthFile(_ start: [UInt8], name: String) throws {
    if case .other(let found) = FileSignature(of: start) { throw noDepthFile(name, found: found) }
  }

  private static func noDepthFile(_ name: String, found: String) -> DepthError {
    .unsupportedFormat(
      file: name, expected: "a depth map (PNG, PFM, NumPy array or archive)", found: found)
  }

  /// Writes a file atomically, in the format of its extension: `.png`, `.pfm`, `.npy`, `.npz` or `.exr`.
  ///
  /// ``encoded(as:metadata:compression:)`` describes the precision of each format.
  ///
  /// - Parameters:
  ///   - url: The file; its extension may be in upper or lower case.
  ///   - metadata: Metadata of a PNG or OpenEXR file.
  ///   - compression: Speed and size of a PNG's compression.
  ///   - overwrite: Whether an existing file may be replaced.
  /// - Throws: `DepthError`. No partial file is left.
  public func write(
    to url: URL, metadata: DepthFileMetadata = .init(), compression: PNGCompression = .default,
    overwrite: Bool = true
  ) throws {
    let format = try DepthFileFormat(extensionOf: url)
    try AtomicFile.write(
      encoded(as: format, metadata: metadata, compression: compression), to: url,
      overwrite: overwrite)
  }

  /// The bytes of a depth file.
  ///
  /// PNG and NumPy archives record the unit. PNG stores metres from 1 mm to 65.535 m to the nearest millimetre, and clamps
  /// other values. PNG stores other units to within half of 1/65534 of the map's range.
  ///
  /// PFM, `.npy` and OpenEXR store metres and relative disparity without loss, and NaN for pixels without a value. Relative
  /// disparity is marked. Other units, which programs would read as metres, are rejected. Convert disparity with `inMetres()`
  /// first.
  ///
  /// - Parameters:
  ///   - format: Format of the file.
  ///   - metadata: Metadata of a PNG or OpenEXR file; PFM, `.npy` and `.npz` files have none.
  ///   - compression: Speed and size of a PNG's compression.
  /// - Throws: `DepthError` with code `unsupportedFormat` if the map is too large for the
  ///   format or has a unit that the format cannot store.
  public func encoded(
    as format: DepthFileFormat, metadata: DepthFileMetadata = .init(),
    compression: PNGCompression = .default
  ) throws -> [UInt8] {
    try encoded(
      as: format, metadata: metadata, compression: compression,
      call: CallContext(threads: ThreadCount.checked(nil)))
  }

  /// - Parameters:
  ///   - normals: Normals for an OpenEXR file or a NumPy archive.
  ///   - call: Can be cancelled between strips of a PNG.
  package func encoded(
    as format: DepthFileFormat, metadata: DepthFileMetadata = .init(),
    compression: PNGCompression = .default,
    normals: GivenNormals? = nil, call: CallContext
  ) throws -> [UInt8] {
    try format.check(unit)
    try call.cancellation?.check()
    let threads = call.threads
    let grid = FloatGrid(
      height: height, width: width, values: values, isPositive: unit == .metres)
    return switch format {
    case .png:
      try png(
        metadata: metadata, compression: compression, threads: threads,
        cancellation: call.cancellation)
    case .pfm: PFM.encode(grid, isRelative: unit == .relativeDisparity)
    case .npy:
      NPY.encode(
        grid, comment: unit == .relativeDisparity ? NPYHeader.relativeComment : "")
    case .npz:
      try archive(normals: normals).gathered()
    case .exr:
      try EXR.encode(
        grid, metadata: described(metadata, range: valueRange(threads: threads)),
        normals: normals.map { (map: try $0.make(), frame: $0.frame) }, threads: threads)
    }
  }

  /// The metadata with the map's unit, and with its range if no range is given.
  func described(_ metadata: DepthFileMetadata, range: ValueRange?) -> DepthFileMetadata {
    var metadata = metadata
    metadata.unit = unit
    guard unit.isMetric, let range else { return metadata }
    let (low, high) = (Double(range.low), Double(range.high))
    metadata.near = metadata.near ?? (unit == .metres ? low : 1 / high)
    metadata.far = metadata.far ?? (unit == .metres ? high : 1 / low)
    return metadata
  }

  /// Creates a map from stored numbers; see ``init(contentsOf:unit:scale:key:limits:)``.
  init(_ grid: FloatGrid, _ stored: StoredUnit) {
    var values = grid.values
    if let scale = stored.scale {
      if scale != 1 { values = scaled(values, by: scale) }
    } else if let maximum = grid.integerMaximum, stored.unit != .metres {
      values = values.map { $0 / maximum }
    }
    if stored.isReciprocal { values = values.map { $0 > 0 ? 1 / $0 : .nan } }
    self.init(height: grid.height, width: grid.width, unit: stored.unit, values: values)
  }

  static func unknownUnit(_ file: String) -> DepthError {
    .unknownUnit(file: file, options: StoredUnit.names)
  }
}
