import DepthImages
import Testing
import _TestSupport

@Suite struct SelectionTests {
  @Test("selection finds the element at an index after sorting", arguments: [1, 2, 3, 10, 101])
  func findsTheElementOfASort(count: Int) {
    let random = MadeUpPictures.values(count)
    for values in [
      random, random.sorted(), Array(random.sorted().reversed()),
      random.map { ($0 * 4).rounded() }, [Float](repeating: 2, count: count),
    ] {
      let sorted = values.sorted()
      for index in values.indices {
        #expect(sortedElement(of: values, at: index) == sorted[index], "\(index) of \(values)")
      }
    }
  }
}
