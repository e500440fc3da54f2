import DepthBase
import DepthImages
import Foundation
import HDF5Files
import Testing
import _TestSupport

@testable import DepthEvaluation

@Suite struct MetricsTests {
  /// Each measure is within 1e-6 of the golden value.
  @Test(
    "measures equal the golden file's measures",
    arguments: [("metric_", Float.infinity), ("metric_masked_below_5m_", 5)])
  func golden(prefix: String, farthest: Float) throws {
    let file = try Golden.protocol()
    var rows = BilinearRows(
      try file.dataset("pred_128x160").floats(), height: 128, width: 160, toHeight: 480, width: 640)
    // The formula from which the golden file's truth was made.
    let truth = (0..<480 * 640).map { i -> Float in
      let (y, x) = (i / 640, i % 640)
      return Float(
        1 + Double(x) / 160 + Double(y) / 240 + Double((y / 60 + x / 80) % 3) * 0.75)
    }
    let sums = DepthComparison(
      rows.all(), truth: truth, width: 640,
      in: DepthRegion(rows: 0..<480, columns: 0..<640, farthest: farthest)
    ).sums
    let metrics = DepthMetrics(FrameErrors(sums: sums, boundaryF1: 0))
    let names = ["rel", "rms", "log10", "rmslog", "delta1", "delta2", "delta3"].map { prefix + $0 }
    let expected = try file.attributes(named: names)
    for (name, value) in [
      ("rel", metrics.rel), ("rms", metrics.rms), ("log10", metrics.log10),
      ("rmslog", metrics.rmsLog), ("delta1", metrics.delta1), ("delta2", metrics.delta2),
      ("delta3", metrics.delta3),
    ] {
      guard case .numbers(let numbers) = try #require(expected[prefix + name]) else {
        Issue.record("\(prefix + name) is no number")
        continue
      }
      #expect(abs(value - numbers[0]) < 1e-6, "\(prefix + name): \(value), \(numbers[0])")
    }
  }

  @Test(
    "measures equal their definitions on every instruction set",
    arguments: [(1, 1), (3, 5), (2, 7), (2, 8), (2, 9), (2, 17), (2, 31), (24, 32), (37, 53)],
    InstructionSet.supported)
  func sumsEqualTheDefinitions(size: (height: Int, width: Int), isa: InstructionSet) {
    let (height, width) = size
    let truth = Scenes.truth(height: height, width: width)
    let prediction = Scenes.prediction(of: truth).map(Double.init)
    let sums = DepthComparison(
      prediction, truth: truth.values, width: width,
      in: DepthRegion(rows: 0..<height, columns: 0..<width), isa: isa
    ).sums
    let metrics = DepthMetrics(FrameErrors(sums: sums, boundaryF1: 0))
    let reference = ReferenceMetrics(prediction, truth.values.map(Double.init))
    expectClose(
      metrics.named.dropLast().map(\.value), reference.all, absolute: 1e-9,
      "\(height)×\(width) \(isa)")
  }

  /// From a millionth to a million, including numbers where the logarithm's exponent changes.
  @Test("fast logarithms equal the system's within rounding", arguments: InstructionSet.supported)
  func logarithmsEqualTheSystems(isa: InstructionSet) {
    for power in -20...20 {
      for factor in [0.7071067, 0.7071068, 0.99999999, 1, 1.00000001, 1.4142135, 1.4142136] {
        let ratio = Foundation.pow(2, Double(power)) * factor
        let sums = DepthComparison(
          [ratio], truth: [1], width: 1, in: DepthRegion(rows: 0..<1, columns: 0..<1), isa: isa
        ).sums
        #expect(abs(sums.log - Foundation.log(ratio)) <= 4e-16 * max(1, abs(sums.log)))
      }
    }
  }

  @Test("a ratio of exactly 1.25 does not count for δ1") func aRatioOnTheLimitIsNotWithinIt() {
    let sums = DepthComparison(
      [1.25, 0.8, 1.249, 0.801], truth: [1, 1, 1, 1], width: 2,
      in: DepthRegion(rows: 0..<2, columns: 0..<2)
    ).sums
    #expect(sums.within1 == 2)
    #expect(sums.within2 == 4)
  }

  @Test("only pixels in the region and depth range count") func onlyTheRegionAndItsDepthsCount() {
    let truth: [Float] = [0, 1, 2, 3, .nan, 5, 6, 10, 8, 9, 10, .infinity]
    let region = DepthRegion(rows: 1..<3, columns: 0..<3, nearest: 1, farthest: 10)
    let sums = DepthComparison(truth.map { _ in 1 }, truth: truth, width: 4, in: region).sums
    #expect(sums.count == 4)  // 5, 6, 8 and 9
  }

  @Test("pooled and averaged errors equal their definitions") func pooledAndAveragedErrorsDiffer() {
    var near = DepthErrorSums()
    (near.count, near.squared, near.relative) = (1, 1, 0.5)
    var far = DepthErrorSums()
    (far.count, far.squared, far.relative) = (3, 27, 0.3)
    let frames = [near, far].map { FrameErrors(sums: $0, boundaryF1: 0.5) }
    #expect(DepthMetrics(pooling: frames).rms == 7.0.squareRoot())
    #expect(DepthMetrics(averaging: frames).rms == 2)
    #expect(abs(DepthMetrics(pooling: frames).rel - 0.2) < 1e-12)
    #expect(abs(DepthMetrics(averaging: frames).rel - 0.3) < 1e-12)
  }

  @Test(
    "boundary F1 equals its definition",
    arguments: [(1, 1), (1, 6), (6, 1), (5, 5), (23, 31)], [false, true])
  func boundaryF1EqualsTheDefinition(size: (height: Int, width: Int), holes: Bool) {
    let (height, width) = size
    let truth = Scenes.truth(height: height, width: width, holes: holes)
    var prediction = Scenes.prediction(of: truth, seed: "edges").map(Double.init)
    for i in prediction.indices where i % 3 > 0 && truth.hasValue(truth.values[i]) {
      prediction[i] = Double(truth.values[i]) * 1.01
    }
    let counts = DepthComparison(
      prediction, truth: truth.values, width: width,
      in: DepthRegion(rows: 0..<height, columns: 0..<width)
    ).boundaries
    let reference = ReferenceMetrics.boundaryF1(
      prediction,
      truth.values.map { truth.hasValue($0) ? Double($0) : nil }, height: height, width: width)
    #expect(abs(counts.f1 - reference) < 1e-12)
  }

  @Test("boundary F1 is 1 for correct and 0 for moved edges")
  func boundaryF1KnowsPerfectionScaleAndMisplacement() {
    // A near spot in the middle has edges in all four directions.
    func spot(at place: Int, scale: Double = 1) -> [Double] {
      (0..<49).map { ($0 == place ? 1 : 2) * scale }
    }
    func f1(_ prediction: [Double]) -> Double {
      DepthComparison(
        prediction, truth: spot(at: 24).map(Float.init), width: 7,
        in: DepthRegion(rows: 0..<7, columns: 0..<7)
      ).boundaries.f1
    }
    #expect(abs(f1(spot(at: 24)) - 1) < 1e-12)
    #expect(abs(f1(spot(at: 24, scale: 7)) - 1) < 1e-12)
    #expect(f1(spot(at: 26)) == 0)
    #expect(f1([Double](repeating: 2, count: 49)) == 0)
  }
}
