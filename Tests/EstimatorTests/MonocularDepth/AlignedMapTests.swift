import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import MonocularDepth

/// Maps that are aligned to known distances.
@Suite struct AlignedMapTests {
  private static let (height, width) = (96, 128)

  /// A slanting wall, and a box of another color before the wall.
  private let truth = map { y, x in Self.isBox(y, x) ? 1.5 : 3 + Double(x) / 64 }
  private let photo = Image(
    height: height, width: width,
    pixels: (0..<height * width).flatMap { pixel -> [UInt8] in
      isBox(pixel / width, pixel % width) ? [200, 40, 40] : [90, 90, 100]
    })
  /// The truth with another scale, a bent wall and a box that is too far away.
  private let estimate = map { y, x in
    0.7 * (isBox(y, x) ? 1.9 : (3 + Double(x) / 64) * (1 + 0.15 * sin(Double(y) / 30)))
  }

  private static func isBox(_ y: Int, _ x: Int) -> Bool {
    (40..<80).contains(y) && (30..<70).contains(x)
  }

  private static func map(_ depth: (Int, Int) -> Double) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { Float(depth($0 / width, $0 % width)) })
  }

  /// Every nth pixel of the truth, in one part of the map.
  private func sparse(
    every step: Int = 53, where isPart: (Int, Int) -> Bool = { _, _ in true }
  ) -> DepthMap {
    var values = [Float](repeating: 0, count: truth.values.count)
    for index in stride(from: 0, to: values.count, by: step)
    where isPart(index / Self.width, index % Self.width) {
      values[index] = truth.values[index]
    }
    return DepthMap(height: Self.height, width: Self.width, unit: .metres, values: values)
  }

  /// The mean relative error of all pixels, or of pixels with a value in `points`.
  private func error(_ map: DepthMap, at points: DepthMap? = nil) -> Double {
    let errors = map.values.indices.filter { (points ?? truth).values[$0] > 0 }
      .map { abs(Double(map.values[$0] / truth.values[$0]) - 1) }
    return errors.reduce(0, +) / Double(errors.count)
  }

  @Test("alignment brings a bent map close to the truth") func comesToTheTruth() throws {
    let points = sparse()
    let fit = try DepthCalibration(sparse: points, depth: estimate, refinement: .none)
    let calibrated = try error(estimate.calibrated(by: fit))
    let moved = try estimate.aligned(to: points, guidedBy: photo)
    #expect(moved.unit == .metres && (moved.height, moved.width) == (Self.height, Self.width))
    #expect(calibrated > 0.04 && error(moved) < calibrated / 4)
    #expect(error(moved, at: points) < 0.01)
    // Noisier points move the map less.
    let loose = try estimate.aligned(to: points, guidedBy: photo, noise: 1)
    #expect(error(loose, at: points) > 4 * error(moved, at: points))
    #expect(error(loose) < calibrated * 1.01)
  }

  @Test("maps of every unit are aligned to equal metres") func unitsAndSizes() throws {
    let points = sparse()
    let moved = try estimate.aligned(to: points, guidedBy: photo)
    let disparity = try estimate.inDisparity().aligned(to: points.inDisparity(), guidedBy: photo)
    let relative = DepthMap(
      height: Self.height, width: Self.width, unit: .relativeDisparity,
      values: estimate.values.map { 7 / $0 - 0.5 })
    let ofRelative = try relative.aligned(to: points, guidedBy: photo)
    for map in [disparity, ofRelative] {
      #expect(map.unit == .metres)
      #expect(zip(map.values, moved.values).allSatisfy { abs($0 / $1 - 1) < 1e-3 })
    }
    let quarter = DepthMap(
      height: Self.height / 4, width: Self.width / 4, unit: .metres,
      values: (0..<Self.height * Self.width / 16).map { index in
        let (y, x) = (index / (Self.width / 4), index % (Self.width / 4))
        return truth.values[(4 * y + 2) * Self.width + 4 * x + 2]
      })
    #expect(try error(estimate.aligned(to: quarter, guidedBy: photo)) < 0.02)
  }

  @Test("alignment keeps missing pixels and bounds far pixels") func missingAndFar() throws {
    var values = estimate.values
    values[5] = 0
    // The fit's negative shift would put this pixel beyond infinity.
    values[Self.width * 90 + 3] = 1e4
    let map = DepthMap(height: Self.height, width: Self.width, unit: .metres, values: values)
    let known = DepthMap(
      height: Self.height, width: Self.width, unit: .metres,
      values: sparse().values.map { $0 > 0 ? 1 / (1 / $0 - 0.05) : 0 })
    let moved = try map.aligned(to: known, guidedBy: photo)
    #expect(!moved.hasValue(moved.values[5]))
    let farthest = try #require(known.values.max())
    for (index, value) in moved.values.enumerated() where index != 5 {
      #expect(value > 0 && value < 4 * farthest)
    }
  }

  @Test("alignment far from all points equals the fit") func fallsBackToTheFit() throws {
    let corner = sparse(every: 7) { y, x in y < 30 && x < 20 }
    let calibration = try DepthCalibration(sparse: corner, depth: estimate, refinement: .none)
    let fitted = try estimate.calibrated(by: calibration)
    let moved = try estimate.aligned(to: corner, guidedBy: photo)
    func change(_ y: Int, _ x: Int) -> Double {
      let index = y * Self.width + x
      return abs(log(Double(moved.values[index] / fitted.values[index])))
    }
    let near =
      corner.values.indices.filter { corner.values[$0] > 0 }
      .map { change($0 / Self.width, $0 % Self.width) }.max() ?? 0
    #expect(near > 0.005 && change(94, 126) < near / 4)
  }

  @Test("invalid points and maps are refused") func refusals() throws {
    let points = sparse()
    for noise in [0, -1, 2, .nan] {
      #expect(throws: DepthError.self) {
        try estimate.aligned(to: points, guidedBy: photo, noise: noise)
      }
    }
    let one = sparse(every: 100_000)
    #expect { try estimate.aligned(to: one, guidedBy: photo) } throws: {
      ($0 as? DepthError)?.code == .noDepth
    }
    #expect { try estimate.aligned(to: points.normalized(), guidedBy: photo) } throws: {
      ($0 as? DepthError)?.code == .unknownUnit
    }
    #expect { try estimate.normalized().aligned(to: points, guidedBy: photo) } throws: {
      ($0 as? DepthError)?.code == .unknownUnit
    }
  }
}
