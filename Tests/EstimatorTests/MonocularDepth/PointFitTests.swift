import Foundation
import Testing

@testable import MonocularDepth

/// The fit of a camera to points.
@Suite struct PointFitTests {
  /// Points on a slanted, rough wall for focal length `f`. Each z is too small by `shift`.
  private func cloud(_ f: Float, shift: Float, count: Int = 900) -> [PointFit.Sample] {
    (0..<count).map { index in
      let (u, v) = (Float(index % 30) / 15 - 0.97, Float(index / 30) / 20 - 0.7)
      let z = 2.5 + u + 0.8 * v + 0.3 * sin(9 * u)
      return PointFit.Sample(u: u, v: v, x: u * z / f, y: v * z / f, z: z - shift)
    }
  }

  @Test(
    "the fit finds the focal length and the shift of points",
    arguments: [(1.2, 0.7), (0.8, -0.4), (2.5, 0.5), (1, 0)] as [(Float, Float)])
  func camerasAreFound(focalLength: Float, shift: Float) {
    let samples = cloud(focalLength, shift: shift)
    let free = PointFit(samples)
    #expect(abs(free.focalLength / Double(focalLength) - 1) < 1e-5)
    #expect(abs(free.shift - shift) < 1e-5)
    let known = PointFit(samples, focalLength: Double(focalLength))
    #expect(known.focalLength == Double(focalLength) && abs(known.shift - shift) < 1e-5)
  }

  /// No camera fits these points. The numbers are from an independent solver in NumPy.
  @Test("the fit of rough points equals an independent solver's") func roughCloudsHaveOneResult() {
    let samples = (0..<400).map { i -> PointFit.Sample in
      let u = Float(Double(i * 37 % 101) / 50 - 1)
      let v = Float(Double(i * 53 % 89) / 60 - 0.7)
      let z = Float(2 + 0.5 * Double(u) + 0.3 * Double(v) * Double(v) + Double(i % 7) / 20)
      return PointFit.Sample(
        u: u, v: v, x: Float(Double(u) * Double(z) / 1.3 * (1 + Double(i % 5 - 2) / 20)),
        y: Float(Double(v) * Double(z) / 1.3 * (1 + Double(i % 3 - 1) / 15)), z: z - 0.6)
    }
    let free = PointFit(samples)
    #expect(abs(Double(free.shift) / 0.6274891462907225 - 1) < 2e-6)
    #expect(abs(free.focalLength / 1.3114846000025635 - 1) < 1e-6)
    #expect(abs(Double(PointFit(samples, focalLength: 1.1).shift) / 0.29173379223648677 - 1) < 2e-6)
  }

  /// The error is infinite at z = −shift, and no step of the fit crosses this value.
  @Test("fitted points stay before the camera") func pointsStayBeforeTheCamera() {
    let samples = cloud(1, shift: 0).map {
      PointFit.Sample(
        u: Float(-$0.u), v: Float(-$0.v), x: Float($0.x), y: Float($0.y), z: Float($0.z))
    }
    let fit = PointFit(samples, focalLength: 1)
    #expect(samples.allSatisfy { $0.z + Double(fit.shift) > 0 } && fit.shift.isFinite)
  }

  @Test("fewer than two points give no shift") func fewPointsHaveNoShift() {
    let one = [PointFit.Sample(u: 0.1, v: 0.2, x: 1, y: 2, z: 3)]
    for samples in [[], one] {
      #expect(PointFit(samples).focalLength == 1 && PointFit(samples).shift == 0)
      #expect(PointFit(samples, focalLength: 2).focalLength == 2)
    }
  }
}
