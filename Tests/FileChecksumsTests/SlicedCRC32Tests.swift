import FileChecksums
import PictureFiles
import Testing
import _TestSupport

@Suite(.offPool) struct SlicedCRC32Tests {
  /// The example of the CRC catalogues.
  @Test func checkValue() {
    #expect(SlicedCRC32.checksum(Array("123456789".utf8)[...]) == 0xCBF4_3926)
    #expect(SlicedCRC32.checksum([]) == 0)
  }

  /// Lengths around the step of eight bytes, in one piece and in two, against zlib.
  @Test func equalsZlib() {
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
