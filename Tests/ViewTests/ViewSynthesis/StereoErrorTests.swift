import DepthErrors
import DepthImages
import Testing
import ViewSynthesis

@Suite struct StereoErrorTests {
  let photo = TestScenes.noise(height: 30, width: 40)
  let depth = TestScenes.depth(height: 15, width: 20)

  private func error(
    _ depth: DepthMap? = nil, _ change: (inout StereoOptions) -> Void = { _ in }
  ) -> DepthError? {
    var options = StereoOptions()
    change(&options)
    do {
      _ = try photo.stereoPair(depth: depth ?? self.depth, options: options)
      return nil
    } catch { return error as? DepthError }
  }

  @Test("a shift of more than 25 % of the width is refused")
  func refusesShiftsBeyondAQuarterOfTheWidth() {
    #expect(error { $0.amount = .shift(0.25) } == nil)
    #expect(error { $0.amount = .shift(0.26) } == .shiftTooLarge(shift: 0.26, limit: 0.25))
    // One eye takes the shift that two eyes would share.
    #expect(
      error {
        $0.amount = .shift(0.2)
        $0.balance = 1
      } == .shiftTooLarge(shift: 0.4, limit: 0.25))
    #expect(
      DepthError.shiftTooLarge(shift: 0.3, limit: 0.25).description
        == "a shift of 30.0 % of the width is too large, expected at most 25.0 %")
    #expect(
      error { $0.amount = .shift(.nan) }?.message.hasPrefix("a shift of nan % of the width is too")
        == true)
  }

  @Test("a rotated map is refused, a 5:4 map is not") func refusesAMapOfAnotherPhoto() {
    let lying = TestScenes.depth(height: 20, width: 15)
    #expect(
      error(lying)
        == .aspectMismatch(
          photo: photo, depth: lying))
    // Networks squeeze 4:3 into 5:4.
    #expect(error(TestScenes.depth(height: 128, width: 160)) == nil)
  }

  @Test("an empty map is refused, a constant map changes nothing")
  func refusesAMapWithoutValuesAndTakesAConstantOne() throws {
    let none = DepthMap(
      height: 3, width: 4, unit: .metres, values: [Float](repeating: 0, count: 12))
    #expect(error(none) == .noDepth(width: 4, height: 3))
    let constant = DepthMap(
      height: 3, width: 4, unit: .metres, values: [Float](repeating: 2, count: 12))
    let pair = try photo.stereoPair(depth: constant, maximumShift: 0.1)
    #expect(pair.left == photo && pair.right == photo)
  }

  @Test("metric stereo needs a unit, a focal length and a near screen")
  func metricStereoNeedsAUnitAndAFocalLength() {
    let metric = StereoOptions.Amount.metric(
      MetricParallax(focalLength: .pixels(30), screenDistance: 2))
    #expect(error { $0.amount = metric } == nil)
    #expect(error(depth.normalized()) { $0.amount = metric } == .noUnit(for: "metric stereo"))
    #expect(
      error { $0.amount = .metric(MetricParallax(focalLength: .photo, screenDistance: 2)) }
        == .focalLengthUnknown)
    #expect(
      error {
        $0.amount = .metric(MetricParallax(focalLength: .pixels(30), screenDistance: 0))
      } == .outOfRange(name: "screen distance", value: 0, expected: "more than 0"))
    let tooLarge = error {
      $0.amount = .metric(
        MetricParallax(baseline: 5, focalLength: .pixels(300), screenDistance: 2))
    }
    #expect(tooLarge?.code == .invalidArgument)
    #expect(tooLarge?.message.contains("expected at most 25.0 %: use a shorter baseline") == true)
    #expect(
      error {
        $0.amount = metric
        $0.renderer = .gather
      } == .shiftOnly)
  }

  @Test("parallax beyond the range of positions is refused")
  func refusesMoreParallaxThanPositionsCanCount() throws {
    let wide = Image(
      height: 1, width: 200_000, pixels: [UInt8](repeating: 0, count: 600_000))
    let depth = DepthMap(
      height: 1, width: 200_000, unit: .metres,
      values: (0..<200_000).map { 1 + Float($0) })
    #expect(throws: DepthError.self) { try wide.stereoPair(depth: depth, maximumShift: 0.25) }
    #expect(throws: Never.self) { try wide.stereoPair(depth: depth, maximumShift: 0.01) }
    #expect(
      error { $0.edgeDilation = .init(across: -1, down: 0) }
        == .outOfRange(name: "edge dilation", value: -1, expected: "0…64 pixels"))
  }

  @Test("convergence and balance outside 0…1 are refused")
  func convergenceAndBalanceStayWithinTheirRange() {
    #expect(
      error { $0.convergence = 1.5 }
        == .outOfRange(name: "convergence", value: 1.5, expected: "0…1"))
    #expect(
      error { $0.balance = -0.1 } == .outOfRange(name: "balance", value: -0.1, expected: "0…1"))
  }

  /// The screen is at the nearest thing. All other things are behind it, too far for two eyes.
  @Test("far things behind a near screen count for the parallax limit")
  func farThingsBehindANearScreenAreLimited() throws {
    let deep = DepthMap(
      height: 15, width: 20, unit: .metres, values: (0..<300).map { $0 % 20 < 10 ? 1 : 100 })
    func metric(_ baseline: Double) -> DepthError? {
      error(deep) {
        $0.amount = .metric(
          MetricParallax(baseline: baseline, focalLength: .pixels(300), screenDistance: 1))
      }
    }
    // Twenty pixels are half of the width. Each eye has half of these pixels.
    #expect(metric(0.067) == nil)
    #expect(metric(0.068)?.message.contains("expected at most 25.0 %") == true)
  }

  @Test(
    "the parallax limit applies to the eye with most parallax",
    arguments: [(0.5, 0.1), (0.5, 0.9), (0.0, 0.5), (1.0, 0.5)])
  func neitherEyeNorSideGetsMoreThanItsLimit(balance: Double, convergence: Double) {
    let moved = 4 * 0.2 * max(convergence, 1 - convergence) * max(balance, 1 - balance)
    #expect(
      error {
        ($0.amount, $0.balance, $0.convergence) = (.shift(0.2), balance, convergence)
      }?.message.hasPrefix("a shift of \((moved * 10_000).rounded() / 100) % of") == true)
  }
}
