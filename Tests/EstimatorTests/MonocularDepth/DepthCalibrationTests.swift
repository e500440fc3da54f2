import DepthBase
import DepthErrors
import DepthImages
import DepthRefinement
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

@Suite struct DepthCalibrationTests {
  /// A ramp of 1…6 metres from left to right, in four rows.
  private let ramp = DepthMap(
    height: 4, width: 6, unit: .metres, values: (0..<24).map { Float($0 % 6) + 1 })

  private func calibration(_ points: [(Int, Int, Double)]) throws -> DepthCalibration {
    try DepthCalibration(
      points.map { .init(x: $0.0, y: $0.1, metres: $0.2) }, depth: ramp, photoHeight: 4, width: 6)
  }

  @Test("one point gives a scale and no shift") func onePointGivesTheScaleAlone() throws {
    let found = try calibration([(1, 3, 3)])
    #expect(abs(found.scale - 2.0 / 3) < 1e-12)
    #expect(found.shift == 0)
    #expect(abs(found.residuals[0].calibrated - 3) < 1e-12)
    let corrected = try ramp.calibrated(by: found)
    expectClose(corrected.values, ramp.values.map { $0 * 1.5 }, absolute: 1e-6)
  }

  @Test("calibration meets two points exactly") func twoPointsAreMetExactly() throws {
    let found = try calibration([(0, 0, 1.2), (5, 0, 5)])
    for residual in found.residuals { #expect(abs(residual.error) < 1e-12) }
    let corrected = try ramp.calibrated(by: found)
    #expect(abs(corrected.values[0] - 1.2) < 1e-6)
    #expect(abs(corrected.values[5] - 5) < 1e-5)
  }

  @Test("more than two points are fitted by least squares")
  func morePointsAreMetByLeastSquaresOnDisparity() throws {
    // 1/Z = 0.8/Ẑ + 0.05, with errors orthogonal to scale and shift.
    let u = [1.0, 0.5, 1.0 / 3]
    let off = [u[1] - u[2], u[2] - u[0], u[0] - u[1]].map { $0 * 0.01 }
    let disparities: [Double] = zip(u, off).map { 0.8 * $0 + 0.05 + $1 }
    let points = disparities.enumerated().map { ($0, 1, 1 / $1) }
    let found = try calibration(points)
    #expect(abs(found.scale - 0.8) < 1e-9)
    #expect(abs(found.shift - 0.05) < 1e-9)
    #expect(found.residuals.allSatisfy { abs($0.error) > 1e-4 })
  }

  @Test("two points a tenth of a metre apart give scale and shift")
  func pointsOfNearlyOneDistanceGiveScaleAndShift() throws {
    let wall = DepthMap(height: 1, width: 2, unit: .metres, values: [3, 3.1])
    let points = wall.values.enumerated().map {
      DepthCalibration.KnownPoint(x: $0, y: 0, metres: 1 / (0.8 / Double($1) + 0.05))
    }
    let found = try DepthCalibration(points, depth: wall, photoHeight: 1, width: 2)
    #expect(abs(found.scale - 0.8) < 1e-9 && abs(found.shift - 0.05) < 1e-9)
  }

  @Test("a point mostly inside a gap has no depth") func pointsInGapsHaveNoDepth() throws {
    let map = DepthMap(height: 1, width: 2, unit: .metres, values: [0, 2])
    func predicted(_ x: Int) throws -> Double? {
      try DepthCalibration(
        [.init(x: x, y: 0, metres: 1)], depth: map, photoHeight: 4, width: 8
      ).residuals.first?.predicted
    }
    #expect(throws: DepthError.noValue(x: 3, y: 0)) { try predicted(3) }
    #expect(try predicted(4) == 2)
  }

  @Test("a pixel that calibration moves beyond infinity has no value")
  func pixelsBeyondInfinityHaveNoValue() throws {
    let pushed = try ramp.calibrated(by: DepthCalibration(scale: 1, shift: -0.25))
    #expect(pushed.values[3] == 0 && pushed.values[5] == 0)
    #expect(abs(pushed.values[1] - 4) < 1e-6)
    let hole = DepthMap(height: 1, width: 2, unit: .metres, values: [0, .nan])
    #expect(try hole.calibrated(by: DepthCalibration(scale: 2, shift: 1)).values == [0, 0])
    let farAway = DepthCalibration(scale: 1, shift: -2)
    #expect(throws: DepthError.nothingLeft(scale: 1, shift: -2)) {
      try ramp.calibrated(by: farAway)
    }
  }

  @Test("points that cannot calibrate are refused with a reason")
  func pointsThatCannotCalibrateAreNamed() throws {
    #expect(throws: DepthError.noPoints) { try calibration([]) }
    #expect(throws: DepthError.outsidePhoto(x: 6, y: 0, width: 6, height: 4)) {
      try calibration([(6, 0, 1)])
    }
    #expect(throws: DepthError.outsidePhoto(x: 0, y: -1, width: 6, height: 4)) {
      try calibration([(0, -1, 1)])
    }
    for metres in [3e-308, 1e-4, 1e7, .infinity] {
      #expect(throws: DepthError.invalidDistance(x: 1, y: 1, metres: metres)) {
        try DepthCalibration(
          [.init(x: 1, y: 1, metres: metres)],
          depth: DepthMap(height: 2, width: 2, unit: .metres, values: [1, 1, 1, 1]),
          photoHeight: 2, width: 2)
      }
    }
    #expect(throws: DepthError.invalidDistance(x: 1, y: 1, metres: -2)) {
      try calibration([(1, 1, -2)])
    }
    #expect(throws: DepthError.sameDepth(metres: 3)) {
      try calibration([(2, 0, 2), (2, 3, 4)])
    }
    #expect(throws: DepthError.self) { try calibration([(0, 0, 5), (5, 0, 1)]) }
    let hole = DepthMap(height: 1, width: 1, unit: .metres, values: [0])
    #expect(throws: DepthError.noValue(x: 0, y: 0)) {
      try DepthCalibration(
        [.init(x: 0, y: 0, metres: 1)], depth: hole, photoHeight: 1, width: 1)
    }
  }

  @Test("a calibration file keeps every bit") func filesKeepEveryBit() throws {
    let folder = try TemporaryFolder()
    var written = try calibration([(0, 0, 1.2), (5, 0, 5), (2, 2, 2.5)])
    written.weightsIdentifier = String(repeating: "a1", count: 32)
    written.refinement = .joint
    let file = URL(filePath: folder.path("camera.json"))
    try written.write(to: file)
    #expect(try DepthCalibration(contentsOf: file) == written)
    #expect(throws: DepthError.self) { try written.write(to: file, overwrite: false) }
  }

  /// Files without a recorded refinement were fitted to unrefined maps.
  @Test("a file without a refinement is read as unrefined") func olderFilesStayReadable() throws {
    let folder = try TemporaryFolder()
    let text = #"{"format":"depth-calibration","version":1,"scale":1.5,"shift":0.25,"points":[]}"#
    let file = try folder.write(Array(text.utf8), to: "camera.json")
    #expect(
      try DepthCalibration(contentsOf: URL(filePath: file))
        == DepthCalibration(scale: 1.5, shift: 0.25, refinement: .none))
  }

  @Test(
    "a missing or wrong key of a calibration file is named",
    arguments: [
      ("{}", "the key 'format' is missing"),
      (#"{"format":"depth-calibration","scale":1,"shift":0}"#, "the key 'version' is missing"),
      (#"{"format":"depth-calibration","version":1,"shift":0}"#, "the key 'scale' is missing"),
      (#"{"format":"depth-calibration","version":1,"scale":1}"#, "the key 'shift' is missing"),
      (
        #"{"format":"depth-calibration","version":2,"scale":1,"shift":0}"#,
        "is depth-calibration version 2 without the key 'map_unit'"
      ),
      (
        #"{"format":"depth-calibration","version":1,"scale":1,"shift":0,"fit":{}}"#,
        "the key 'fit.points' is missing"
      ),
      (
        #"{"format":"depth-calibration","version":1,"scale":"1","shift":0}"#,
        "the key 'scale' has a value of the wrong type"
      ),
      (
        #"{"format":"depth-calibration","version":1,"scale":1,"shift":null}"#,
        "the key 'shift' has a value of the wrong type"
      ),
    ])
  func missingKeysAreNamed(text: String, reason: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(text.utf8), to: "camera.json")
    let error = try #require(throws: DepthError.self) {
      try DepthCalibration(contentsOf: URL(filePath: file))
    }
    #expect(error.message == "is not a calibration: \(reason)")
  }

  @Test(
    "an invalid calibration file is refused",
    arguments: [
      "", "[]", "{\"scale\":1}",
      #"{"format":"other","version":1,"scale":1,"shift":0,"points":[]}"#,
      #"{"format":"depth-calibration","version":2,"scale":1,"shift":0,"points":[]}"#,
      #"{"format":"depth-calibration","version":1,"scale":-1,"shift":0,"points":[]}"#,
      #"{"format":"depth-calibration","version":1,"scale":1,"shift":0,"points":[],"refinement":"x"}"#,
    ])
  func otherFilesAreRefused(text: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(text.utf8), to: "camera.json")
    #expect(throws: DepthError.self) {
      try DepthCalibration(contentsOf: URL(filePath: file))
    }
  }
}
