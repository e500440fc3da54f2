import DepthImages
import ProcessLimits
import Testing
import _TestSupport

@testable import DepthRefinement

@Suite(.offPool) struct RefinementMemoryTests {
  private func bytes(
    _ method: RefinementMethod, height: Int, width: Int, threads: Int
  ) -> Int {
    let map = DepthMap(height: 1, width: 1, unit: .metres, values: [1])
    let photo = Image(
      height: height, width: width, pixels: [UInt8](repeating: 0, count: 3 * height * width))
    return MemoryNeed(
      refining: map, height: height, width: width, photo: photo, method: method, threads: threads
    ).bytes
  }

  /// Sixteen rows are the work of one thread, so that others keep no rows of their own.
  @Test func onlyThreadsWithRowsCount() {
    let method = RefinementMethod.bilateral(BilateralFilter(radius: 1000))
    let one = bytes(method, height: 16, width: 4000, threads: 1)
    let rows = 5 * 4 * 2000 * 6000
    #expect(one > rows)
    #expect(bytes(method, height: 16, width: 4000, threads: 64) == one)
    #expect(bytes(method, height: 17, width: 4000, threads: 64) > one + rows)
  }

  /// The Gaussian keeps rows of the map's own width.
  @Test func gaussianRowsHaveNoMargins() {
    let method = RefinementMethod.gaussian(GaussianFilter(radius: 1000))
    let need = bytes(method, height: 16, width: 100, threads: 1)
    let rows = 2 * 4 * 198 * 100
    #expect(need > rows && need < 2 * rows + 4_100_000, "\(need)")
  }
}
