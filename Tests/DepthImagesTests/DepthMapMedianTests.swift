import DepthImages
import Testing

@Suite struct DepthMapMedianTests {
  static func median(_ values: [Float]) -> Float? {
    DepthMap(height: 1, width: values.count, unit: .metres, values: values).median
  }

  @Test func isTheMiddleOfTheValidValues() {
    #expect(Self.median([3]) == 3)
    #expect(Self.median([2, 2, 2]) == 2)
    #expect(Self.median([5, 1, 0, .nan, 3]) == 3)
    #expect(Self.median([1, 2, 3, 4]) == 3)
    #expect(Self.median([0, .infinity]) == nil)
    #expect(Self.median([.leastNonzeroMagnitude, .greatestFiniteMagnitude, 1]) == 1)
    #expect(Self.median([1, 1.0000001, 1.0000002]) == 1.0000001)
  }

  @Test func agreesWithSorting() {
    var seed: UInt32 = 1
    for count in [1, 2, 10, 1001] {
      let values = (0..<count).map { _ -> Float in
        seed = seed &* 1_664_525 &+ 1_013_904_223
        return Float(seed >> 8) / 1e6 + 0.1
      }
      #expect(Self.median(values) == values.sorted()[count / 2])
    }
  }
}
