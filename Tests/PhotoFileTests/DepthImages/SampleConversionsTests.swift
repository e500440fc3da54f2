import DepthImages
import Testing
import _TestSupport

@Suite struct SampleConversionsTests {
  @Test(
    "each channel is scaled, and its mean is subtracted",
    arguments: [(1, 1), (1, 2), (3, 15), (2, 16), (70, 17), (33, 32), (1, 33)], [1, 2, 3])
  func channelsAreScaledAndShifted(size: (height: Int, width: Int), threads: Int) {
    let (height, width) = size
    let stream = CounterStream("channels")
    let bytes = (0..<height * width * 3).map { UInt8(truncatingIfNeeded: stream[$0]) }
    let photo = Image(height: height, width: width, pixels: bytes)
    let mean: [Float] = [0.5, 10, -3]
    let plain = bytes.indices.map { Float(bytes[$0]) * 0.25 - mean[$0 % 3] }
    let mirrored = (0..<height).flatMap { y in
      (0..<width).reversed().flatMap { x in
        (0..<3).map { plain[(y * width + x) * 3 + $0] }
      }
    }
    func found(addsMirrored: Bool) -> [Float] {
      scaledChannels(
        of: photo, addsMirrored: addsMirrored, scale: 0.25, mean: mean, threads: threads)
    }
    #expect(found(addsMirrored: false) == plain)
    #expect(found(addsMirrored: true) == plain + mirrored)
  }

  @Test("integers are exact as floats, and a factor rounds once")
  func integersAndFactorsAreRoundedOnce() {
    #expect(floats([0, 1, 256, 65_535]) == [0, 1, 256, 65_535])
    let counts = (0..<70_000).map { Float($0 % 65_536) }
    #expect(scaled(counts, by: 1 / 5000) == counts.map { Float(Double($0) * (1 / 5000)) })
  }
}
