import DepthImages
import StereoPhotos
import Synchronization
import Testing
import ViewSynthesis
import _TestSupport

@testable import DepthBase

/// Stereo files end soon after cancellation, even while a PNG is compressed.
@Suite struct StereoCancellationTests {
  @Test(
    "a cancelled call makes no stereo file",
    arguments: [StereoFormat.sideBySide, .quilt(columns: 2, rows: 2), .wiggle, .mpo])
  func aCancelledCallMakesNoFile(format: StereoFormat) {
    let photo = testImage(height: 48, width: 64)
    let depth = DepthMap(
      height: 12, width: 16, unit: .metres, values: (0..<192).map { 1 + Float($0 % 16) / 8 })
    var output = StereoOutput()
    output.isLossless = true
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: CancellationError.self) {
      try photo.stereoFiles(
        as: format, depth: depth, options: StereoOptions(), output: output,
        call: CallContext(threads: 2, cancellation: cancellation))
    }
  }

  /// Cancellation ends the views, not only the encoder.
  @Test("cancellation stops a series of views after the current view", arguments: [0, 1, 5, 9])
  func viewsEndBetweenTwo(views: Int) {
    let photo = testImage(height: 24, width: 32)
    let depth = DepthMap(
      height: 24, width: 32, unit: .metres, values: (0..<768).map { 1 + Float($0 % 16) / 8 })
    let questions = Atomic<Int>(0)
    let cancellation = Cancellation {
      questions.add(1, ordering: .relaxed).newValue > views
    }
    #expect(throws: CancellationError.self) {
      try photo.views(
        count: 400, depth: depth, options: StereoOptions(),
        call: CallContext(threads: 1, cancellation: cancellation))
    }
    #expect(questions.load(ordering: .relaxed) == views + 1)
  }
}
