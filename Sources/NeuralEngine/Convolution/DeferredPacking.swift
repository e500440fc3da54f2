package import ThreadTeams

/// The packing of the weights of many layers, as one parallel loop.
///
/// A layer has from one to a few dozen panels, so threads that pack one layer after the other often wait for each other.
package struct DeferredPacking {
  private var loops: [(count: Int, body: @Sendable (_ index: Int) throws -> Void)] = []

  package init() {}

  /// Adds a loop over `0 ..< count`, whose bodies may run in any order and at the same time.
  mutating func add(_ count: Int, _ body: @escaping @Sendable (_ index: Int) throws -> Void) {
    loops.append((count, body))
  }

  /// Runs all loops, and forgets them.
  ///
  /// - Throws: The first error, in the order in which loops were added; `CancellationError`.
  package mutating func run(cancellation: Cancellation? = nil, on team: ThreadTeam) throws {
    let loops = self.loops
    self.loops = []
    let indices = loops.indices.flatMap { loop in (0..<loops[loop].count).map { (loop, $0) } }
    try team.forEachThrowing(indices.count) { number in
      try cancellation?.check()
      let (loop, index) = indices[number]
      try loops[loop].body(index)
    }
  }
}
