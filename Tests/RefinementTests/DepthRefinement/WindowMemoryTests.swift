import Testing

@testable import DepthRefinement

@Suite struct WindowMemoryTests {
  /// Sixteen rows are the work of one thread, so that others keep no rows of their own.
  @Test func onlyThreadsWithRowsCount() {
    let method = RefinementMethod.bilateral(BilateralFilter(radius: 1000))
    let one = method.windowBytes(height: 16, width: 4000, threads: 1)
    #expect(one == 5 * 4 * 2000 * 6000)
    #expect(method.windowBytes(height: 16, width: 4000, threads: 64) == one)
    #expect(method.windowBytes(height: 17, width: 4000, threads: 64) == 2 * one)
  }

  /// The Gaussian keeps rows of the map's own width.
  @Test func gaussianRowsHaveNoMargins() {
    let method = RefinementMethod.gaussian(GaussianFilter(radius: 1000))
    #expect(method.windowBytes(height: 16, width: 100, threads: 1) == 2 * 4 * 198 * 100)
  }
}
