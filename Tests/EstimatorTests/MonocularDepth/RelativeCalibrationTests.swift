import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import MonocularDepth

/// Scale and shift of relative disparity from known points and sparse maps.
@Suite struct RelativeCalibrationTests {
  private static let (scale, shift) = (0.07, 0.11)
  private static let (height, width) = (30, 40)

  /// Relative disparity 0…5.9, and the true depth of each pixel.
  private let relative = DepthMap(
    height: height, width: width, unit: .relativeDisparity,
    values: (0..<height * width).map { Float(($0 * 37 % 60)) / 10 })

  private func truth(_ x: Int, _ y: Int) -> Double {
    1 / (Self.scale * Double(relative.values[y * Self.width + x]) + Self.shift)
  }

  private func calibration(_ points: [(Int, Int, Double)]) throws -> DepthCalibration {
    try DepthCalibration(
      points.map { .init(x: $0.0, y: $0.1, metres: $0.2) }, depth: relative,
      photoHeight: Self.height, width: Self.width)
  }

  @Test("two points give a scale and a shift") func twoPointsGiveScaleAndShift() throws {
    let found = try calibration([(0, 0, truth(0, 0)), (1, 0, truth(1, 0))])
    #expect(abs(found.scale - Self.scale) < 1e-6 && abs(found.shift - Self.shift) < 1e-6)
    #expect(found.mapUnit == .relativeDisparity)
    for residual in found.residuals {
      #expect(abs(residual.error) < 1e-9 && residual.mapUnit == .relativeDisparity)
    }
    let metres = try relative.calibrated(by: found)
    #expect(metres.unit == .metres)
    for (x, y) in [(3, 0), (17, 12), (39, 29)] {
      #expect(abs(Double(metres.values[y * Self.width + x]) - truth(x, y)) < 1e-4)
    }
    let fit = try #require(found.fit)
    #expect(fit.points == 2 && fit.leftOut == 0 && fit.rms < 1e-9)
  }

  @Test("one wrong point among six is left out and named") func aWrongPointIsLeftOut() throws {
    var points = [(0, 0), (1, 0), (2, 3), (9, 4), (20, 20), (30, 11)].map {
      ($0.0, $0.1, truth($0.0, $0.1))
    }
    points[3].2 *= 2
    let found = try calibration(points)
    #expect(abs(found.scale - Self.scale) < 1e-6 && abs(found.shift - Self.shift) < 1e-6)
    #expect(found.residuals.map(\.isLeftOut) == [false, false, false, true, false, false])
    #expect(abs(found.residuals[3].error + points[3].2 / 2) < 1e-4)
    #expect(found.fit?.leftOut == 1)
    // Points that agree within the accuracy of such maps are all used.
    let near = points.enumerated().map {
      ($1.0, $1.1, truth($1.0, $1.1) * ($0 % 2 == 0 ? 1.02 : 0.98))
    }
    #expect(try calibration(near).residuals.allSatisfy { !$0.isLeftOut })
    // The stated error is the error of the used points.
    points = near
    points[3].2 *= 2
    let rough = try calibration(points)
    let used = rough.residuals.filter { !$0.isLeftOut }
    let squares = used.reduce(0) { $0 + $1.error * $1.error }
    #expect(used.count == 5 && squares > 0)
    #expect(try abs(#require(rough.fit).rms - (squares / 5).squareRoot()) < 1e-9)
  }

  /// Among three points, the wrong point cannot be identified.
  @Test(
    "a wrong point is left out among at least four points",
    arguments: [(3, false), (4, true), (5, true)])
  func outliersNeedFourPoints(count: Int, isLeftOut: Bool) {
    let u = (1...count).map(Double.init)
    for wrong in 0..<count - 2 {
      var v = u.map { 0.5 * $0 + 0.1 }
      v[wrong + 1] *= 3
      let line = RobustLine(through: u, v)
      #expect(line.isUsed == (0..<count).map { $0 != wrong + 1 || !isLeftOut }, "\(wrong + 1)")
    }
  }

  @Test(
    "a sparse map with half of its points beyond infinity is refused",
    arguments: [
      ([0, 4, 5, 10], [true, false, false, false]), ([0, 0.1, 5, 10], nil),
    ] as [([Double], [Bool]?)])
  func halfOfThePointsMayNotBeBeyondInfinity(u: [Double], isBeyond: [Bool]?) throws {
    func fit(isSparse: Bool) throws -> DepthCalibration.PointFit {
      try DepthCalibration.PointFit(
        u, metres: [1000, 1000, 1000, 1], map: relative, isRobust: false, isSparse: isSparse)
    }
    if let isBeyond {
      #expect(try fit(isSparse: true).isUsed == isBeyond.map { !$0 })
    } else {
      let error = #expect(throws: DepthError.self) { try fit(isSparse: true) }
      #expect(error?.code == .contradiction)
    }
    // Typed points are few, so all of them must be closer than infinity.
    #expect(throws: DepthError.self) { try fit(isSparse: false) }
  }

  @Test("a sparse map with 20 % wrong points gives scale and shift")
  func sparseMapsGiveScaleAndShift() throws {
    let (up, across) = (Self.height, Self.width)
    // Every seventh pixel is known, and a fifth of the known pixels are wrong.
    var aligned = [Float](repeating: 0, count: up * across)
    for index in stride(from: 0, to: aligned.count, by: 7) {
      let isWrong = index / 7 % 5 == 0
      aligned[index] = Float(truth(index % across, index / across) * (isWrong ? 0.4 : 1))
    }
    let sparse = DepthMap(height: up, width: across, unit: .metres, values: aligned)
    let found = try DepthCalibration(sparse: sparse, depth: relative)
    #expect(abs(found.scale - Self.scale) < 1e-5 && abs(found.shift - Self.shift) < 1e-5)
    #expect(found.residuals.isEmpty && found.mapUnit == .relativeDisparity)
    let fit = try #require(found.fit)
    let count = (up * across + 6) / 7
    #expect(fit.points == count && fit.leftOut == (count + 4) / 5)
    #expect(fit.rms < 1e-4 && fit.medianError < 1e-4)
    // The sparse map converted to disparity.
    let again = try DepthCalibration(sparse: sparse.inDisparity(), depth: relative)
    #expect(abs(again.scale - found.scale) < 1e-6)
  }

  /// Every eleventh pixel of a ramp is known, and a fifth of these pixels are wrong. Values between
  /// two pixels of a ramp are exact.
  @Test("a sparse map of three times the size gives scale and shift")
  func sparseMapsOfAnotherSizeGiveScaleAndShift() throws {
    let (height, width, times) = (30, 40, 3)
    func disparity(_ x: Double, _ y: Double) -> Double { 1 + x / 10 + y / 20 }
    let ramp = DepthMap(
      height: height, width: width, unit: .relativeDisparity,
      values: (0..<height * width).map {
        Float(disparity(Double($0 % width), Double($0 / width)))
      })
    var values = [Float](repeating: 0, count: height * width * times * times)
    for index in stride(from: 0, to: values.count, by: 11) {
      // The center of a small pixel, in pixels of the ramp.
      func place(_ index: Int) -> Double { (Double(index) + 0.5) / Double(times) - 0.5 }
      let relative = disparity(place(index % (width * times)), place(index / (width * times)))
      values[index] = Float((index / 11 % 5 == 0 ? 0.4 : 1) / (0.25 * relative + 0.1))
    }
    let sparse = DepthMap(
      height: height * times, width: width * times, unit: .metres, values: values)
    let found = try DepthCalibration(sparse: sparse, depth: ramp)
    #expect(abs(found.scale - 0.25) < 0.0025, "\(found.scale)")
    #expect(abs(found.shift - 0.1) < 0.01, "\(found.shift)")
  }

  @Test("a map in metres is fitted to a sparse map") func metresAreFittedToSparseMaps() throws {
    let metres = DepthMap(
      height: 4, width: 6, unit: .metres, values: (0..<24).map { Float($0 % 6) + 1 })
    let known = DepthMap(
      height: 4, width: 6, unit: .metres,
      values: metres.values.map { 1 / (0.8 / $0 + 0.05) })
    let found = try DepthCalibration(sparse: known, depth: metres)
    #expect(abs(found.scale - 0.8) < 1e-5 && abs(found.shift - 0.05) < 1e-5)
    #expect(found.mapUnit == .metres && found.fit?.leftOut == 0)
  }

  @Test("points that cannot calibrate relative disparity are refused")
  func pointsThatCannotCalibrateAreNamed() throws {
    #expect(throws: DepthError.onePoint) { try calibration([(0, 0, 2)]) }
    #expect(relative.values[0] == relative.values[60])
    #expect(throws: DepthError.sameDepth(metres: nil)) {
      try calibration([(0, 0, 2), (20, 1, 3)])
    }
    // Points that are nearer in the map are farther in truth.
    let turned = try #require(throws: DepthError.self) {
      try calibration([(0, 0, truth(1, 0)), (1, 0, truth(0, 0))])
    }
    #expect(turned.code == .contradiction)
    let empty = DepthMap(height: 3, width: 4, unit: .metres, values: .init(repeating: 0, count: 12))
    #expect(throws: DepthError.noSparsePoints(found: 0)) {
      try DepthCalibration(sparse: empty, depth: relative)
    }
    #expect(throws: DepthError.self) {
      try DepthCalibration(sparse: relative, depth: relative)
    }
  }

  @Test("a calibration for a map of another unit is refused")
  func mapsOfTheOtherKindAreRefused() throws {
    let found = try calibration([(0, 0, truth(0, 0)), (1, 0, truth(1, 0))])
    let metres = try relative.calibrated(by: found)
    #expect(throws: DepthError.otherMaps(expected: .relativeDisparity, found: .metres)) {
      try metres.calibrated(by: found)
    }
    #expect(throws: DepthError.otherMaps(expected: .metres, found: .relativeDisparity)) {
      try relative.calibrated(by: DepthCalibration(scale: 1, shift: 0))
    }
    #expect(throws: DepthError.noUnit(for: "a calibration")) {
      try relative.normalized().calibrated(by: found)
    }
  }

  @Test("relative disparity that calibration moves to 0 has no value")
  func pixelsBeyondInfinityHaveNoValue() throws {
    var calibration = DepthCalibration(scale: 0.5, shift: -0.6)
    calibration.mapUnit = .relativeDisparity
    let map = DepthMap(
      height: 1, width: 4, unit: .relativeDisparity, values: [0, 1, 2.2, .nan])
    let metres = try map.calibrated(by: calibration)
    #expect(metres.values[0] == 0 && metres.values[1] == 0 && metres.values[3] == 0)
    #expect(abs(metres.values[2] - 2) < 1e-5)
  }

  @Test("calibration files record the map's unit and outliers")
  func filesRecordTheMapUnit() throws {
    let folder = try TemporaryFolder()
    let file = URL(filePath: folder.path("c.json"))
    var points = [(0, 0), (1, 0), (2, 3), (9, 4), (20, 20)].map {
      ($0.0, $0.1, truth($0.0, $0.1))
    }
    points[1].2 *= 3
    let written = try calibration(points)
    try written.write(to: file)
    #expect(try DepthCalibration(contentsOf: file) == written)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains("\"map_unit\":\"relative-disparity\"") && text.contains("\"version\":2"))
    #expect(text.contains("predicted_disparity") && !text.contains("predicted_m"))
    #expect(text.contains("\"left_out\":true") && text.contains("\"rms_m\""))
  }

  @Test(
    "a calibration file that contradicts itself is refused",
    arguments: [
      #"{"format":"depth-calibration","version":1,"map_unit":"relative-disparity","scale":1,"shift":0}"#,
      #"{"format":"depth-calibration","version":2,"map_unit":"metres","scale":1,"shift":0}"#,
      #"{"format":"depth-calibration","version":2,"scale":1,"shift":0}"#,
      #"{"format":"depth-calibration","version":3,"map_unit":"relative-disparity","scale":1,"shift":0}"#,
      #"{"format":"depth-calibration","version":2,"map_unit":"parsec","scale":1,"shift":0}"#,
      #"{"format":"depth-calibration","version":2,"map_unit":"relative-disparity","scale":1,"shift":0,"fit":{}}"#,
      #"{"format":"depth-calibration","version":1,"scale":1,"shift":0,"points":[{"x":1,"y":1,"metres":2,"calibrated_m":2}]}"#,
    ])
  func filesThatContradictThemselvesAreRefused(text: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(text.utf8), to: "c.json")
    let error = try #require(throws: DepthError.self) {
      try DepthCalibration(contentsOf: URL(filePath: file))
    }
    #expect(error.code == .damaged)
  }

  /// Two thirds of 150 000 known pixels are on one wall. The pixels below the wall determine the
  /// scale. One pixel in eleven is wrong.
  @Test("a large sparse map is sampled everywhere") func allOfALargeSparseMapCounts() throws {
    let (height, width) = (300, 500)
    let disparity = (0..<height * width).map { index -> Float in
      2 + Float(max(index / width - 200, 0)) / 25
    }
    let map = DepthMap(height: height, width: width, unit: .relativeDisparity, values: disparity)
    let sparse = DepthMap(
      height: height, width: width, unit: .metres,
      values: disparity.indices.map {
        ($0 % 11 == 0 ? 0.4 : 1) / (0.3 * disparity[$0] + 0.05)
      })
    let found = try DepthCalibration(sparse: sparse, depth: map)
    #expect(abs(found.scale - 0.3) < 1e-4 && abs(found.shift - 0.05) < 1e-4)
    #expect(found.fit?.points == 100_000)
    #expect(found.fit?.leftOut == (0..<100_000).count { $0 * 3 / 2 % 11 == 0 })
  }

  /// The fitted line is close to all 21 points, but puts 12 points beyond infinity.
  @Test("a sparse map with most points beyond infinity is refused")
  func aSparseMapThatContradictsTheMapIsRefused() throws {
    let points: [(relative: Float, metres: Float, count: Int)] = [
      (0, 100, 4), (0, 100_000, 8), (0.5, 100, 5), (0.8, 12.5, 4), (0, 0, 11),
    ]
    func map(_ unit: DepthMap.Unit, _ values: [[Float]]) -> DepthMap {
      DepthMap(height: 1, width: 32, unit: unit, values: Array(values.joined()))
    }
    let error = #expect(throws: DepthError.self) {
      try DepthCalibration(
        sparse: map(.metres, points.map { .init(repeating: $0.metres, count: $0.count) }),
        depth: map(
          .relativeDisparity, points.map { .init(repeating: $0.relative, count: $0.count) }))
    }
    #expect(error?.code == .contradiction)
  }

  /// The median of six errors is the mean of the middle two; another would keep the wrong point.
  @Test("a line fit leaves out one wrong point among six") func aWrongPointOfSixIsLeftOut() {
    let line = RobustLine(through: [0, 1, 2, 3, 4, 5], [9, 20, 31, 39, 51, 69])
    #expect(line.isUsed == [true, true, true, true, true, false])
  }
}
