import Foundation
import Testing

@testable import ProcessLimits

@Suite struct AvailableProcessorsTests {
  @Test func isAtLeastOneAndNoMoreThanTheSystemLetsUsUse() {
    #expect((1...ProcessInfo.processInfo.activeProcessorCount).contains(availableProcessors))
  }

  @Test(
    arguments: [
      ("200000 100000\n", 2), ("150000 100000", 1), ("50000 100000", 1), ("max 100000", nil),
      ("", nil), ("100000", nil), ("100000 0", nil), ("x y", nil),
    ] as [(String, Int?)])
  func wholeProcessorsOfAQuota(text: String, expected: Int?) {
    #expect(wholeProcessors(ofQuota: text) == expected)
  }
}
