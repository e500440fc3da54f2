import DepthImages
import Testing

@testable import PictureFiles

/// The box layouts of large files.
@Suite struct ISOBoxesTests {
  /// Bursts have hundreds of properties, whose numbers have two bytes.
  @Test("property numbers of one and two bytes are read") func propertiesHaveNumbersBeyond127() {
    let content: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 7, 2, 0x80, 200, 0x01, 0x2C]
    #expect(ISOBoxes(content).properties(of: 7, in: 0..<content.count) == [200, 300])
    let short: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 7, 2, 0x85, 3]
    #expect(ISOBoxes(short).properties(of: 7, in: 0..<short.count) == [5, 3])
  }

  /// A list of more than 65 535 items has a four-byte count.
  @Test(
    "item lists with counts of two or four bytes are read",
    arguments: [[0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 1]] as [[UInt8]])
  func longListsOfItemsAreRead(head: [UInt8]) {
    let entry = HEIFFixture.box("infe", [2, 0, 0, 0, 0, 9, 0, 0] + Array("hvc1".utf8))
    let list = HEIFFixture.box("iinf", head + entry)
    #expect(ISOBoxes(list).itemTypes(in: 0..<list.count) == [9: "hvc1"])
  }
}
