import AtomicFiles
import DepthErrors
public import DepthImages

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DepthMap {
  /// Reads a depth file: PNG, PFM or NumPy, or a grey JPEG, told apart by content.
  ///
  /// - Parameters:
  ///   - url: A file, a named pipe or `/dev/stdin`.
  ///   - unit: What the numbers mean. A PNG of ours says so itself; other PNGs, JPEGs and integer
  ///     arrays do not, and need it. Floats are metres unless told otherwise. Integers as
  ///     `.millimetre` or `.metre` count units; as `.disparity` or `.normalized` they are divided by
  ///     the largest integer of their type. In every integer unit but `.normalized`, 0 is no value.
  /// - Throws: ``DepthError``; ``DepthError`` with code `unknownUnit` when nobody says
  ///   what the numbers mean.
  public init(
    contentsOf url: URL, unit: DepthUnit? = nil, limits: ImageLimits = ImageLimits()
  ) throws {
    let bytes = try InputFile.bytes(of: url) { try Self.requireDepthFile($0, name: $1) }
    try self.init(decoding: bytes, name: url.relativePath, unit: unit, limits: limits)
  }

  /// Reads a depth file held in memory; `name` stands for it in errors.
  ///
  /// - Throws: ``DepthError``; see ``init(contentsOf:unit:)``.
  public init(
    decoding bytes: [UInt8], name: String, unit: DepthUnit? = nil,
    limits: ImageLimits = ImageLimits()
  ) throws {
    try Self.requireDepthFile(bytes, name: name)
    let grid: FloatGrid
    switch FileSignature(of: bytes) {
    case .png:
      self = try DepthMap(png: bytes, unit: unit, file: name, limits: limits)
      return
    case .pfm: grid = try PFM.decode(bytes, file: name, limits: limits)
    case .npy: grid = try NPY.decode(bytes, file: name, limits: limits)
    case .jpeg:
      let image = try Image(decoding: bytes, name: name, limits: limits)
      grid = FloatGrid(
        height: image.height, width: image.width,
        values: try DepthMap.gray(image.pixels, .rgb8, file: name).map { Float($0) },
        integerMaximum: 255)
    case .other(let found): throw Self.noDepthFile(name, found: found)
    }
    guard let unit = unit ?? (grid.integerMaximum == nil ? .metre : nil) else {
      throw DepthMap.unknownUnit(name)
    }
    self.init(grid, unit: unit)
  }

  /// - Throws: ``DepthError`` with code `unsupportedFormat` when a file that begins with
  ///   these bytes cannot be a depth map.
  private static func requireDepthFile(_ start: [UInt8], name: String) throws {
    if case .other(let found) = FileSignature(of: start) { throw noDepthFile(name, found: found) }
  }

  private static func noDepthFile(_ name: String, found: String) -> DepthError {
    .unsupportedFormat(file: name, expected: "a depth map (PNG, PFM or NumPy)", found: found)
  }

  /// Writes `.png`, `.pfm` or `.npy`, by the name's extension, atomically.
  ///
  /// See ``encoded(as:metadata:)`` for what each format keeps.
  ///
  /// - Throws: ``DepthError``; nothing is left behind then.
  public func write(
    to url: URL, metadata: DepthFileMetadata = .init(), overwrite: Bool = true
  ) throws {
    let format = try DepthFileFormat(extensionOf: url)
    try AtomicFile.write(
      encoded(as: format, metadata: metadata), to: url, overwrite: overwrite)
  }

  /// The bytes of a depth file.
  ///
  /// PNG keeps the unit and reads back as the same kind: metres within half a millimetre up to
  /// 65.535 m, where they saturate (and down to 1 mm, since 0 is no value); disparity and normalised
  /// values within half of 1/65534 of their range. PFM and NumPy keep every bit, of metres only: they
  /// cannot name a unit, since their readers know no other header than the standard one, and whoever
  /// reads such a file takes its numbers for metres. Convert disparity with `inMetres`.
  ///
  /// - Throws: ``DepthError`` with code `unencodable` where the format has no room, or cannot
  ///   say what the numbers mean.
  public func encoded(
    as format: DepthFileFormat, metadata: DepthFileMetadata = .init()
  ) throws -> [UInt8] {
    try format.check(kind)
    let grid = FloatGrid(height: height, width: width, values: values)
    return switch format {
    case .png: try png(metadata: metadata)
    case .pfm: PFM.encode(grid)
    case .npy: NPY.encode(grid)
    }
  }

  /// Numbers of that unit; see ``init(contentsOf:unit:)``.
  init(_ grid: FloatGrid, unit: DepthUnit) {
    let values: [Float]
    switch (unit, grid.integerMaximum) {
    case (.millimetre, _): values = grid.values.map { $0 / 1000 }
    case (.disparity, let maximum?), (.normalized, let maximum?):
      values = grid.values.map { $0 / maximum }
    default: values = grid.values
    }
    self.init(height: grid.height, width: grid.width, kind: unit.kind, values: values)
  }

  /// What stands for no value in a map of that kind.
  static func noValue(of kind: Kind) -> Float {
    if case .normalized = kind { .nan } else { 0 }
  }

  static func unknownUnit(_ file: String) -> DepthError {
    .unknownUnit(file: file, options: DepthUnit.names)
  }
}
