import DepthErrors
import DepthImages
import Testing

@testable import DepthEvaluation

@Suite struct DisparityAlignmentTests {
  /// The points (0, 1), (1, 3) and (2, 2) have the least-squares line y = 1.5 + 0.5 x.
  @Test("a fitted line solves the normal equations") func theLineSolvesTheNormalEquations() {
    var line = LeastSquaresLine()
    for (x, y) in [(0.0, 1.0), (1, 3), (2, 2)] { line.add(x, y) }
    #expect(abs(line.slope - 0.5) < 1e-15 && abs(line.intercept - 1.5) < 1e-15)
  }

  /// Plain sums of squares would lose the slope of values far from 0.
  @Test("a line keeps its slope for values far from 0") func valuesFarFromZeroKeepTheirSlope() {
    var line = LeastSquaresLine()
    for i in 0..<1000 { line.add(1e8 + Double(i), 3 * Double(i) - 7) }
    #expect(abs(line.slope - 3) < 1e-6)
  }

  @Test("points of equal x give a constant line") func sameValuesGiveTheMean() {
    var line = LeastSquaresLine()
    for y in [1.0, 2, 6] { line.add(0.1, y) }
    #expect(line.slope == 0 && abs(line.intercept - 3) < 1e-15)
  }

  @Test("aligned depth is limited if the line falls to 0")
  func depthStaysFiniteWhereTheLineFallsToZero() {
    var line = LeastSquaresLine()
    line.add(1, 0.5)
    line.add(3, 1.5)  // disparity / 2
    let indoors = DisparityAlignment(line, farthestTruth: 4)
    #expect(abs(indoors.depth(of: 2) - 1) < 1e-12)
    #expect(indoors.depth(of: 0) == 10 && indoors.depth(of: -5) == 10)
    #expect(DisparityAlignment(line, farthestTruth: 10.5).depth(of: 0) == 80)
  }

  /// The limit for rooms includes a hall of exactly ten metres. Streets have the other limit.
  @Test(
    "truth up to 10 m limits aligned depth to 10 m",
    arguments: [(9.9, 10), (10, 10), (10.1, 80)] as [(Double, Double)])
  func tenMetresAreARoom(farthest: Double, limit: Double) {
    var line = LeastSquaresLine()
    line.add(1, 0.5)
    line.add(3, 1.5)
    #expect(DisparityAlignment(line, farthestTruth: farthest).depth(of: 0) == limit)
  }

  /// Scale and shift of relative disparity change only float32 rounding.
  @Test(
    "alignment removes the scale and shift of disparity",
    arguments: [(1, 0), (17, -3), (0.01, 250), (-2, 9)] as [(Float, Float)])
  func scaleAndShiftOfDisparityAreForgiven(scale: Float, shift: Float) throws {
    let truth = Scenes.truth(height: 20, width: 30, holes: true)
    let relative = DepthMap(
      height: 20, width: 30, unit: .disparity,
      values: truth.values.map { truth.hasValue($0) ? scale / $0 + shift : shift })
    let errors = try FrameErrors(of: relative, truth: truth, under: .aligned, name: "")
    #expect(DepthMetrics(errors).rel < (abs(shift) > 99 * abs(scale) ? 2e-2 : 1e-5))
    #expect(errors.clamped == 0)
  }

  /// Disparity 0 is infinitely far. Pixels of 0 m or NaN have no prediction, and the fit ignores
  /// them.
  @Test("missing predictions do not move the fit") func missingPredictionsDoNotMoveTheFit() throws {
    let truth = Scenes.truth(height: 20, width: 30)
    func errors(_ unit: DepthMap.Unit, _ value: Float) throws -> FrameErrors {
      var values = truth.values.map { unit == .metres ? $0 : 1 / $0 }
      values[77] = value
      return try FrameErrors(
        of: DepthMap(height: 20, width: 30, unit: unit, values: values), truth: truth,
        under: .aligned, name: "")
    }
    let cases: [(DepthMap.Unit, Float)] = [(.metres, 0), (.metres, .nan), (.disparity, .nan)]
    for (unit, value) in cases {
      let damaged = try errors(unit, value)
      #expect(damaged.clamped == 1)
      #expect(damaged.sums.within1 == 599)
      #expect(abs(DepthMetrics(damaged).rel * 600 - 1) < 1e-2)
    }
    #expect(try errors(.disparity, 0).clamped == 0)
  }

  @Test("a map without predictions is aligned to the farthest depth")
  func aMapWithoutAnyPredictionIsFarAway() throws {
    let truth = Scenes.truth(height: 4, width: 5)
    let nothing = DepthMap(
      height: 4, width: 5, unit: .metres, values: [Float](repeating: 0, count: 20))
    let errors = try FrameErrors(of: nothing, truth: truth, under: .aligned, name: "")
    #expect(errors.pixels == 20 && errors.clamped == 20)
    let blind = #expect(throws: DepthError.self) {
      try FrameErrors(of: truth, truth: nothing, under: .aligned, name: "dark")
    }
    #expect(blind == DepthError.noTruth(frame: "dark", protocol: "aligned"))
  }

  @Test("only the aligned protocol accepts relative disparity")
  func relativeDisparityIsAligned() throws {
    let truth = Scenes.truth(height: 12, width: 15)
    for (scale, shift) in [(Float(1), Float(0)), (0.03, -2), (700, 12)] {
      let relative = DepthMap(
        height: 12, width: 15, unit: .relativeDisparity,
        values: truth.values.map { $0 > 0 ? scale / $0 + shift : .nan })
      let errors = try FrameErrors(of: relative, truth: truth, under: .aligned, name: "")
      #expect(DepthMetrics(errors).rel < 1e-3)
      for evaluation in EvaluationProtocol.allCases where evaluation != .aligned {
        #expect(throws: DepthError.notMetric(file: "relative")) {
          try FrameErrors(of: relative, truth: truth, under: evaluation, name: "relative")
        }
      }
    }
  }

  @Test("a normalized map is refused by every protocol") func normalizedMapsAreRefused() throws {
    let truth = Scenes.truth(height: 4, width: 5)
    for evaluation in EvaluationProtocol.allCases {
      #expect(throws: DepthError.notMetric(file: "gray")) {
        try FrameErrors(
          of: truth.normalized(near: .white), truth: truth, under: evaluation, name: "gray")
      }
    }
  }
}
