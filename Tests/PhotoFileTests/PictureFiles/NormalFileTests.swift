import DepthBase
import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import PictureFiles

/// Files of normals, read back by independent code.
@Suite struct NormalFileTests {
  /// Three rows of seven unit vectors. Two vectors are missing.
  private static let map = NormalMap(
    height: 3, width: 7,
    values: (0..<21).flatMap { pixel -> [Float] in
      if pixel == 4 || pixel == 20 { return [0, 0, 0] }
      let angle = Float(pixel)
      return [0.6 * cos(angle), 0.6 * sin(angle), -0.8]
    })

  private static func expected(_ frame: NormalMap.Frame) -> [Float] {
    (0..<63).map { index in
      if index / 3 == 4 || index / 3 == 20 { return .nan }
      return (index % 3 == 0 || frame == .opencv ? 1 : -1) * map.values[index]
    }
  }

  @Test(
    "a PNG of normals stores (n + 1) / 2",
    arguments: NormalMap.Frame.allCases, [false, true])
  func picturesAreHalfTheNormalPlusOne(frame: NormalMap.Frame, is16Bit: Bool) throws {
    let file = try Self.map.encoded(as: .png, frame: frame, is16Bit: is16Bit, software: "depth 0")
    let layout = PNGPixels.Layout(hasColor: true, hasAlpha: true, is16Bit: is16Bit)
    let samples =
      is16Bit
      ? try PNGPixels.decode(file, as: layout, of: UInt16.self, file: "n.png").map(Int.init)
      : try PNGPixels.decode(file, as: layout, of: UInt8.self, file: "n.png").map(Int.init)
    let (largest, expected) = (is16Bit ? 65535 : 255, Self.expected(frame))
    for pixel in 0..<21 {
      let found = samples[4 * pixel..<4 * pixel + 4]
      guard !expected[3 * pixel].isNaN else {
        #expect(Array(found) == [0, 0, 0, 0])
        continue
      }
      #expect(found.last == largest)
      for axis in 0..<3 {
        let wanted = (expected[3 * pixel + axis] + 1) / 2 * Float(largest)
        #expect(abs(Float(samples[4 * pixel + axis]) - wanted) < 0.51)
      }
    }
    let texts = try PNGParts.chunks(of: file).filter { $0.type == "tEXt" }
      .map { String(decoding: $0.data, as: UTF8.self) }
    #expect(texts == ["depth:normal-frame\0\(frame.rawValue)", "Software\0depth 0"])
    #expect(file[24...25] == [is16Bit ? 16 : 8, 6])
  }

  @Test("an NPY of normals has three axes and names its frame", arguments: NormalMap.Frame.allCases)
  func arraysHaveThreeAxes(frame: NormalMap.Frame) throws {
    let file = try Self.map.encoded(as: .npy, frame: frame)
    let header = String(decoding: file[10..<128], as: UTF8.self)
    #expect(header.contains("'shape': (3, 7, 3), } # normals: \(frame.rawValue), x right, y "))
    #expect(header.contains(frame == .opencv ? "z forward" : "z towards the camera"))
    let found = NumberDecoder(element: .f4, order: .little)
      .floats(file, from: file.count - 4 * 63, count: 63)
    #expect(found.map(\.bitPattern) == Self.expected(frame).map(\.bitPattern))
    #expect((file.count - 4 * 63) % 64 == 0)
  }

  @Test(
    "OpenEXR has channels of normals and depth sorted by name",
    arguments: NormalMap.Frame.allCases)
  func channelsOfOpenEXRAreSortedByName(frame: NormalMap.Frame) throws {
    let depth = DepthMap(
      height: 3, width: 7, unit: .metres, values: (0..<21).map { $0 == 4 ? 0 : Float($0 + 1) })
    let alone = try Self.map.encoded(as: .exr, frame: frame)
    let both = try depth.encoded(
      as: .exr, normals: ({ Self.map }, frame), call: .init(threads: 2))
    for (file, channels) in [(alone, 3), (both, 4)] {
      let found = try EXRContent(file, height: 3, width: 7, channels: channels)
      let names = ["N.X", "N.Y", "N.Z", "Z"].prefix(channels)
      #expect(
        found.attributes["channels"]?.value
          == names.flatMap { Array($0.utf8) + [0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0] }
          + [0])
      #expect(
        found.attributes["depth:normal-frame"]?.value == Array(frame.rawValue.utf8))
      let expected = (0..<3).flatMap { row in
        (0..<channels).flatMap { channel in
          (0..<7).map { column -> Float in
            let pixel = row * 7 + column
            if channel == 3 { return pixel == 4 ? .nan : Float(pixel + 1) }
            return Self.expected(frame)[3 * pixel + channel]
          }
        }
      }
      #expect(found.values.map(\.bitPattern) == expected.map(\.bitPattern))
    }
  }

  @Test("normals cannot be written as PFM") func otherFormatsAreRefused() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: DepthError.self) { try Self.map.write(to: folder.url("n.pfm")) }
    #expect(error?.code == .unsupportedFormat)
    try Self.map.write(to: folder.url("n.PNG"))
    #expect(throws: DepthError.self) {
      try Self.map.write(to: folder.url("n.PNG"), overwrite: false)
    }
  }
}
