import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import DepthBase
@testable import DepthImages
@testable import PictureFiles

@Suite struct DepthFileTests {
  /// Depths 0.7…9 m, with every kind of "no value" between them.
  static func map(
    _ unit: DepthMap.Unit, height: Int = 13, width: Int = 7
  ) throws -> DepthMap {
    let metres = DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { index in
        switch index % 11 {
        case 3: 0
        case 5: .nan
        case 7: .infinity
        case 9: -1
        default: 0.7 + 8.3 * Float(index) / Float(height * width)
        }
      })
    return switch unit {
    case .metres: metres
    case .disparity: try metres.inDisparity()
    case .relativeDisparity: metres.relative(scale: 8, shift: -3)
    case .normalized(let near): metres.normalized(near: near)
    }
  }

  static let units: [DepthMap.Unit] = [
    .metres, .disparity, .relativeDisparity, .normalized(near: .white), .normalized(near: .black),
  ]

  @Test("a depth PNG is read back within half a step", arguments: units)
  func pngKeepsUnitAndValues(unit: DepthMap.Unit) throws {
    let map = try Self.map(unit)
    let again = try DepthMap(decoding: map.encoded(as: .png), name: "depth.png")
    #expect((again.height, again.width, again.unit) == (map.height, map.width, unit))
    let range = try #require(map.range())
    let step: Double =
      switch unit {
      case .metres: 0.001
      case .disparity, .relativeDisparity: Double(range.high - range.low) / 65_534
      case .normalized: 1.0 / 65_534
      }
    for (value, read) in zip(map.values, again.values) {
      try #require(map.hasValue(value) == again.hasValue(read), "\(value) became \(read)")
      guard map.hasValue(value) else { continue }
      // Half a step, plus the rounding of the value to 32 bits.
      #expect(abs(Double(value) - Double(read)) <= step * 0.5 + Double(value.ulp))
    }
  }

  @Test(
    "the ends of a depth file's range are read back exactly",
    arguments: DepthFileFormat.readable, units)
  func theEndsOfTheRangeSurvive(format: DepthFileFormat, unit: DepthMap.Unit) throws {
    guard (unit == .metres) != (format == .png) else { return }
    let map = try Self.map(unit)
    let again = try DepthMap(decoding: map.encoded(as: format), name: "depth")
    #expect(again.range()?.low == map.range()?.low)
    #expect(again.range()?.high == map.range()?.high)
  }

  @Test(
    "float files keep every bit of valid values",
    arguments: DepthFileFormat.readable.filter { $0 != .png })
  func floatFilesKeepEveryBit(format: DepthFileFormat) throws {
    for (height, width) in [(1, 1), (1, 9), (9, 1), (13, 7)] {
      let map = try Self.map(.metres, height: height, width: width)
      let again = try DepthMap(decoding: map.encoded(as: format), name: "depth")
      #expect(again.unit == .metres)
      #expect((again.height, again.width) == (height, width))
      let expected = map.values.map { map.hasValue($0) ? $0 : .nan }
      #expect(again.values.map(\.bitPattern) == expected.map(\.bitPattern))
    }
  }

  /// A stated unit keeps commands from reading relative disparity as metres.
  @Test("every format states that a map is relative disparity", arguments: DepthFileFormat.readable)
  func relativeDisparityIsNamed(format: DepthFileFormat) throws {
    let map = try Self.map(.relativeDisparity)
    #expect(format.canHold(.relativeDisparity))
    let bytes = try map.encoded(as: format)
    let again = try DepthMap(decoding: bytes, name: "d.\(format.rawValue)")
    #expect(again.unit == .relativeDisparity)
    #expect(throws: DepthError.self) { try again.inMetres() }
    if format != .png {
      #expect(again.values.map(\.bitPattern) == map.values.map(\.bitPattern))
    }
    #expect(
      try DepthMap(decoding: bytes, name: "d", unit: .relativeDisparity).unit == .relativeDisparity)
    // The caller's unit overrides the text in an archive.
    for unit in [DepthMap.Unit.metres, .disparity] where format != .npz {
      let error = try #require(throws: DepthError.self) {
        try DepthMap(decoding: bytes, name: "d", unit: unit)
      }
      #expect(error.code == .unknownUnit && error.message.contains("relative-disparity"))
    }
  }

  /// Other programs write files without a unit, so the caller names the unit.
  @Test("a caller may read a PFM without unit as relative disparity")
  func callersNameRelativeDisparity() throws {
    let map = try Self.map(.metres)
    let bytes = try map.encoded(as: .pfm)
    #expect(try DepthMap(decoding: bytes, name: "d").unit == .metres)
    let read = try DepthMap(decoding: bytes, name: "d", unit: .relativeDisparity)
    let expected = map.values.map { map.hasValue($0) ? $0 : .nan }
    #expect(
      read.unit == .relativeDisparity
        && read.values.map(\.bitPattern) == expected.map(\.bitPattern))
    // NumPy reads this header. Other readers search the header for keys.
    let numpy = try Self.map(.relativeDisparity).encoded(as: .npy)
    let header = String(decoding: numpy[10..<128], as: UTF8.self)
    #expect(header.contains("'shape': (13, 7), } # unit: relative-disparity  "))
    #expect(header.hasSuffix("\n") && (numpy.count - 13 * 7 * 4) % 64 == 0)
  }

  /// Readers of these formats would take the numbers for metres.
  @Test(
    "PFM and NPY refuse disparity and normalized values",
    arguments: [DepthFileFormat.pfm, .npy],
    units.filter { $0 != .metres && $0 != .relativeDisparity })
  func floatFilesHoldMetresOnly(format: DepthFileFormat, unit: DepthMap.Unit) throws {
    let map = try Self.map(unit)
    #expect(!format.canHold(unit))
    let error = #expect(throws: DepthError.self) { try map.encoded(as: format) }
    #expect(error?.description.hasSuffix("would be read as metres, expected .png or .npz") == true)
    let folder = try TemporaryFolder()
    let file = folder.url("map.\(format.rawValue)")
    #expect(throws: DepthError.self) { try map.write(to: file) }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test("millimetres saturate at 1 and 65535")
  func millimetresSaturateAndNeverBecomeNoValue() throws {
    let map = DepthMap(
      height: 1, width: 6, unit: .metres, values: [0.0001, 0.0015, 65.535, 65.6, 1e30, 0])
    let again = try DepthMap(decoding: map.encoded(as: .png), name: "depth")
    #expect(again.values == [0.001, 0.002, 65.535, 65.535, 65.535, 0])
  }

  @Test("constant and empty maps are read back from PNG", arguments: units)
  func constantAndEmptyMapsSurvive(unit: DepthMap.Unit) throws {
    let constant = DepthMap(
      height: 2, width: 2, unit: unit, values: [UInt32](repeating: 0, count: 4).map { _ in 0.5 })
    let again = try DepthMap(decoding: constant.encoded(as: .png), name: "constant")
    for value in again.values { #expect(abs(value - 0.5) <= 0.5 / 65_534) }
    let empty = DepthMap(height: 1, width: 2, unit: unit, values: [.nan, -.infinity])
    let none = try DepthMap(decoding: empty.encoded(as: .png), name: "empty")
    #expect(none.range() == nil && none.unit == unit)
  }

  @Test("a depth PNG records unit, weights, near and far") func metadataStandsInTheFile() throws {
    let sum = String(repeating: "0123456789abcdef", count: 4)
    let written = DepthFileMetadata(software: "swift-depth 1.0", weightsIdentifier: sum)
    let map = DepthMap(height: 1, width: 3, unit: .metres, values: [0.7, 0, 4])
    let bytes = try map.encoded(as: .png, metadata: written)
    let read = try DepthFileMetadata(decoding: bytes, name: "depth.png")
    #expect(read.unit == .metres)
    #expect(read.software == "swift-depth 1.0" && read.weightsIdentifier == sum)
    #expect(read.near.map { Float($0) } == 0.7 && read.far == 4)
    let texts = try PNGChunks(bytes, file: "").texts
    #expect(texts["depth:unit"] == "millimetre" && texts["depth:near"] == "0.7")
    // Disparity is largest at the nearest point. Near and far are still metres.
    let inverse = try DepthFileMetadata(
      decoding: map.inDisparity().encoded(as: .png), name: "disparity.png")
    #expect(inverse.unit == .disparity)
    #expect(abs(try #require(inverse.near) - 0.7) < 1e-6 && inverse.far == 4)
    let picture = map.normalized(near: .black)
    #expect(
      try DepthFileMetadata(decoding: picture.encoded(as: .png), name: "").unit
        == .normalized(near: .black))
  }

  @Test("a depth PNG that is read as another unit is an error")
  func callerAndFileMustAgree() throws {
    let bytes = try Self.map(.metres).encoded(as: .png)
    for scale in [nil, 0.001] {
      #expect(throws: Never.self) {
        try DepthMap(decoding: bytes, name: "d", unit: .metres, scale: scale)
      }
    }
    let metres = #expect(throws: DepthError.self) {
      try DepthMap(decoding: bytes, name: "d.png", unit: .metres, scale: 1)
    }
    #expect(
      metres?.description
        == "d.png: records its values as millimetre, expected metre")
    let error = #expect(throws: DepthError.self) {
      try DepthMap(decoding: bytes, name: "d.png", unit: .normalized(near: .black))
    }
    #expect(
      error?.description
        == "d.png: records its values as millimetre, expected normalized, near black"
    )
  }

  /// Gray PNG of unknown origin with 8 or 16 bits. Many programs add a gamma chunk, which depth
  /// must ignore.
  @Test("gray PNG without a unit is read only with the caller's unit", arguments: [false, true])
  func foreignGreyNeedsItsUnit(wide: Bool) throws {
    var gamma: [UInt8] = []
    gamma.append(bigEndian: UInt32(45_455))
    let samples: [UInt16] = wide ? [0, 1, 1_500, 65_535] : [0, 1, 150, 255]
    let fixture = PNGFixture(
      width: 2, height: 2, bitDepth: wide ? 16 : 8, colorType: 0,
      rows: samples.flatMap { wide ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0)] },
      extra: PNGChunks.chunk("gAMA", gamma))
    let error = #expect(throws: DepthError.self) {
      try DepthMap(decoding: fixture.bytes, name: "gray.png")
    }
    #expect(
      error?.description
        == "gray.png: does not record the unit of its values, "
        + "expected one of millimetre, metre, disparity, relative-disparity, relative-depth, normalized"
    )
    func values(_ unit: DepthMap.Unit, scale: Double? = nil) throws -> [Float] {
      try DepthMap(decoding: fixture.bytes, name: "gray.png", unit: unit, scale: scale).values
    }
    let maximum: Float = wide ? 65_535 : 255
    #expect(try values(.metres, scale: 0.001) == samples.map { Float($0) / 1000 })
    #expect(try values(.metres) == samples.map { Float($0) })
    // TUM RGB-D uses this scale.
    #expect(try values(.metres, scale: 1 / 5000) == samples.map { Float($0) / 5000 })
    #expect(try values(.disparity) == samples.map { Float($0) / maximum })
    #expect(try values(.normalized(near: .black)) == samples.map { Float($0) / maximum })
    let black = try DepthMap(
      decoding: fixture.bytes, name: "gray.png", unit: .normalized(near: .black))
    #expect(black.unit == .normalized(near: .black) && black.hasValue(black.values[0]))
  }

  /// This package writes offset and scale for 16-bit samples.
  @Test("offset and scale of a depth PNG apply only to 16 bits", arguments: [8, 16] as [UInt8])
  func offsetAndScaleAreThoseOf16Bits(bitDepth: UInt8) throws {
    let isWide = bitDepth == 16
    let texts =
      PNGChunks.text("depth:unit", "disparity") + PNGChunks.text("depth:offset", "1")
      + PNGChunks.text("depth:scale", "0.5")
    let fixture = PNGFixture(
      width: 3, height: 1, bitDepth: bitDepth, colorType: 0,
      rows: isWide ? [0, 0, 0, 51, 255, 255] : [0, 51, 255], extra: texts)
    let map = try DepthMap(decoding: fixture.bytes, name: "d.png")
    #expect(map.unit == .disparity)
    #expect(map.values == (isWide ? [0, 26.5, 32768.5] : [0, 0.2, 1]))
  }

  @Test("a cancelled call encodes no depth file", arguments: DepthFileFormat.allCases)
  func aCancelledCallMakesNoFile(format: DepthFileFormat) throws {
    let map = try Self.map(.metres)
    let cancellation = Cancellation()
    let call = CallContext(threads: 1, cancellation: cancellation)
    #expect(try map.encoded(as: format, call: call) == map.encoded(as: format))
    cancellation.cancel()
    #expect(throws: CancellationError.self) { try map.encoded(as: format, call: call) }
  }

  @Test("gray in opaque RGB is read as depth", arguments: [8, 16] as [UInt8])
  func greySavedAsColorIsReadAndColorIsNot(bitDepth: UInt8) throws {
    func bytes(_ samples: [UInt8], alpha: UInt8? = nil) -> [UInt8] {
      let copies = bitDepth == 16 ? 2 : 1
      let pixel = (samples + (alpha.map { [$0] } ?? []))
        .flatMap { Array(repeating: $0, count: copies) }
      return PNGFixture(
        width: 1, height: 1, bitDepth: bitDepth, colorType: alpha == nil ? 2 : 6, rows: pixel
      ).bytes
    }
    let unit = DepthMap.Unit.normalized(near: .white)
    let expected = Float(51) / 255
    #expect(try DepthMap(decoding: bytes([51, 51, 51]), name: "", unit: unit).values == [expected])
    #expect(
      try DepthMap(decoding: bytes([51, 51, 51], alpha: 255), name: "", unit: unit).values
        == [expected])
    for picture in [bytes([51, 52, 51]), bytes([51, 51, 51], alpha: 200)] {
      #expect(throws: DepthError.self) {
        try DepthMap(decoding: picture, name: "color", unit: unit)
      }
    }
  }

  @Test("a gray JPEG is depth only with a named unit") func greyJPEGIsReadWithAUnit() throws {
    let bytes = FlatJPEG(components: [102]).bytes
    let map = try DepthMap(decoding: bytes, name: "gray.jpg", unit: .normalized(near: .white))
    #expect(map.values == [Float](repeating: 0.4, count: 64))
    #expect(throws: DepthError.self) { try DepthMap(decoding: bytes, name: "gray.jpg") }
  }

  @Test("Exif orientation turns a depth PNG", arguments: ExifTests.stored)
  func exifTurnsDepthPNG(_ stored: (orientation: UInt16, rows: [String])) throws {
    func map(_ rows: [String]) -> DepthMap {
      let values = rows.flatMap { $0.utf8.map { Float($0 - 64) } }
      return DepthMap(height: rows.count, width: rows[0].utf8.count, unit: .metres, values: values)
    }
    let plain = try map(stored.rows).encoded(as: .png)
    let exif = ExifFixture(orientation: stored.orientation).bytes
    let digits = exif.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let text = PNGChunks.text("Raw profile type exif", "\nexif\n\(exif.count)\n\(digits)\n")
    for chunk in [PNGChunks.chunk("eXIf", exif), text] {
      let bytes = Array(plain[..<33] + chunk + plain[33...])
      #expect(try DepthMap(decoding: bytes, name: "depth.png") == map(ExifTests.upright))
    }
  }

  @Test("a truncated depth file is an error", arguments: DepthFileFormat.readable)
  func everyTruncationIsAnError(format: DepthFileFormat) throws {
    let bytes = try Self.map(.metres).encoded(as: format)
    // A PNG without IEND and the checksum before it still has all pixels.
    for length in truncations(of: bytes.count - (format == .png ? 12 + 16 : 0)) {
      #expect(throws: DepthError.self, "\(length) of \(bytes.count) bytes") {
        try DepthMap(decoding: Array(bytes[..<length]), name: "cut")
      }
    }
  }

  @Test("a damaged depth file gives a map or a DepthError", arguments: DepthFileFormat.readable)
  func damageNeverCrashes(format: DepthFileFormat) throws {
    var random = SplitMix64(state: 9)
    let bytes = try Self.map(.metres).encoded(as: format)
    for _ in 0..<5_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        // Most changes are in the header, which decides how a file is read.
        let place = Int.random(in: 0..<min(bytes.count, 160), using: &random)
        damaged[place] = .random(in: 0...255, using: &random)
      }
      do {
        let map = try DepthMap(decoding: damaged, name: "damaged")
        #expect(map.values.count == map.height * map.width)
      } catch is DepthError {}
    }
  }

  @Test("the extension decides the format of a depth file") func extensionDecides() throws {
    let folder = try TemporaryFolder()
    let map = try Self.map(.metres)
    for format in DepthFileFormat.readable {
      let url = folder.url("depth.\(format.rawValue.uppercased())")
      try map.write(to: url)
      #expect(try Array(Data(contentsOf: url)) == map.encoded(as: format))
    }
    let error = #expect(throws: DepthError.self) {
      try map.write(to: folder.url("depth.tif"))
    }
    #expect(
      try #require(error).description.contains(
        "depth.tif: ends in .tif, expected .png, .pfm, .npy"))
    #expect(try folder.names.count == DepthFileFormat.readable.count)
  }
}

extension DepthMap {
  /// The relative disparity of metres. Missing values stay missing.
  fileprivate func relative(scale: Float, shift: Float) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: .relativeDisparity,
      values: values.map { hasValue($0) ? scale / $0 + shift : .nan })
  }
}
