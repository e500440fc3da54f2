import DepthBase
import Synchronization
import Testing

@Suite struct ThreadTeamTests {
  /// Many short loops of changing length. A late claim on a finished loop would count twice.
  @Test("a team runs every index of a loop once", arguments: [1, 2, 3, 8])
  func everyIndexRunsOnce(threads: Int) {
    ThreadTeam.run(threads: threads) { team in
      for loop in 0..<5000 {
        let count = loop % 37
        let runs = (0..<count).map { _ in Counter() }
        team.forEach(count) { worker, index in
          #expect(worker < threads)
          runs[index].increment()
        }
        #expect(runs.allSatisfy { $0.value == 1 })
      }
    }
  }

  /// Each worker then stays on its side of a map.
  @Test("caller and helper begin at opposite ends") func workersBeginAtBothEnds() {
    let order = Mutex<[[Int]]>([[], []])
    ThreadTeam.run(threads: 2) { team in
      for _ in 0..<200 {
        order.withLock { $0 = [[], []] }
        team.forEach(40) { worker, index in order.withLock { $0[worker].append(index) } }
        let (rising, falling) = order.withLock { ($0[0], $0[1]) }
        #expect(rising == Array(0..<rising.count))
        #expect(falling == Array((rising.count..<40).reversed()))
      }
    }
  }

  @Test("a loop in a loop traps only in the same team") func aLoopInsideALoopTraps() async {
    await #expect(processExitsWith: .failure) {
      ThreadTeam.run(threads: 2) { team in
        team.forEach(4) { _, _ in team.forEach(4) { _, _ in } }
      }
    }
    await #expect(processExitsWith: .failure) {
      ThreadTeam.run(threads: 1) { team in
        team.forEach(1) { _, _ in team.forEach(1) { _, _ in } }
      }
    }
    let runs = Counter()
    ThreadTeam.run(threads: 2) { team in
      team.forEach(4) { _, _ in
        ThreadTeam.run(threads: 2) { inner in inner.forEach(4) { _, _ in runs.increment() } }
      }
    }
    #expect(runs.value == 16)
  }

  @Test("the failure with the lowest index is thrown") func lowestFailureIsThrown() {
    struct Failure: Error, Equatable { let index: Int }
    #expect(throws: Failure(index: 3)) {
      try ThreadTeam.run(threads: 4) { team in
        try team.forEachThrowing(100) { index in
          if index >= 3 { throw Failure(index: index) }
        }
      }
    }
  }

  @Test("chunks of at most a grain cover a range once", arguments: [0, 1, 7, 64], [1, 5, 100])
  func chunksCoverTheRange(count: Int, grain: Int) {
    let runs = (0..<count).map { _ in Counter() }
    parallelFor(count, grain: grain, threads: 2) { chunk in
      #expect(chunk.count <= grain)
      for index in chunk { runs[index].increment() }
    }
    #expect(runs.allSatisfy { $0.value == 1 })
  }

  private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    func increment() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
  }
}
