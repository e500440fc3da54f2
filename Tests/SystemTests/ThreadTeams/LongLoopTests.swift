import DepthBase
import Synchronization
import Testing

/// Loops over more indices than one ticket of a team counts, such as rows of a tall photo.
@Suite struct LongLoopTests {
  @Test("a loop visits each of over a million indices once", arguments: [1 << 20, 3 << 20 | 5])
  func everyIndexIsVisitedOnce(count: Int) {
    let sum = Atomic<Int>(0)
    let visits = Atomic<Int>(0)
    ThreadTeam.run(threads: 2) { team in
      team.forEach(count) { _, index in
        sum.add(index, ordering: .relaxed)
        visits.add(1, ordering: .relaxed)
      }
    }
    #expect(visits.load(ordering: .relaxed) == count)
    #expect(sum.load(ordering: .relaxed) == count * (count - 1) / 2)
  }
}
