import Testing
import _TestSupport

@testable import measure

/// A slanted wall under a checkered pattern with a box before it, and a map of it that errs; made of whole numbers, so that
/// `Scripts/goldens/refinement.py` makes the same.
private struct MadeUpFrame {
  static let (height, width) = (120, 160)

  static func plane(_ value: (_ y: Int, _ x: Int) -> Double) -> Plane {
    Plane(
      height: height, width: width,
      values: (0..<height * width).map { value($0 / width, $0 % width) })
  }

  static func isBox(_ y: Int, _ x: Int) -> Bool { x >= 110 && y >= 60 }

  /// Steps of 0.2 mm, as files have; a corner is unknown.
  static let depth = plane { y, x in
    if y < 8 && x < 8 { return 0 }
    let metres = isBox(y, x) ? 0.9 : 1000 / Double(400 + x + 2 * y)
    return (metres * 5000).rounded(.down) / 5000
  }

  static let luminance = plane { y, x in Double((y / 5 + x / 7) % 2 * 90 + (x * y) % 50 + 60) / 255
  }

  static let map = plane { y, x in
    let ripple = Double((y / 5 + x / 7) % 2 * 3 + (3 * x + y) % 4) / 400
    return depth.values[y * width + max(x - 2, 0)] * (1 + ripple) + (y < 8 && x < 10 ? 2 : 0)
  }
}

@Suite(.offPool) struct RefinementScoresTests {
  /// Numbers of an independent implementation; see `Scripts/goldens/refinement.py`.
  @Test func agreesWithTheGolden() {
    let truth = TruthFrame(depth: MadeUpFrame.depth, luminance: MadeUpFrame.luminance)
    let found = RefinementScores(of: MadeUpFrame.map, against: truth)
    func expect(_ number: Double, _ golden: Double, _ name: Comment) {
      #expect(abs(number - golden) <= 1e-6 * abs(golden), name)
    }
    #expect(truth.isPatch.count { $0 } == 9236)
    #expect(truth.isNearEdge.count { $0 } == 1521)
    expect(found.rel, 0.014513765588534393, "rel")
    expect(found.rms, 0.05101043209118607, "rms")
    expect(found.delta1, 0.9937290969899666, "delta1")
    expect(found.edge, 0.05590778961209728, "edge")
    expect(found.boundaryF1, 0.24489795918367346, "F1")
    expect(found.fine, 2.165989272776289e-05, "fine")
    expect(found.correlation, 0.6926391218145879, "correlation")
    expect(found.plane, 6.059048622395914e-05, "plane")
  }

  @Test func aMapWithoutRippleDoesNotWobble() {
    let truth = TruthFrame(
      depth: MadeUpFrame.plane { _, _ in 2 }, luminance: MadeUpFrame.luminance)
    let ripple = MadeUpFrame.plane { y, x in 2 + 0.01 * Double((x / 6 + y / 6) % 2) }
    let (flat, rough) = (
      RefinementScores(of: truth.depth, against: truth),
      RefinementScores(of: ripple, against: truth)
    )
    #expect(flat.wobble < 1e-9 && flat.fine < 1e-12)
    // Two views from −1 % to 1 % of 160 pixels: a ripple of a whole range is 6.4 pixels.
    #expect(rough.wobble.squareRoot() > 1 && rough.wobble.squareRoot() < 6.4)
    #expect(flat.edge.isNaN)
  }
}
