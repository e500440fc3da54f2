import Testing
import _TestSupport

@testable import DepthBase

@Suite struct CRC32Tests {
  /// The example of the CRC catalogues and the checksum of every PNG's last chunk.
  @Test(
    "CRC-32 has the published check values",
    arguments: [("123456789", 0xCBF4_3926), ("IEND", 0xAE42_6082), ("", 0)])
  func checkValues(text: String, expected: UInt32) {
    let bytes = Array(text.utf8)[...]
    #expect(CRC32.checksum(bytes) == expected)
    #expect(SlicedCRC32.checksum(bytes) == expected)
  }

  /// Lengths around multiples of eight bytes.
  @Test("the sliced CRC-32 equals the library's CRC-32") func equalsTheLibrary() {
    let stream = CounterStream("checksum")
    let bytes = (0..<100).map { UInt8(truncatingIfNeeded: stream[$0]) }
    for count in 0...bytes.count {
      let expected = CRC32.checksum(bytes[..<count])
      #expect(SlicedCRC32.checksum(bytes[..<count]) == expected)
      let half = SlicedCRC32.checksum(bytes[..<(count / 2)])
      #expect(SlicedCRC32.checksum(bytes[(count / 2)..<count], after: half) == expected)
    }
  }
}
