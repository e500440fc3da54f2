import DepthImages
import Testing
import _TestSupport

@Suite(.offPool) struct SampleConversionsTests {
  @Test(arguments: [0, 1, 3, 45, 48, 51, 96, 99])
  func channelsKeepTheirMeans(count: Int) {
    let stream = CounterStream("channels")
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: stream[$0]) }
    let mean: [Float] = [0.5, 10, -3]
    #expect(
      scaledChannels(bytes, scale: 0.25, mean: mean)
        == bytes.indices.map { Float(bytes[$0]) * 0.25 - mean[$0 % 3] })
  }

  @Test func integersAndFactorsAreRoundedOnce() {
    #expect(floats([0, 1, 256, 65_535]) == [0, 1, 256, 65_535])
    let counts = (0..<70_000).map { Float($0 % 65_536) }
    #expect(scaled(counts, by: 1 / 5000) == counts.map { Float(Double($0) * (1 / 5000)) })
  }
}
