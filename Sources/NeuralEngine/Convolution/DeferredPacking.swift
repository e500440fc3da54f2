package import DepthBase

/// The packing of the weights of many layers, as one parallel loop.
///
/// A layer has one to a few dozen panels, so threads that pack layer by layer often wait for each other.
package struct DeferredPacking {
  private var loops: [(count: Int, body: @Sendable (_ index: Int) throws -> Void)] = []
  /// Memory that layers share, and the number of used floats.
  private var slab: (buffer: AlignedBuffer, taken: Int)?
  /// Floats of a slab. The unused part of a slab is never touched, so it occupies no memory.
  private static let slabCount = 4 << 20

  /// Whether small layers share one allocation, which is useful for networks with many small layers.
  private let sharesMemory: Bool

  package init(sharesMemory: Bool = false) { self.sharesMemory = sharesMemory }

  /// Memory for a layer's packed weights.
  ///
  /// Small layers share slabs, so that their weights are in huge pages: page faults take as long as packing.
  mutating func buffer(count: Int) -> AlignedBuffer {
    guard sharesMemory, count <= Self.slabCount else { return AlignedBuffer(count: count) }
    let room = (count + 15) / 16 * 16
    if slab.map({ $0.buffer.count - $0.taken < room }) ?? true {
      useHugePages()
      slab = (AlignedBuffer(count: Self.slabCount, isWholeUsed: false), 0)
    }
    guard let (buffer, taken) = slab else { return AlignedBuffer(count: count) }
    slab = (buffer, taken + room)
    return AlignedBuffer(taken..<taken + count, of: buffer)
  }

  /// Requests huge pages for the used part of the slab, before this part is written.
  private func useHugePages() { slab.map { $0.buffer.useHugePages(upTo: $0.taken) } }

  /// Adds a loop over `0 ..< count`, whose bodies may run concurrently and in any order.
  mutating func add(_ count: Int, _ body: @escaping @Sendable (_ index: Int) throws -> Void) {
    loops.append((count, body))
  }

  /// Runs and then removes all loops.
  ///
  /// - Throws: The error of the first failing loop, in the order in which loops were added;
  ///   `CancellationError`.
  package mutating func run(cancellation: Cancellation? = nil, on team: ThreadTeam) throws {
    useHugePages()
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
