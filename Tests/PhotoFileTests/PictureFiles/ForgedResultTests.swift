import CDepthBase
import DepthErrors
import Testing

@testable import PictureFiles

/// A malicious picture may control the child process and forge the results.
@Suite struct ForgedResultTests {
  private func decoded(
    _ task: ChildDecoder.Task, width: Int32, height: Int32, count: UInt64, offset: UInt64 = 1024
  ) throws -> ChildDecoder.Decoded {
    var result = cdc_result()
    result.status = Int32(CDC_DECODED.rawValue)
    (result.width, result.height) = (width, height)
    (result.channels, result.bits) = (4, 16)
    result.pixels = cdc_block(offset: offset, count: count)
    let memory = [UInt8](repeating: 7, count: 4096)
    return try memory.withUnsafeBytes {
      try ChildDecoder(format: .heic, file: "a").decoded(
        result, task, height: 16, width: 24, in: $0)
    }
  }

  @Test("a consistent decoding result is accepted") func rightResultsAreTaken() throws {
    #expect(try decoded(.photo, width: 24, height: 16, count: 1152).pixels.count == 1152)
    #expect(
      try decoded(.depth(maximumPixels: 384), width: 12, height: 8, count: 96).pixels.count == 96)
    #expect(try decoded(.depth(maximumPixels: 384), width: 384, height: 1, count: 384).width == 384)
  }

  @Test(
    "a forged size or count from the child process is damage",
    arguments: [
      (.photo, .max, .max, 1152), (.photo, 24, .max, 1152), (.photo, 16, 24, 1152),
      (.photo, 0, 0, 0), (.photo, -24, -16, 1152), (.photo, 24, 16, .max),
      (.depth(maximumPixels: 384), .max, .max, 96),
      (.depth(maximumPixels: 384), .min, .min, 96), (.depth(maximumPixels: 384), 385, 1, 385),
      (.depth(maximumPixels: 384), 0, 8, 0), (.depth(maximumPixels: 384), 12, 0, 0),
      (.depth(maximumPixels: 384), 12, 8, 97), (.depth(maximumPixels: 384), 1, .max, 96),
    ] as [(ChildDecoder.Task, Int32, Int32, UInt64)])
  func forgedSizesAreDamage(
    task: ChildDecoder.Task, width: Int32, height: Int32, count: UInt64
  ) {
    let error = #expect(throws: DepthError.self) {
      try decoded(task, width: width, height: height, count: count)
    }
    #expect(error?.code == .damaged)
  }

  /// The four 16-bit samples of each pixel must also match the photo's size.
  @Test("samples of another size than the photo are damage")
  func samplesOfAnotherSizeAreADamagedPicture() throws {
    #expect(
      try decoded(.samples(isMonochrome: false), width: 24, height: 16, count: 3072).stored != nil)
    for (width, height, count) in [(Int32.max, Int32.max, 1152), (16, 24, 3072), (24, 16, 3071)] {
      let error = #expect(throws: DepthError.self) {
        try decoded(
          .samples(isMonochrome: false), width: width, height: height, count: UInt64(count))
      }
      #expect(error?.code == .damaged)
    }
  }

  @Test("a block outside the shared memory is refused", arguments: [0, 4096, 4097, UInt64.max])
  func blocksLieInTheMemory(offset: UInt64) {
    #expect(throws: DepthError.self) {
      try decoded(.photo, width: 24, height: 16, count: 1152, offset: offset)
    }
  }
}
