import DepthImages
import Testing
import _TestSupport

@testable import DepthRefinement

@Suite struct BackProjectionTests {
  private func map(height: Int, width: Int, _ values: [Float]) -> WeightedMap {
    WeightedMap(
      height: height, width: width, values: values,
      weights: .init(repeating: 1, count: height * width))
  }

  private func full(_ map: WeightedMap) -> [Float] {
    .init(repeating: 1, count: map.values.count)
  }

  @Test("back-projection restores metres that the filter removed") func flattenedMetresComeBack() {
    // A near bar has two columns. The filter removed half of the bar's metres.
    let bar = (0..<20 * 20).map { $0 % 20 == 9 || $0 % 20 == 10 ? Float(1) : 0.25 }
    let flattened = (0..<40 * 40).map { $0 % 40 / 2 == 9 || $0 % 40 / 2 == 10 ? Float(0.4) : 0.25 }
    let source = map(height: 20, width: 20, bar)
    let result = source.backProjected(
      onto: map(height: 40, width: 40, flattened), share: 1, trust: full(source), reciprocal: true,
      threads: 2)
    let (before, after) = (1 / flattened[20 * 40 + 20], 1 / result.values[20 * 40 + 20])
    #expect(before == 2.5)
    #expect(after < 2 && after >= 1)
    // Values far from the bar do not change. All values stay in the map's range.
    #expect(abs(result.values[20 * 40] - 0.25) < 1e-4)
    #expect(result.values.allSatisfy { $0 >= 0.25 && $0 <= 1 })
  }

  @Test("back-projection restores less than a tenth of noise") func noiseIsNotGivenBack() {
    // Uniform noise of ±1 around 10. The filter returned the mean everywhere.
    let noisy = MadeUpPictures.values(60 * 60).map { 9 + 2 * $0 }
    let source = map(height: 60, width: 60, noisy)
    let result = source.backProjected(
      onto: map(height: 60, width: 60, .init(repeating: 10, count: 3600)), share: 1,
      trust: full(source), reciprocal: false, threads: 1)
    let energy = zip(noisy, result.values).reduce((Float(0), Float(0))) {
      ($0.0 + ($1.0 - 10) * ($1.0 - 10), $0.1 + ($1.1 - 10) * ($1.1 - 10))
    }
    #expect(energy.1 < 0.1 * energy.0)
  }

  /// `r³ / (r² + s²)` of a difference `r` is restored. `s` is 3 · 1.4826 medians, or three σ.
  @Test("back-projection restores a larger share of larger differences")
  func largeDifferencesComeBackNearlyWhole() {
    // A third of the differences each are ±.5, ±1 and ±2, with the median 1. Two pixels have ±12.
    var differences: [Float] = (0..<24 * 24).map { index in
      ([0.5, 1, 2] as [Float])[index / 3 % 3] * (index % 2 == 0 ? 1 : -1)
    }
    (differences[100], differences[301]) = (12, -12)
    let source = map(height: 24, width: 24, differences.map { 10 + $0 })
    let result = source.backProjected(
      onto: map(height: 24, width: 24, .init(repeating: 10, count: 576)), share: 1,
      trust: full(source), reciprocal: false, threads: 2)
    let limit: Float = 3 * 1.4826
    for (difference, value) in zip(differences, result.values) {
      let square = difference * difference
      let wanted = difference * square / (square + limit * limit)
      #expect(abs(value - 10 - wanted) < 1e-4, "\(difference)")
    }
  }

  @Test("back-projection ignores missing pixels and keeps them missing")
  func missingPixelsStayMissingAndGiveNothing() {
    var weights = [Float](repeating: 1, count: 64)
    weights[27] = 0
    var values = [Float](repeating: 2, count: 64)
    values[27] = .nan
    let source = WeightedMap(height: 8, width: 8, values: values, weights: weights)
    let result = source.backProjected(
      onto: source, share: 1, trust: full(source), reciprocal: true, threads: 1)
    #expect(result.weights == weights)
    #expect(result.values.indices.allSatisfy { $0 == 27 || abs(result.values[$0] - 2) < 1e-5 })
  }

  @Test("back-projection with share 0 changes nothing")
  func aShareOfZeroAndOddSizesChangeNothing() {
    let source = map(height: 4, width: 4, MadeUpPictures.values(16))
    let fine = map(height: 8, width: 8, MadeUpPictures.values(64))
    let odd = map(height: 7, width: 8, MadeUpPictures.values(56))
    #expect(
      source.backProjected(onto: fine, share: 0, trust: full(source), reciprocal: false, threads: 1)
        == fine)
    #expect(
      source.backProjected(onto: odd, share: 1, trust: full(source), reciprocal: false, threads: 1)
        == odd)
  }

  @Test("slope weights halve what back-projection restores on a ramp") func rampsGiveLessBack() {
    // The filter moved depth across the edge, and back-projection must not restore this depth.
    let ramp: [Float] = [1, 1, 1, 0.8, 0.5, 0.4, 0.4, 0.4]
    let step: [Float] = [1, 1, 1, 1, 0.4, 0.4, 0.4, 0.4]
    let source = map(height: 8, width: 8, (0..<64).map { ramp[$0 % 8] })
    let fine = map(height: 16, width: 16, (0..<256).map { step[$0 % 16 / 2] })
    let trust = source.downweightingSlopes(0.1, relative: true, threads: 1).weights
    func moved(_ trust: [Float]) -> Float {
      let result = source.backProjected(
        onto: fine, share: 1, trust: trust, reciprocal: true, threads: 1)
      return zip(result.values, fine.values).map { abs(1 / $0 - 1 / $1) }.max() ?? 0
    }
    #expect(moved(trust) < 0.5 * moved(full(source)))
  }

  @Test("back-projection cuts a thin bar's error by 30 %") func aThinBarKeepsItsDepth() throws {
    // A bar six fine pixels (1.5 map pixels) wide is at three metres, before a wall at four. The
    // map is blurred like a network's. A nearer thing on the left extends the map's range, which
    // limits results.
    func isBar(_ x: Int) -> Bool { (61..<67).contains(x) }
    func metres(_ x: Int) -> Float { isBar(x) ? 3 : x < 32 ? 2 : 4 }
    let photo = Image(
      height: 96, width: 128,
      pixels: (0..<96 * 128 * 3).map { [2: 120, 3: 40, 4: 200][Int(metres($0 / 3 % 128))] ?? 0 })
    let line = (0..<32).map { x in (0..<4).reduce(0) { $0 + metres(4 * x + $1) } / 4 }
    let soft = (0..<32).map { x -> Float in
      0.5 * line[x] + 0.25 * (line[max(x - 1, 0)] + line[min(x + 1, 31)])
    }
    let depth = DepthMap(
      height: 24, width: 32, unit: .metres, values: (0..<24 * 32).map { soft[$0 % 32] })
    func error(_ backProjection: Float) throws -> Float {
      let filter = JointFilter {
        ($0.sharpening, $0.backProjection) = (0, backProjection)
      }
      return abs(
        try depth.refined(guidedBy: photo, method: .joint(filter)).values[48 * 128 + 64] - 3)
    }
    #expect(try error(1) < 0.7 * error(0))
  }

  /// A flattened bar of the nearest disparity, restored with a share of 4, which is far too much.
  private func overcorrected(reciprocal: Bool) -> [Float] {
    func isBar(_ x: Int) -> Bool { x == 9 || x == 10 }
    let source = map(height: 20, width: 20, (0..<400).map { isBar($0 % 20) ? 1 : 0.25 })
    let flat = map(height: 40, width: 40, (0..<1600).map { isBar($0 % 40 / 2) ? 0.4 : 0.25 })
    return source.backProjected(
      onto: flat, share: 4, trust: full(source), reciprocal: reciprocal, threads: 1
    ).values
  }

  @Test("back-projection keeps a relative map within its range")
  func relativeMapsGetNothingBeyondTheirOwnRange() {
    let result = overcorrected(reciprocal: false)
    #expect(result.allSatisfy { $0 >= 0.25 && $0 <= 1 })
    #expect(result[20 * 40 + 20] == 1)
  }

  @Test("depth back-projected below 0 becomes the nearest") func negativeDepthBecomesTheNearest() {
    #expect(overcorrected(reciprocal: true)[20 * 40 + 20] == 1)
  }
}
