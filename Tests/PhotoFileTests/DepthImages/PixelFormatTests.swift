import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

/// Pictures from memory equal a simple reading of their layouts.
@Suite struct PixelFormatTests {
  struct Layout: CustomTestStringConvertible, Sendable {
    let format: PixelFormat
    let height, width, padding: Int
    var testDescription: String { "\(format.rawValue) \(width)×\(height), \(padding) beside rows" }

    var bytesPerRow: Int { Self.bytesPerRow(format, width) + padding }

    static func bytesPerRow(_ format: PixelFormat, _ width: Int) -> Int {
      switch format {
      case .rgb: width * 3
      case .rgba, .bgra: width * 4
      case .gray: width
      case .nv12: width + width % 2
      }
    }

    /// The number of bytes of all rows. The last row has no padding.
    var count: Int {
      let rows = if case .nv12 = format { height + (height + 1) / 2 } else { height }
      return (rows - 1) * bytesPerRow + Self.bytesPerRow(format, width)
    }

    var bytes: [UInt8] {
      let noise = CounterStream("layout")
      return (0..<count).map { UInt8(truncatingIfNeeded: noise[$0]) }
    }
  }

  static let layouts = PixelFormat.allCases.flatMap { format in
    [(1, 1), (2, 2), (3, 5), (6, 4), (17, 33)].flatMap { height, width in
      [0, 1, 7].map { Layout(format: format, height: height, width: width, padding: $0) }
    }
  }

  /// The pixel in `Double`, as the layout's documentation says.
  private func pixel(_ y: Int, _ x: Int, of bytes: [UInt8], _ layout: Layout) -> [Double] {
    func byte(_ place: Int) -> Double { Double(bytes[y * layout.bytesPerRow + place]) }
    switch layout.format {
    case .rgb: return [byte(3 * x), byte(3 * x + 1), byte(3 * x + 2)]
    case .rgba: return [byte(4 * x), byte(4 * x + 1), byte(4 * x + 2)]
    case .bgra: return [byte(4 * x + 2), byte(4 * x + 1), byte(4 * x)]
    case .gray: return [byte(x), byte(x), byte(x)]
    case .nv12(let encoding):
      let place = (layout.height + y / 2) * layout.bytesPerRow + x / 2 * 2
      var (luma, cb, cr) = (byte(x), Double(bytes[place]) - 128, Double(bytes[place + 1]) - 128)
      if [.bt601Limited, .bt709Limited].contains(encoding) {
        (luma, cb, cr) = ((luma - 16) * 255 / 219, cb * 255 / 224, cr * 255 / 224)
      }
      let isHD = [.bt709Limited, .bt709Full].contains(encoding)
      let (kr, kb) = isHD ? (0.2126, 0.0722) : (0.299, 0.114)
      let (red, blue) = (luma + 2 * (1 - kr) * cr, luma + 2 * (1 - kb) * cb)
      return [red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue].map {
        min(max($0, 0), 255)
      }
    }
  }

  @Test("each pixel of every format follows the format's layout", arguments: layouts)
  func everyPixelFollowsItsLayout(_ layout: Layout) throws {
    let bytes = layout.bytes
    let image = try Image(
      height: layout.height, width: layout.width, pixels: bytes, format: layout.format,
      bytesPerRow: layout.bytesPerRow)
    for y in 0..<layout.height {
      for x in 0..<layout.width {
        let expected = pixel(y, x, of: bytes, layout)
        for c in 0..<3 {
          let found = Double(image.pixels[(y * layout.width + x) * 3 + c])
          // The tolerance is half a step, plus the rounding of factors to 2⁻¹⁶.
          #expect(abs(found - expected[c]) < 0.51, "pixel \(x),\(y) channel \(c)")
        }
      }
    }
  }

  @Test("every kind of memory gives the same photo", arguments: layouts)
  func dataSpansAndRawMemoryAreReadAlike(_ layout: Layout) throws {
    let bytes = layout.bytes
    let (height, width, format) = (layout.height, layout.width, layout.format)
    let row = layout.bytesPerRow
    let image = try Image(
      height: height, width: width, pixels: bytes, format: format, bytesPerRow: row)
    #expect(
      try Image(height: height, width: width, pixels: Data(bytes), format: format, bytesPerRow: row)
        == image)
    #expect(
      try Image(height: height, width: width, pixels: bytes.span, format: format, bytesPerRow: row)
        == image)
    let raw = try bytes.withUnsafeBytes {
      try Image(height: height, width: width, pixels: $0, format: format, bytesPerRow: row)
    }
    #expect(raw == image)
    guard case .nv12(let encoding) = format else { return }
    let planes = try bytes.withUnsafeBytes {
      try Image(
        height: height, width: width, luma: $0, lumaBytesPerRow: row,
        chroma: .init(rebasing: $0[(height * row)...]), chromaBytesPerRow: row,
        encoding: encoding)
    }
    #expect(planes == image)
  }

  @Test("black, white and red of both ranges are correct") func blackAndWhiteOfBothRanges() throws {
    func color(_ y: UInt8, _ cb: UInt8, _ cr: UInt8, _ encoding: YCbCrEncoding) throws -> [UInt8] {
      try Image(height: 1, width: 1, pixels: [y, 0, cb, cr], format: .nv12(encoding)).pixels
    }
    for encoding in YCbCrEncoding.allCases {
      let isLimited = encoding == .bt601Limited || encoding == .bt709Limited
      #expect(try color(isLimited ? 16 : 0, 128, 128, encoding) == [0, 0, 0])
      #expect(try color(isLimited ? 235 : 255, 128, 128, encoding) == [255, 255, 255])
    }
    // Pure red in the limited range of ITU-R BT.601-7 and BT.709-6.
    #expect(try color(81, 90, 240, .bt601Limited) == [254, 0, 0])
    #expect(try color(63, 102, 240, .bt709Limited) == [255, 1, 0])
  }

  @Test("RGB without padding is used without a copy") func tightRGBIsNotCopied() throws {
    let bytes = [UInt8](repeating: 7, count: 300)
    let image = try Image(height: 10, width: 10, pixels: bytes, format: .rgb)
    #expect(
      image.pixels.withUnsafeBufferPointer(\.baseAddress)
        == bytes.withUnsafeBufferPointer(\.baseAddress))
  }

  @Test("a buffer that is one byte too short is an invalid argument", arguments: layouts)
  func oneByteLessIsAnError(_ layout: Layout) throws {
    let bytes = layout.bytes.dropLast()
    let error = #expect(throws: DepthError.self) {
      try Image(
        height: layout.height, width: layout.width, pixels: Array(bytes), format: layout.format,
        bytesPerRow: layout.bytesPerRow)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("is \(bytes.count), expected at least \(layout.count)") == true)
  }

  @Test("a plane that is one byte too short is refused")
  func oneByteLessInAPlaneIsAnError() throws {
    let bytes = [UInt8](repeating: 128, count: 12)
    for (luma, chroma) in [(8, 4), (9, 3)] {
      #expect(throws: DepthError.self) {
        try bytes.withUnsafeBytes {
          try Image(
            height: 3, width: 3, luma: .init(rebasing: $0[..<luma]),
            chroma: .init(rebasing: $0[..<chroma]), encoding: .bt601Full)
        }
      }
    }
  }

  @Test(
    "impossible sizes and strides are refused",
    arguments: [
      (0, 4, nil), (4, 0, nil), (-1, -1, nil), (.max, .max, nil), (.max, 2, nil), (4, 4, 11),
      (4, 4, .max), (4, 4, -12), (1 << 24, 1 << 24, nil), (4, 4, .min),
    ] as [(Int, Int, Int?)])
  func impossibleSizesAreRefused(height: Int, width: Int, bytesPerRow: Int?) {
    #expect(throws: DepthError.self) {
      try Image(
        height: height, width: width, pixels: [UInt8](repeating: 0, count: 48), format: .rgb,
        bytesPerRow: bytesPerRow)
    }
  }

  @Test("the limit of pixels holds for pictures from memory") func limitsHoldForMemoryToo() {
    let error = #expect(throws: DepthError.self) {
      try Image(
        height: 4, width: 4, pixels: [UInt8](repeating: 0, count: 48), format: .rgb,
        limits: ImageLimits(maximumPixels: 15))
    }
    #expect(error?.code == .tooLarge)
  }

  @Test("the eight pixel formats have different names") func formatNamesAreDistinct() {
    #expect(Set(PixelFormat.allCases.map(\.rawValue)).count == PixelFormat.allCases.count)
    #expect(PixelFormat.allCases.count == 8)
  }

  @Test("values are copied row by row") func valuesAreCopiedByRows() throws {
    let map = DepthMap(height: 2, width: 3, unit: .metres, values: [1, 2, 3, 4, 5, 6])
    var buffer = [Float](repeating: -1, count: 8)
    var span = buffer.mutableSpan
    try map.copyValues(into: &span, floatsPerRow: 4)
    #expect(buffer == [1, 2, 3, -1, 4, 5, 6, -1])
    buffer = .init(repeating: -1, count: 7)
    try buffer.withUnsafeMutableBufferPointer { try map.copyValues(into: $0) }
    #expect(buffer == [1, 2, 3, 4, 5, 6, -1])
    for (count, row) in [(5, 3), (6, 2), (6, 4), (0, 3), (6, .max), (6, -3)] {
      var small = [Float](repeating: -1, count: count)
      #expect(throws: DepthError.self) {
        try small.withUnsafeMutableBufferPointer { try map.copyValues(into: $0, floatsPerRow: row) }
      }
      #expect(small.allSatisfy { $0 == -1 })
    }
  }
}
