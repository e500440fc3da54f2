import Foundation
import FuzzTargets
import Testing
import _TestSupport

/// Every parser on its seeds and on damaged seeds: the short form of `Scripts/fuzz.sh`, without sanitizers.
///
/// FUZZ_ROUNDS multiplies the number of damaged inputs, FUZZ_SEED changes the inputs.
@Suite(.serialized) struct FuzzTargetTests {
  private static let weights = URL(
    fileURLWithPath: packageFolder + "/Weights/fcrn-lite2-nyu-int8.h5")

  @Test("seeds of each parser are whole or damaged as marked", arguments: FuzzTarget.allCases)
  func seedsMatchTheirMarks(target: FuzzTarget) throws {
    let seeds = try target.seeds(weights: Self.weights)
    #expect(seeds.contains { !$0.bytes.isEmpty })
    for (index, seed) in seeds.enumerated() {
      #expect(target.run(seed.bytes) == seed.isWhole, "seed \(index)")
    }
  }

  /// Bytes are changed, cut out, doubled and mixed.
  ///
  /// The test runs in a separate process, so that an input may crash. The failure names the target
  /// and the numbers that reproduce the input.
  @Test("damaged seeds crash no parser", arguments: FuzzTarget.allCases)
  func damagedSeedsCrashNothing(target: FuzzTarget) async {
    let environment = ProcessInfo.processInfo.environment
    let factor = environment["FUZZ_ROUNDS"].flatMap(Int.init) ?? 1
    let seed = environment["FUZZ_SEED"].flatMap(UInt64.init) ?? 7
    await #expect(
      processExitsWith: .success,
      "the target \(target.rawValue) with FUZZ_SEED=\(seed) FUZZ_ROUNDS=\(factor)"
    ) { [name = target.rawValue as String, factor = factor as Int, seed = seed as UInt64] in
      let target = try #require(FuzzTarget(rawValue: name))
      var mutations = Mutations(seed: seed)
      let seeds = try target.seeds(weights: Self.weights).map(\.bytes)
      // HDF5 descriptions and pictures of other libraries need a process each, and data sets need files.
      let rounds = [.weights, .labelledSet, .heif, .webp].contains(target) ? 20 : 400
      for seed in seeds {
        for _ in 0..<rounds * factor {
          target.run(mutations.mutated(seed, others: seeds))
        }
      }
    }
  }

  @Test("mutations are reproducible for a seed") func mutationsAreTheSameForASeed() {
    let others: [[UInt8]] = [Array(0..<90), [1, 2, 3]]
    func inputs(_ seed: UInt64) -> [[UInt8]] {
      var mutations = Mutations(seed: seed)
      return (0..<200).map { _ in mutations.mutated(others[0], others: others) }
    }
    #expect(inputs(1) == inputs(1))
    #expect(inputs(1) != inputs(2))
    // Most mutations are different inputs.
    #expect(Set(inputs(1)).count > 150)
  }
}
