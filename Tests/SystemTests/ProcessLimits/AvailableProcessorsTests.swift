import Foundation
import Testing

@testable import DepthBase

@Suite struct AvailableProcessorsTests {
  @Test("available processors are between one and the system's number")
  func isAtLeastOneAndNoMoreThanTheSystemLetsUsUse() {
    #expect((1...ProcessInfo.processInfo.activeProcessorCount).contains(availableProcessors))
  }

  @Test(
    "a processor quota is rounded down, to at least one",
    arguments: [
      ("200000 100000\n", 2), ("150000 100000", 1), ("50000 100000", 1), ("max 100000", nil),
      ("", nil), ("100000", nil), ("100000 0", nil), ("x y", nil),
    ] as [(String, Int?)])
  func wholeProcessorsOfAQuota(text: String, expected: Int?) {
    #expect(wholeProcessors(ofQuota: text) == expected)
  }

  @Test(
    "the first number of an OpenMP setting is the thread count",
    arguments: [
      ("4", 4), (" 3 ", 3), ("2,8", 2), ("1,", 1), ("0", nil), ("-2", nil), ("", nil), ("x", nil),
      (",4", nil), ("99999999999999999999", nil),
    ] as [(String, Int?)])
  func threadsOfOpenMP(text: String, expected: Int?) {
    #expect(threads(ofOpenMP: text) == expected)
  }
}
