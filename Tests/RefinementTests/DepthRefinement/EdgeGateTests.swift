import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import DepthRefinement

/// A slanted floor with a striped carpet, and a box that is nearer by a fifth.
private struct Room {
  let height = 120
  let width = 160
  /// A map like a network's at a quarter of the photo's size, with a soft box and a little ripple.
  let map: DepthMap
  let photo: Image
  /// Indices of pixels away from the box.
  let carpet: [Int]

  /// - Parameters:
  ///   - noise: The photo's largest noise, in ± levels.
  ///   - softness: The steepness of the box's edge: 60 spans two map pixels, and 14 spans eight.
  init(noise: Int = 0, softness: Double = 60) {
    let (height, width) = (height, width)
    func disparity(_ y: Double, _ x: Double) -> Double {
      let floor = 0.3 + 0.1 * y + 0.03 * x
      let inside = 1 / (1 + exp(-softness * (0.18 - max(abs(x - 0.75), abs(y - 0.4)))))
      return floor * (1 + 0.25 * inside) * (1 + 0.001 * sin(40 * x + 30 * y))
    }
    let (rows, columns) = (height / 4, width / 4)
    map = DepthMap(
      height: rows, width: columns, unit: .metres,
      values: (0..<rows * columns).map {
        Float(
          1
            / disparity(
              (Double($0 / columns) + 0.5) / Double(rows),
              (Double($0 % columns) + 0.5) / Double(columns)))
      })
    var seed: UInt32 = 7
    photo = Image(
      height: height, width: width,
      pixels: (0..<height * width * 3).map { i in
        let (y, x) = (i / 3 / width, i / 3 % width)
        let isBox = max(abs(x - 120), abs(y - 48) * 4 / 3) < 28
        let stripe = (x + 2 * y) / 7 % 2 == 0
        seed = seed &* 1_664_525 &+ 1_013_904_223
        let grain = noise == 0 ? 0 : Int(seed >> 24) % (2 * noise + 1) - noise
        return UInt8(min(max((isBox ? 30 : stripe ? 90 : 190) + grain, 0), 255))
      })
    carpet = (0..<height * width).filter { $0 % width < 60 }
  }

  func refined(detail: Float, threads: Int = 2) throws -> DepthMap {
    try map.refined(guidedBy: photo, method: .joint(JointFilter(detail: detail)), threads: threads)
  }

  /// The rms of the detail that a Gaussian of four pixels removes, relative to the disparity.
  func fineEnergy(_ refined: DepthMap) -> Float {
    let disparity = WeightedMap(
      height: height, width: width, values: refined.values.map { 1 / $0 },
      weights: .init(repeating: 1, count: height * width))
    let smooth = gaussianBlurred(
      disparity, height: height, width: width, radius: 16, sigma: 4, missing: 0, threads: 1)
    let inside = carpet.filter { $0 % width >= 16 && $0 / width >= 16 && $0 / width < height - 16 }
    let sum = inside.reduce(Float(0)) { sum, i in
      let share = (disparity.values[i] - smooth[i]) / disparity.values[i]
      return sum + share * share
    }
    return (sum / Float(inside.count)).squareRoot()
  }
}

@Suite struct EdgeGateTests {
  @Test("the default detail keeps a carpet flat and a box sharp")
  func theCarpetStaysFlatAndTheBoxStaysSharp() throws {
    let room = Room()
    let joint = try room.refined(detail: JointFilter.defaultDetail)
    let all = try room.refined(detail: 1)
    #expect(room.fineEnergy(joint) < 0.5 * room.fineEnergy(all))
    // Compares one pixel on each side of the box's left edge.
    func step(_ map: DepthMap) -> Float {
      (85..<99).map { abs(map.values[48 * 160 + $0 + 1] - map.values[48 * 160 + $0]) }.max() ?? 0
    }
    #expect(step(joint) > 0.9 * step(all))
    let plain = try room.map.refined(
      guidedBy: room.photo, method: .none, resolution: .photo)
    #expect(step(joint) > 2 * step(plain))
  }

  @Test("fine energy grows with detail") func fineEnergyGrowsWithDetail() throws {
    let room = Room()
    let energies = try [0, 0.15, 0.3, 0.5, 0.7, 0.85, 1].map {
      try room.fineEnergy(room.refined(detail: $0))
    }
    for (less, more) in zip(energies, energies.dropFirst()) { #expect(less <= more * 1.0001) }
    #expect(energies[0] < 0.5 * energies[6])
  }

  @Test("the gate reduces the effect of photo noise by 30 %")
  func noiseOfThePhotoChangesFlatSurfacesLessThanWithoutTheGate() throws {
    let (clean, noisy) = (Room(), Room(noise: 4))
    func change(_ detail: Float) throws -> Float {
      let (first, second) = try (clean.refined(detail: detail), noisy.refined(detail: detail))
      return clean.carpet.reduce(0) {
        let difference = first.values[$1] - second.values[$1]
        return $0 + difference * difference
      }
    }
    #expect(try change(JointFilter.defaultDetail) <= 0.7 * change(1))
  }

  /// On soft maps, the photo must confirm each edge.
  @Test("the gate adds no photo noise to a soft map")
  func noiseOfThePhotoChangesTheWholeMapLessThanWithoutTheGate() throws {
    let (clean, noisy) = (Room(softness: 14), Room(noise: 5, softness: 14))
    func change(_ detail: Float) throws -> Float {
      let (first, second) = try (clean.refined(detail: detail), noisy.refined(detail: detail))
      let squares = zip(first.values, second.values).map { ($0 - $1) * ($0 - $1) }
      return (squares.reduce(0, +) / Float(squares.count)).squareRoot()
    }
    #expect(try change(JointFilter.defaultDetail) <= change(1))
  }

  @Test("a soft edge that the photo confirms becomes steep")
  func aSoftEdgeThatThePhotoConfirmsBecomesSteep() throws {
    let room = Room(softness: 14)
    let joint = try room.refined(detail: JointFilter.defaultDetail)
    let plain = try room.map.refined(guidedBy: room.photo, method: .none, resolution: .photo)
    func step(_ map: DepthMap) -> Float {
      (80..<104).map { abs(map.values[48 * 160 + $0 + 1] - map.values[48 * 160 + $0]) }.max() ?? 0
    }
    #expect(step(joint) > 3 * step(plain))
    #expect(try room.fineEnergy(joint) < 0.5 * room.fineEnergy(room.refined(detail: 1)))
  }

  @Test("little noise of the map changes the result little")
  func theGateFollowsALittleNoiseOfTheMapALittle() throws {
    let room = Room()
    let shaken = DepthMap(
      height: room.map.height, width: room.map.width, unit: .metres,
      values: zip(room.map.values, MadeUpPictures.values(room.map.values.count)).map {
        $0 * (1 + 1e-5 * ($1 - 0.5))
      })
    let (first, second) = try (
      room.map.refined(guidedBy: room.photo), shaken.refined(guidedBy: room.photo)
    )
    let largest = zip(first.values, second.values).map { abs($0 - $1) / $0 }.max() ?? 1
    #expect(largest < 2e-3)
  }

  @Test("the gated filter is equal on any number of threads") func threadsDoNotChangeBits() throws {
    let room = Room()
    let first = try room.refined(detail: 0.5, threads: 1)
    for threads in [2, 3, 7] { #expect(try room.refined(detail: 0.5, threads: threads) == first) }
  }

  /// Shutting such a gate saves time and keeps flat surfaces unchanged to the bit.
  @Test("a gate open by less than 1/256 is shut") func nothingIsOpenByLessThanALevel() {
    let room = Room(softness: 14)
    let (height, width) = (room.map.height, room.map.width)
    let map = WeightedMap(
      height: height, width: width, values: room.map.values.map { 1 / $0 },
      weights: .init(repeating: 1, count: height * width))
    let guide = areaAveraged(room.photo, height: height, width: width, threads: 1)
    var gate = EdgeGate(map, guide: guide, detail: 0.5, relative: true, threads: 1)
    // The filtered map has noise in one half, which confirms no edge.
    let noise = MadeUpPictures.values(height * width)
    gate.follow(
      map.with(map.values.indices.map { $0 % width < 20 ? noise[$0] : map.values[$0] }), threads: 1)
    let opened = gate.openness.values
    #expect(opened.contains { $0 > 0.5 } && opened.contains(0))
    #expect(opened.allSatisfy { $0 == 0 || $0 >= 1 / 256 })
  }

  /// Noise is measured in the quietest quarter, since scenes may be full of edges.
  @Test("edges in half of a map do not count as noise") func edgesInHalfOfTheMapAreNoNoise() {
    let shares = (0..<12).map { Float($0 % 2 == 0 ? 0.01 : 1) }
    let limit = EdgeGate.limit(shares, weights: .init(repeating: 1, count: 12))
    #expect(abs(limit - (0.016 * 0.016 + 0.021 * 0.021 as Float).squareRoot()) < 1e-6)
  }

  /// A bend must be stronger if no photo confirms it. The map is a parabola with constant residual.
  @Test("a bend that no photo confirms opens the gate less")
  func bendsOfASharpMapHaveToBeStronger() {
    let map = WeightedMap(
      height: 40, width: 40, values: (0..<1600).map { 1 + 0.002 * Float($0 % 40 * ($0 % 40)) },
      weights: .init(repeating: 1, count: 1600))
    let residuals = planeResiduals(map, radius: 2, spacing: 2, threads: 1)
    let middle = 20 * 40 + 20
    let detail: Float = 0.67
    let strictness = (1 - detail) / detail
    let ratio = residuals[middle] / (EdgeGate.limit(residuals, weights: map.weights) * strictness)
    let gate = EdgeGate(map, guide: nil, detail: detail, relative: false, threads: 1)
    let wanted = EdgeGate.openness(ratio, doublings: 4)
    #expect(wanted > 0.02 && wanted < 0.8 * EdgeGate.openness(ratio, doublings: 3))
    #expect(abs(gate.openness.values[middle] - wanted) < 0.02 * wanted)
  }

  @Test("a named method uses the given detail") func theDetailOfANamedMethodIsUsed() {
    #expect(RefinementMethod(.joint, detail: 0.3) == .joint(JointFilter(detail: 0.3)))
    #expect(RefinementMethod(.joint) != RefinementMethod(.joint, detail: 0.3))
  }
}
