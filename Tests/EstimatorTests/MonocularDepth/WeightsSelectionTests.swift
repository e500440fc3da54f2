import DepthErrors
import Foundation
import Testing

@testable import MonocularDepth

@Suite struct WeightsSelectionTests {
  @Test("a weights name is located on loading") func namesAreLocatedWhenTheyAreLoaded() throws {
    var weights = WeightsSelection.compact
    weights.averagesMirrored = true
    let files = try WeightsSelection(named: ["compact"]).files
    #expect(weights.files.isEmpty && !files.isEmpty)
    #expect(try weights.sources().map(\.file) == files)
    let estimator = try DepthEstimator(weights, threads: 1)
    #expect(estimator.weights == files && estimator.averagesMirrored)
    let file = URL(filePath: "a.h5")
    #expect(try WeightsSelection.file(file).sources() == [.file(file)])
    let error = #expect(throws: DepthError.self) { try DepthEstimator(.named("no-such-weights")) }
    #expect(error?.code == .unreadable && error?.file == "no-such-weights")
  }
}
