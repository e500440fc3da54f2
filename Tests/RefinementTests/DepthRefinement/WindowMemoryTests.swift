import DepthBase
import DepthErrors
import DepthImages
import Testing
import _TestSupport

@testable import DepthRefinement

@Suite struct WindowMemoryTests {
  /// One thread filters sixteen rows, so further threads have no rows.
  @Test("window memory counts only threads with rows") func onlyThreadsWithRowsCount() {
    let method = RefinementMethod.bilateral(BilateralFilter(radius: 1000))
    let one = method.windowBytes(height: 16, width: 4000, threads: 1)
    #expect(one == 5 * 4 * 2000 * 6000)
    #expect(method.windowBytes(height: 16, width: 4000, threads: 64) == one)
    #expect(method.windowBytes(height: 17, width: 4000, threads: 64) == 2 * one)
  }

  @Test("a Gaussian's memory is as wide as the map") func gaussianRowsHaveNoMargins() {
    let method = RefinementMethod.bilateral(.gaussian(radius: 1000))
    #expect(method.windowBytes(height: 16, width: 100, threads: 1) == 2 * 4 * 198 * 100)
  }

  /// A window that would exceed the limit is refused before memory is reserved.
  @Test(
    "refinement with one byte less than needed is refused",
    arguments: [
      RefinementMethod.bilateral(BilateralFilter(radius: 30)),
      .bilateral(.gaussian(radius: 30)), .none,
    ])
  func theWindowIsAskedFor(method: RefinementMethod) async throws {
    let photo = testImage(height: 40, width: 50)
    let map = DepthMap(
      height: 4, width: 5, unit: .metres, values: .init(repeating: 2, count: 20))
    let window = method.windowBytes(height: 40, width: 50, threads: 1)
    let needed = MemoryNeed(.map, pixels: 2000, mapPixels: 20).bytes + window
    func refine(_ bytes: Int) async throws -> DepthMap {
      try await map.refined(
        guidedBy: photo, method: method, threads: 1, limits: ImageLimits(maximumBytes: bytes))
    }
    #expect(try await refine(needed).width == 50)
    func refineAtOnce(_ bytes: Int) throws -> DepthMap {
      try map.refined(
        guidedBy: photo, method: method, threads: 1, limits: ImageLimits(maximumBytes: bytes))
    }
    #expect(try refineAtOnce(needed).width == 50)
    let error = await #expect(throws: DepthError.self) { try await refine(needed - 1) }
    #expect(error?.code == .insufficientMemory)
    let same = #expect(throws: DepthError.self) { try refineAtOnce(needed - 1) }
    #expect(same?.code == .insufficientMemory)
  }
}
