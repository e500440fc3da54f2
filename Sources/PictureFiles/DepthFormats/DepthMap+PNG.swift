import DepthBase
import DepthErrors
import DepthImages

/// Depth maps as gray PNG.
extension DepthMap {
  /// The bytes of a 16-bit PNG that records the unit.
  ///
  /// Metres become whole millimetres 1…65 535, and larger distances become 65.535 m. Other units are spread over the
  /// samples, and the scale is stored. Near is white unless the map is normalized otherwise. 0 is no value.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` when the map is too large.
  func png(
    metadata: DepthFileMetadata, compression: PNGCompression, threads: Int,
    cancellation: Cancellation? = nil
  ) throws -> [UInt8] {
    let range = valueRange(threads: threads)
    let scale = SampleScale(for: unit, range: range)
    var chunks = described(metadata, range: range).chunks
    if unit != .metres {
      chunks += PNGChunks.text(DepthFileMetadata.Keyword.offset, "\(scale.offset)")
      chunks += PNGChunks.text(DepthFileMetadata.Keyword.scale, "\(scale.scale)")
    }
    return try PNGWriter(
      height: height, width: width, layout: .gray16, compression: compression
    ).file(
      chunks: chunks, threads: threads, cancellation: cancellation,
      making: { bigEndianSamples(scale, rows: $0) })
  }

  /// Samples of some rows, two bytes per pixel, most significant first; 0 for no value.
  func bigEndianSamples(
    _ scale: SampleScale, rows: Range<Int>, isa: InstructionSet = .current
  ) -> [UInt8] {
    let kernels = PNGKernels(isa)
    return filledArray(count: 2 * width * rows.count) { bytes in
      kernels.samples16(
        of: values.span.extracting(rows.lowerBound * width..<rows.upperBound * width),
        positive: unit.isMetric, offset: scale.offset, step: scale.scale, into: &bytes)
    }
  }

  /// Reads a gray PNG whose unit is specified by the file or the caller. The Exif orientation is applied.
  ///
  /// - Throws: `DepthError` with code `damaged`, `unsupportedFormat` or `unknownUnit`.
  init(png bytes: [UInt8], unit given: StoredUnit?, file: String, limits: ImageLimits) throws {
    let chunks = try PNGChunks(bytes, file: file, limits: limits)
    self = try DepthMap(chunks, unit: given, file: file, limits: limits)
      .upright(Orientation(exif: chunks.exif))
  }

  /// Creates the map in its stored orientation.
  private init(
    _ chunks: PNGChunks, unit given: StoredUnit?, file: String, limits: ImageLimits
  ) throws {
    try limits.check(MemoryNeed(.depthFile, pixels: chunks.width * chunks.height), for: file)
    let texts = chunks.texts
    let stated = DepthFileMetadata.storedUnit(texts)
    if let given, let stated, !stated.agrees(with: given) {
      throw DepthError.unitMismatch(file: file, expected: given.phrase, found: stated.phrase)
    }
    guard let stored = stated ?? given else { throw DepthMap.unknownUnit(file) }
    let (samples, maximum) = try DepthMap.graySamples(chunks, file: file)
    let grid = FloatGrid(
      height: chunks.height, width: chunks.width, values: floats(samples),
      integerMaximum: Float(maximum))
    guard let stated, stated.unit != .metres, maximum == .max,
      let offset = texts[DepthFileMetadata.Keyword.offset].flatMap({ Double($0) }),
      let step = texts[DepthFileMetadata.Keyword.scale].flatMap({ Double($0) }),
      offset.isFinite, step.isFinite, step >= 0
    else {
      self.init(grid, stored)
      return
    }
    let scale = SampleScale(offset: offset, scale: step)
    let none = stated.unit.missingValue
    self.init(
      height: grid.height, width: grid.width, unit: stated.unit,
      values: samples.map { $0 == 0 ? none : scale.value($0) })
  }

  /// Gray samples exactly as stored, and the maximum of their type.
  ///
  /// Equal color channels and opaque alpha are accepted, since many programs write depth in this form.
  private static func graySamples(
    _ chunks: PNGChunks, file: String
  ) throws -> (samples: [UInt16], maximum: UInt16) {
    // Without color chunks, libpng returns stored samples. With color chunks, libpng converts them.
    let bare = chunks.rebuilt { ["IHDR", "PLTE", "IDAT", "IEND"].contains($0) }
    let layout = PNGPixels.Layout(
      hasColor: chunks.hasColor, hasAlpha: chunks.colorType & 4 != 0,
      is16Bit: chunks.bitDepth == 16)
    guard layout.is16Bit else {
      let samples = try PNGPixels.decode(bare, as: layout, of: UInt8.self, file: file)
      return (try gray(samples, layout, file: file).map(UInt16.init), 255)
    }
    let samples = try PNGPixels.decode(bare, as: layout, of: UInt16.self, file: file)
    return (try gray(samples, layout, file: file), .max)
  }

  /// The first channel, if all colors agree and every pixel is opaque.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` for a color picture or transparency.
  static func gray<Sample: FixedWidthInteger>(
    _ samples: [Sample], _ layout: PNGPixels.Layout, file: String
  ) throws -> [Sample] {
    let channels = layout.channels
    guard channels > 1 else { return samples }
    func unsupported(_ found: String) -> DepthError {
      .unsupportedFormat(file: file, expected: "gray depth values", found: found)
    }
    return try stride(from: 0, to: samples.count, by: channels).map { start in
      let value = samples[start]
      if layout.hasColor, samples[start + 1] != value || samples[start + 2] != value {
        throw unsupported("a color picture")
      }
      if layout.hasAlpha, samples[start + channels - 1] != .max {
        throw unsupported("a picture with transparency")
      }
      return value
    }
  }
}
