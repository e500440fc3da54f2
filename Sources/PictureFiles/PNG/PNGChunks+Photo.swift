import DepthBase
import DepthErrors

/// Corrections for cases in which libpng's simplified interface deviates from the format.
extension PNGChunks {
  /// The pixels of a photo, sRGB, `height × width × 3`.
  ///
  /// Transparent pixels are drawn over white, as in most viewers; their stored color is not meant to be visible.
  ///
  /// - Throws: `DepthError` with code `damaged`.
  func photoPixels(file: String) throws -> [UInt8] {
    if let conversion = conversion(bits: bitDepth == 16 ? 16 : 8) {
      return try pixels(convertedBy: conversion, file: file)
    }
    // `cICP`, `iCCP` and `sRGB` take precedence over `gAMA`.
    let isOverridden =
      hasOtherGamma && (data(of: "sRGB") != nil || coding != nil || iccProfile != nil)
    let isKept: (String) -> Bool = { !isOverridden || $0 != "gAMA" }
    if hasAlpha {
      let pixels = try samples(
        as: PNGPixels.Layout(hasColor: true, hasAlpha: true), of: UInt8.self,
        isWhole: !isOverridden, keeping: isKept, file: file)
      // If pixels are transparent, libpng rounds 16 bits differently.
      let isOpaque = bitDepth == 16 && Self.isOpaque(pixels)
      if !isOpaque { return Self.overWhite(pixels) }
    }
    return try samples(
      as: .rgb8, of: UInt8.self, isWhole: !isOverridden, keeping: isKept, file: file)
  }

  private static func isOpaque(_ pixels: [UInt8]) -> Bool {
    let pixels = pixels.span
    for place in stride(from: 3, to: pixels.count, by: 4) where pixels[place] < 255 { return false }
    return true
  }

  /// Composites RGBA over white. Like in browsers, coded values are mixed instead of light.
  private static func overWhite(_ pixels: [UInt8]) -> [UInt8] {
    filledArray(count: pixels.count / 4 * 3) { out in
      let pixels = pixels.span
      var from = 0
      for to in stride(from: 0, to: out.count, by: 3) {
        let opacity = Int(pixels[from + 3])
        for channel in 0..<3 {
          let color = (Int(pixels[from + channel]) * opacity + 127) / 255
          out[to + channel] = UInt8(min(255, color + 255 - opacity))
        }
        from += 4
      }
    }
  }

  /// The coding in `cICP`, which takes precedence over other color chunks; `nil` if the chunk is missing or leaves both
  /// primaries and transfer unspecified.
  ///
  /// > Source: W3C PNG (Third Edition), sections 4.3, 11.3.2.6 (`cICP`) and 11.3.2.8 (`cLLI`).
  private var coding: ColorCoding? {
    guard let data = data(of: "cICP"), data.count == 4, data[2] == 0,
      data[0] != ColorCoding.unspecified || data[1] != ColorCoding.unspecified
    else { return nil }
    let light = self.data(of: "cLLI").flatMap {
      ByteReader(bytes: $0).integer(UInt32.self, at: 0)
    }
    return ColorCoding(
      primaries: Int(data[0]), transfer: Int(data[1]), isFullRange: data[3] != 0,
      brightest: Double(light ?? 0) / 10_000)
  }

  /// The coding, if the numbers must be converted to sRGB.
  var convertedCoding: ColorCoding? { coding.flatMap { $0.needsConversion ? $0 : nil } }

  /// The applicable profile.
  private var iccProfile: [UInt8]? { coding == nil ? ICCProfile.profile(of: self) : nil }

  /// The profile of the pixels from ``photoPixels(file:)``; `nil` if the pixels are sRGB.
  var pixelProfile: [UInt8]? { conversion(bits: 8) == nil ? iccProfile : nil }

  /// The conversion of numbers that are not sRGB, by `cICP` or by a gray profile.
  private func conversion(bits: Int) -> ColorConversion? {
    if let coding = convertedCoding { return coding.conversion(bits: bits) }
    return hasColor ? nil : iccProfile.flatMap { ICCProfile.grayConversion(by: $0, bits: bits) }
  }

  /// The pixels of a file whose numbers are not sRGB, read with all bits.
  private func pixels(convertedBy conversion: ColorConversion, file: String) throws -> [UInt8] {
    // Without color chunks, libpng leaves the numbers unchanged.
    let isKept: (String) -> Bool = { ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].contains($0) }
    var layout = PNGPixels.Layout(hasColor: true, hasAlpha: hasAlpha)
    guard bitDepth == 16 else {
      return conversion.bytes(
        of: try samples(as: layout, of: UInt8.self, keeping: isKept, file: file),
        channels: layout.channels)
    }
    layout.is16Bit = true
    // libpng multiplies 16-bit colors by opacity.
    return conversion.bytes(
      of: try samples(as: layout, of: UInt16.self, keeping: isKept, file: file),
      channels: layout.channels, isPremultiplied: true)
  }

  /// Bytes per pixel during ``photoPixels(file:)``, including the result.
  var decodingBytesPerPixel: Double {
    let isConverted = conversion(bits: 8) != nil
    let sample = isConverted && bitDepth == 16 ? 2 : 1
    // An interlaced file with 16-bit samples is inflated, and each pass is recompressed for libpng.
    return (needsOrder ? 3 * Double(pixelBytes) : 0) + 3
      + (hasAlpha || isConverted ? Double(sample * (hasAlpha ? 4 : 3)) : 0)
  }

  private func samples<Sample: FixedWidthInteger & BitwiseCopyable>(
    as layout: PNGPixels.Layout, of _: Sample.Type, isWhole: Bool = false,
    keeping isKept: (_ type: String) -> Bool, file: String
  ) throws -> [Sample] {
    if needsOrder { return try passSamples(as: layout, keeping: isKept, file: file) }
    return try PNGPixels.decode(
      isWhole ? bytes : rebuilt(keeping: isKept), as: layout, of: Sample.self, file: file)
  }

  /// Whether the file has a `gAMA` value other than sRGB's.
  ///
  /// > Source: W3C PNG (Third Edition), section 4.3, “Color spaces”.
  private var hasOtherGamma: Bool {
    guard let gamma = data(of: "gAMA") else { return false }
    let value = ByteReader(bytes: gamma).integer(UInt32.self, at: 0) ?? 0
    return !(45_000...46_000).contains(value)
  }

  /// Whether each pass must be read as a separate picture.
  ///
  /// Since version 1.6.51, libpng's simplified interface returns wrong rows for interlaced 16-bit samples. Earlier versions
  /// overran a buffer (CVE-2025-65018).
  var needsOrder: Bool { bitDepth == 16 && isInterlaced }

  /// Stored bytes per pixel.
  var pixelBytes: Int { channels * bitDepth / 8 }

  /// The pixels of an interlaced file. Each of the seven passes has the pixels at regular steps from (x, y). The filtered rows
  /// are stored pass by pass.
  ///
  /// > Source: W3C PNG (Third Edition), section 8, “Interlacing and pass extraction”.
  private func passSamples<Sample: FixedWidthInteger & BitwiseCopyable>(
    as layout: PNGPixels.Layout, keeping isKept: (_ type: String) -> Bool, file: String
  ) throws -> [Sample] {
    guard Codecs.areAvailable else { throw DepthError.withoutCodecs(format: "PNG", file: file) }
    let passes = [
      (x: 0, y: 0, stepX: 8, stepY: 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4),
      (1, 0, 2, 2), (0, 1, 1, 2),
    ].compactMap { pass in
      let columns = Array(stride(from: pass.x, to: width, by: pass.stepX))
      let rows = Array(stride(from: pass.y, to: height, by: pass.stepY))
      return columns.isEmpty || rows.isEmpty ? nil : (columns, rows)
    }
    func byteCount(_ columns: [Int], _ rows: [Int]) -> Int {
      rows.count * (1 + columns.count * pixelBytes)
    }
    guard
      let filtered = Deflate.decompressed(
        pixelStream[...], count: passes.reduce(0) { $0 + byteCount($1.0, $1.1) })
    else {
      throw DepthError.damaged(
        file: file, format: "PNG", reason: "its compressed pixels are damaged or incomplete")
    }
    let channels = layout.channels
    var samples = [Sample](repeating: 0, count: height * width * channels)
    var start = 0
    for (columns, rows) in passes {
      let end = start + byteCount(columns, rows)
      let decoded = try PNGPixels.decode(
        picture(filtered[start..<end], columns.count, rows.count, keeping: isKept), as: layout,
        of: Sample.self, file: file)
      var target = samples.mutableSpan
      let source = decoded.span
      var from = 0
      for y in rows {
        for x in columns {
          for channel in 0..<channels {
            target[(y * width + x) * channels + channel] = source[from + channel]
          }
          from += channels
        }
      }
      start = end
    }
    return samples
  }

  /// File of one pass. Compression is fast, since the file is unpacked at once.
  private func picture(
    _ filtered: ArraySlice<UInt8>, _ columns: Int, _ rows: Int, keeping isKept: (String) -> Bool
  ) throws -> [UInt8] {
    var stream = try Deflate.compressed(Array(filtered), by: .runs)[...]
    var result = Self.signature
    for chunk in chunks where isKept(chunk.type) {
      switch chunk.type {
      case "IHDR":
        let size = [UInt8](bigEndian: UInt32(columns)) + [UInt8](bigEndian: UInt32(rows))
        result += Self.chunk("IHDR", size + bytes[chunk.data].dropFirst(8).dropLast() + [0])
      case "IDAT":
        // libpng rejects a chunk that is longer than its estimate for the rows.
        while !stream.isEmpty {
          result += Self.chunk("IDAT", Array(stream.prefix(1 << 20)))
          stream = stream.dropFirst(1 << 20)
        }
      default: result += bytes[chunk.data.lowerBound - 8..<chunk.end]
      }
    }
    return result
  }
}
