import CDepthLibrary
import Testing

@testable import DepthLibrary

/// Failures of calls through `depth.h`.
@Suite struct CallFailureTests {
  /// A file's header may state 4 294 967 295 columns, but an `int32_t` cannot.
  @Test("a picture side beyond Int32 is too large") func sidesFitIntoTheStructure() throws {
    let largest = Int(Int32.max)
    let (height, width) = try sides(1, largest)
    #expect(height == 1 && width == Int32.max)
    for (height, width) in [(1, largest + 1), (4_294_967_295, 1), (.max, .max)] {
      let failure = #expect(throws: CallFailure.self) { try sides(height, width) }
      #expect(failure?.status == DEPTH_TOO_LARGE)
      #expect(failure?.description.contains("\(width)×\(height) pixels") == true)
    }
  }
}
