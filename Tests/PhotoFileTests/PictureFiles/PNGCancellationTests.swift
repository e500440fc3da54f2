import DepthImages
import Testing

@testable import DepthBase
@testable import PictureFiles

/// The encoding of a large picture ends soon after cancellation.
@Suite struct PNGCancellationTests {
  @Test(
    "a cancelled call encodes no PNG",
    arguments: [PNGCompression.fast, .default, .small])
  func aCancelledCallWritesNoStrip(compression: PNGCompression) {
    let cancellation = Cancellation()
    cancellation.cancel()
    let call = CallContext(threads: 2, cancellation: cancellation)
    let depth = DepthMap(
      height: 1200, width: 1600, unit: .metres,
      values: (0..<1_920_000).map { Float($0 &* 2_654_435_761 % 60_000) / 1000 })
    #expect(throws: CancellationError.self) {
      try depth.encoded(as: .png, compression: compression, call: call)
    }
    #expect(throws: CancellationError.self) {
      try Image(height: 1, width: 1, pixels: [1, 2, 3]).encoded(as: .png, call: call)
    }
  }
}
