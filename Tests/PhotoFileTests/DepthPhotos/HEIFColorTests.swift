import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import DepthImages
@testable import PictureFiles

/// HEIC and AVIF pictures that are not sRGB.
@Suite(.enabled(if: HEIFFixture.isAvailable, "libheif or heif-enc is not installed"))
struct HEIFColorTests {
  /// Eight gray and eight colored fields of 16 × 16 pixels.
  private static let fields: [[Double]] = (0..<16).map { index -> [Double] in
    let level = 0.1 + 0.1 * Double(index % 8)
    return index < 8 ? [level, level, level] : [level, 0.5, 0.8 - 0.6 * level]
  }

  /// A PNG of the fields with 8 or 16 bits.
  private static func png(bits: Int) -> [UInt8] {
    var row: [UInt8] = []
    for color in fields {
      let pixel = color.flatMap { number -> [UInt8] in
        let value = Int((number * Double((1 << bits) - 1)).rounded())
        return bits == 16 ? [UInt8(value >> 8), UInt8(value & 255)] : [UInt8(value)]
      }
      for _ in 0..<16 { row += pixel }
    }
    let rows = (0..<16).flatMap { _ in row }
    return PNGFixture(width: 256, height: 16, bitDepth: UInt8(bits), rows: rows).bytes
  }

  private static func encoded(_ name: String, bits: Int) throws -> [UInt8] {
    try HEIFFixture.encoded(
      png(bits: bits == 8 ? 8 : 16), from: "in.png", to: name,
      ["-p", "chroma=444", "--matrix_coefficients", "6", "-b", "\(bits)"])
  }

  /// The color at the center of each field.
  private static func colors(_ image: Image) -> [[Int]] {
    fields.indices.map { field -> [Int] in
      let start = 3 * (8 * 256 + 16 * field + 8)
      return image.pixels[start..<start + 3].map { Int($0) }
    }
  }

  // libheif 1.15 encodes AVIF only from 8 bits.
  @Test(
    "BT.2020, P3, PQ and HLG colors of HEIC and AVIF become sRGB",
    arguments: [("a.heic", 8), ("a.heic", 10), ("a.avif", 8)])
  func codesAreConverted(name: String, bits: Int) throws {
    let bytes = try Self.encoded(name, bits: bits)
    for (primaries, transfer) in [(9, 16), (9, 18), (12, 13)] {
      let image = try Image(
        decoding: try HEIFFixture.coded(
          bytes, primaries: UInt8(primaries), transfer: UInt8(transfer)), name: name)
      let kind = try #require(ReferenceColors.Transfer(rawValue: transfer))
      for (found, field) in zip(Self.colors(image), Self.fields) {
        let wanted = ReferenceColors.sRGB(field, primaries: primaries, transfer: kind)
        for channel in 0..<3 {
          // One 8-bit step of PQ is 4 % of light, which the matrix of primaries enlarges.
          #expect(
            abs(Double(found[channel]) - wanted[channel]) <= (bits == 8 ? 12 : 3),
            "\(primaries) \(transfer) \(field): \(found) \(wanted)")
        }
      }
      #expect(image.metadata.colorNote != nil && image.metadata.iccProfile == nil)
    }
    let usual = try Image(
      decoding: HEIFFixture.coded(bytes, primaries: 1, transfer: 13), name: name)
    #expect(usual.metadata.colorNote == nil)
    for (found, field) in zip(Self.colors(usual), Self.fields) {
      for channel in 0..<3 { #expect(abs(Double(found[channel]) - field[channel] * 255) <= 4) }
    }
  }

  @Test("the program notes the mapping of PQ and BT.2020 once")
  func programSaysOnceThatColorsAreMapped() throws {
    let folder = try TemporaryFolder()
    let bytes = try Self.encoded("a.heic", bits: 10)
    _ = try folder.write(
      HEIFFixture.coded(bytes, primaries: 9, transfer: 16), to: "a.heic")
    _ = try folder.write(TestPhoto.depth(height: 16, width: 256).encoded(as: .pfm), to: "d.pfm")
    let outcome = try CommandLineTool("depth").run(
      [
        "effect", "haze", "a.heic", "--depth", "d.pfm", "--depth-scale", "1", "--strength", "0",
        "-o", "o.png",
      ],
      in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.errorLines.first
        == "depth: a.heic: its high dynamic range (PQ, BT.2020) is mapped to sRGB")
    #expect(outcome.errorLines.count == 2, "\(outcome.errors)")
    let made = try Image(contentsOf: folder.url("o.png"))
    #expect(try made.pixels == Image(contentsOf: folder.url("a.heic")).pixels)
  }
}
