import DepthImages
import Testing

@Suite struct DepthMapMedianTests {
  static func median(_ values: [Float]) -> Float? {
    DepthMap(height: 1, width: values.count, unit: .metres, values: values).median()
  }

  @Test("a map's median is the upper middle of the valid values")
  func isTheMiddleOfTheValidValues() {
    #expect(Self.median([3]) == 3)
    #expect(Self.median([2, 2, 2]) == 2)
    #expect(Self.median([5, 1, 0, .nan, 3]) == 3)
    #expect(Self.median([1, 2, 3, 4]) == 3)
    #expect(Self.median([0, .infinity]) == nil)
    #expect(Self.median([.leastNonzeroMagnitude, .greatestFiniteMagnitude, 1]) == 1)
    #expect(Self.median([1, 1.0000001, 1.0000002]) == 1.0000001)
  }

  @Test("the median is the middle of the sorted values") func agreesWithSorting() {
    var seed: UInt32 = 1
    for count in [1, 2, 10, 1001] {
      let values = (0..<count).map { _ -> Float in
        seed = seed &* 1_664_525 &+ 1_013_904_223
        return Float(seed >> 8) / 1e6 + 0.1
      }
      #expect(Self.median(values) == values.sorted()[count / 2])
    }
  }

  /// The values include gaps, equal values, and many values in the median's interval.
  @Test("median and range of a map are equal on any number of threads")
  func isTheSameOnAnyNumberOfThreads() {
    var seed: UInt32 = 7
    let values = (0..<600_001).map { index -> Float in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      if seed % 11 == 0 { return index % 2 == 0 ? .nan : -1 }
      return seed % 3 == 0 ? 2 : 1.9999 + Float(seed >> 8) / 1e11 + (index % 1000 == 0 ? 500 : 0)
    }
    let map = DepthMap(height: 1, width: values.count, unit: .metres, values: values)
    let sorted = values.filter { $0 > 0 }.sorted()
    for threads in [1, 2, 5] {
      #expect(map.median(threads: threads) == sorted[sorted.count / 2])
      #expect(map.valueRange(threads: threads)?.missing == values.count - sorted.count)
    }
    #expect(map.range()?.low == sorted.first)
    #expect(map.range()?.high == sorted.last)
  }

  @Test("zero and negative values of a normalized map are valid")
  func normalizedMapsHaveNegativeAndZeroValues() {
    let map = DepthMap(
      height: 1, width: 5, unit: .normalized(near: .white), values: [-2, 0, .infinity, -3, 1])
    #expect(map.median() == 0)
    #expect(map.range()?.low == -3)
    #expect(map.range()?.high == 1)
  }
}
