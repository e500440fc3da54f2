import DepthErrors
import Testing

@testable import DepthBase
@testable import DepthImages
@testable import PictureFiles

@Suite struct PFMTests {
  private func file(_ header: String, _ values: [UInt8]) -> [UInt8] { Array(header.utf8) + values }

  /// 1.0 and 2.0 in either byte order. The first value is the lower pixel, since the bottom row is
  /// first.
  private let little: [UInt8] = [0, 0, 0x80, 0x3F, 0, 0, 0, 0x40]
  private let big: [UInt8] = [0x3F, 0x80, 0, 0, 0x40, 0, 0, 0]

  @Test("PFM rows run upwards in both byte orders") func rowsRunUpwardsInBothByteOrders() throws {
    #expect(try PFM.decode(file("Pf\n1 2\n-1.0\n", little), file: "").values == [2, 1])
    #expect(try PFM.decode(file("Pf\n1 2\n1.0\n", big), file: "").values == [2, 1])
    #expect(try PFM.decode(file("Pf 2 1 -1 ", little), file: "").values == [1, 2])
    // Data sets write 1/255 as the scale, but the scale does not apply to values.
    #expect(try PFM.decode(file("Pf\n2 1\n-0.003922\n", little), file: "").values == [1, 2])
  }

  /// Photoshop writes width and height on separate lines, and the top row first.
  @Test(
    "a PFM with sizes on two lines runs downwards",
    arguments: [
      "Pf\n1\n2\n-1.000000\n", "Pf\r\n1\r\n2\r\n-1.0\r\n", "Pf\n1 \n2 \n-1.0 \n", "Pf\r1\r2\r-1\r",
    ])
  func photoshopsRowsRunDownwards(header: String) throws {
    #expect(try PFM.decode(file(header, little), file: "").values == [1, 2])
  }

  @Test(
    "PFM headers with other line ends and blanks are read",
    arguments: [
      "Pf\r\n1 2\r\n-1.0\r\n", "Pf \n1 2 \n-1.0 \n", "Pf\n1  2\n-1.0\t \r\n", "Pf\n 1 2\n-1.0  \r",
    ])
  func otherLineEndsAndBlanksAreRead(header: String) throws {
    #expect(try PFM.decode(file(header, little), file: "").values == [2, 1])
    // Values whose bytes equal white space do not belong to the header.
    let blanks = [UInt8](repeating: 0x20, count: 8)
    let value = Float(bitPattern: 0x2020_2020)
    #expect(try PFM.decode(file(header, blanks), file: "").values == [value, value])
    #expect(throws: DepthError.self) { try PFM.decode(file(header, blanks + [0]), file: "") }
    #expect(throws: DepthError.self) { try PFM.decode(file(header, [0] + little), file: "") }
  }

  @Test("a written PFM has the format's header and order") func writtenBytesAreTheFormats() {
    let grid = FloatGrid(height: 2, width: 1, values: [2, 1])
    #expect(PFM.encode(grid) == file("Pf\n1 2\n-1.0\n", little))
  }

  @Test(
    "a PFM with a wrong header is refused",
    arguments: [
      "PF\n1 1\n-1.0\n", "Pf\n1 -2\n-1.0\n", "Pf\n1 two\n-1.0\n", "Pf\n1 2\n0\n", "Pf\n1 2\nnan\n",
      "Pf\n0 2\n-1.0\n", "Pf\n1 3\n-1.0\n", "Pf\n1 1\n-1.0\n", "Pf\n30000 30000\n-1.0\n",
      "Pf\n9223372036854775807 9223372036854775807\n-1.0\n", "Pf\n99999999999999999999 1\n-1.0\n",
    ])
  func badHeadersAreRefused(header: String) {
    #expect(throws: DepthError.self) {
      try DepthMap(decoding: file(header, little), name: "bad.pfm")
    }
  }

  @Test("random bytes after a PFM's first line are refused") func randomBytesAreRefused() {
    var random = SplitMix64(state: 10)
    for _ in 0..<20_000 {
      let bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(throws: DepthError.self) {
        try PFM.decode(Array("Pf\n".utf8) + bytes, file: "")
      }
    }
  }
}
