import Foundation
import FuzzTargets
import Testing
import _TestSupport

/// Every parser on its seeds and on damaged ones: the short form of `Scripts/fuzz.sh`, without sanitizers.
struct FuzzTargetTests {
  private static let weights = URL(
    fileURLWithPath: packageFolder + "/Weights/fcrn18-nyu-int8.h5")

  @Test(arguments: FuzzTarget.allCases) func seedsAreValid(target: FuzzTarget) throws {
    let seeds = try target.seeds(weights: Self.weights)
    #expect(!seeds.isEmpty && seeds.allSatisfy { !$0.isEmpty })
    // The beginning of weights is not whole, a pair of views has no depth, and a gray JPEG no unit.
    let isPartial = [.weights, .depthPhoto, .depthFile].contains(target)
    for (index, seed) in seeds.enumerated() {
      #expect(target.run(seed) || isPartial && index == seeds.count - 1, "\(index)")
    }
  }

  /// Bytes changed, cut out and doubled, from a fixed seed.
  @Test(arguments: FuzzTarget.allCases) func damagedSeedsAreRefused(target: FuzzTarget) throws {
    var random = Generator(state: 7)
    // A description of HDF5 takes a process of its own.
    let rounds = target == .weights ? 20 : 400
    for seed in try target.seeds(weights: Self.weights) {
      for _ in 0..<rounds {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 2: bytes.replaceSubrange(place..<place, with: bytes[place...].prefix(32))
          default: bytes = Array(bytes.prefix(max(place, 1)))
          }
        }
        target.run(bytes)
      }
    }
  }

  /// SplitMix64.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
      return z ^ z >> 31
    }
  }
}
