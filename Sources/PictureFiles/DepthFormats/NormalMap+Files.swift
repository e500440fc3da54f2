import DepthBase
import DepthErrors
public import DepthImages
public import SystemEssentials

/// The file formats of normal maps.
///
/// ```swift
/// let bytes = try normals.encoded(as: .npy)  // height × width × 3 floats
/// ```
public enum NormalFileFormat: String, Hashable, Sendable, CaseIterable {
  /// Colors `(n + 1) / 2`, with alpha 0 for no normal. The text `depth:normal-frame` records the axes.
  case png
  /// 32-bit floats of shape `(height, width, 3)`, with NaN for no normal. A comment in the header records the
  /// axes.
  case npy
  /// 32-bit floats in the channels `N.X`, `N.Y` and `N.Z` of an OpenEXR file, with NaN for no normal. The
  /// attribute `depth:normal-frame` records the axes.
  case exr

  /// The format of a file name's extension, in upper or lower case.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat`.
  public init(extensionOf url: URL) throws {
    try self.init(extensionOf: url, among: Self.allCases)
  }
}

extension NormalMap {
  /// The keyword of the text that records a file's axes.
  static let frameKeyword = "depth:normal-frame"

  /// Writes a file atomically, in the format of its extension: `.png`, `.npy` or `.exr`.
  ///
  /// - Parameters:
  ///   - url: The file; its extension may be in upper or lower case.
  ///   - frame: The axes of the normals in the file.
  ///   - is16Bit: Whether a PNG has 16 bits per sample instead of 8.
  ///   - overwrite: Whether an existing file may be replaced.
  /// - Throws: `DepthError`. No partial file is left.
  public func write(
    to url: URL, frame: Frame = .opencv, is16Bit: Bool = false, overwrite: Bool = true
  ) throws {
    let format = try NormalFileFormat(extensionOf: url)
    try AtomicFile.write(
      encoded(as: format, frame: frame, is16Bit: is16Bit), to: url, overwrite: overwrite)
  }

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - format: Format of the file.
  ///   - frame: The axes of the normals in the file.
  ///   - is16Bit: Whether a PNG has 16 bits per sample instead of 8.
  ///   - software: Name and version of the program that writes the file; `nil` for none.
  ///   - compression: Speed and size of a PNG's compression.
  ///   - threads: Threads to use, 1…256; `nil` for one per processor. The bytes do not depend on the number.
  /// - Throws: `DepthError` with code `unsupportedFormat` if the map is too large for the format.
  public func encoded(
    as format: NormalFileFormat, frame: Frame = .opencv, is16Bit: Bool = false,
    software: String? = nil, compression: PNGCompression = .default, threads: Int? = nil
  ) throws -> [UInt8] {
    switch format {
    case .png:
      return try PNGWriter(
        height: height, width: width, layout: is16Bit ? .rgba16 : .rgba8, compression: compression
      ).file(
        chunks: PNGChunks.text(Self.frameKeyword, frame.rawValue) + PNGChunks.software(software),
        threads: ThreadCount.checked(threads)
      ) { samples(of: $0, in: frame, is16Bit: is16Bit) }
    case .npy:
      let grid = FloatGrid(height: height, width: 3 * width, values: values(in: frame))
      return NPY.encode(
        grid, shape: [height, width, 3], comment: "# normals: \(frame.rawValue), \(frame.axes)")
    case .exr:
      return try EXR.encode(
        [], (height, width), normals: (self, frame),
        texts: software.map { [(DepthFileMetadata.Keyword.software, $0)] } ?? [],
        threads: ThreadCount.checked(threads))
    }
  }

  /// A component of a pixel's normal along a frame's axes; NaN for no normal.
  @inline(__always)
  func number(at pixel: Int, _ axis: Int, in frame: Frame) -> Float {
    guard hasNormal(pixel) else { return .nan }
    let value = values[3 * pixel + axis]
    return axis > 0 && frame == .opengl ? -value : value
  }

  /// ``values`` along a frame's axes, NaN for no normal.
  package func values(in frame: Frame) -> [Float] {
    (0..<values.count).map { number(at: $0 / 3, $0 % 3, in: frame) }
  }

  private func hasNormal(_ pixel: Int) -> Bool {
    values[3 * pixel] != 0 || values[3 * pixel + 1] != 0 || values[3 * pixel + 2] != 0
  }

  /// Red, green, blue and alpha of some rows; 16-bit samples are big-endian.
  private func samples(of rows: Range<Int>, in frame: Frame, is16Bit: Bool) -> [UInt8] {
    let (pixels, largest) = (
      rows.lowerBound * width..<rows.upperBound * width, is16Bit ? 65535 : 255
    )
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * pixels.count * (is16Bit ? 2 : 1))
    func append(_ sample: Int) {
      if is16Bit { bytes.append(UInt8(sample >> 8)) }
      bytes.append(UInt8(truncatingIfNeeded: sample))
    }
    for pixel in pixels {
      let isKnown = hasNormal(pixel)
      for axis in 0..<3 {
        let share = isKnown ? (number(at: pixel, axis, in: frame) + 1) / 2 : 0
        append(Int((min(max(share, 0), 1) * Float(largest)).rounded()))
      }
      append(isKnown ? largest : 0)
    }
    return bytes
  }
}
