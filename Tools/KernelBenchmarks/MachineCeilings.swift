package import DepthBase
package import NeuralEngine

/// One matrix product per worker, all at the same time: the machine's peak rate of multiplication.
///
/// Each worker has a left-hand matrix and a result of its own; all share the right-hand matrix.
package struct ProductCeiling: Sendable {
  private let rows: Int
  private let matrix: PackedWeights
  private let workspace: Workspace

  /// - Parameters:
  ///   - rows: Rows of each worker's left-hand matrix.
  ///   - depth: Its columns.
  ///   - columns: Columns of the right-hand matrix.
  ///   - backend: The matrix-multiplication back end.
  ///   - threads: Largest number of workers.
  package init(rows: Int, depth: Int, columns: Int, backend: GEMMBackend, threads: Int) {
    self.rows = rows
    matrix = PackedWeights(
      depth: depth, columns: columns, backend: backend,
      storage: AlignedBuffer(
        count: PackedWeights.count(depth: depth, columns: columns, backend: backend)))
    unsafe matrix.storage.base.initialize(repeating: 0.5, count: matrix.storage.count)
    workspace = Workspace(capacity: threads * rows * (depth + columns))
    unsafe workspace.base.initialize(repeating: 0.25, count: workspace.capacity)
  }

  /// Floating-point operations of one run.
  package func operations(threads: Int) -> Int {
    2 * threads * rows * matrix.depth * matrix.columns
  }

  package func run(on team: ThreadTeam) {
    let size = rows * (matrix.depth + matrix.columns)
    nonisolated(unsafe) let base = unsafe workspace.base
    team.forEach(team.threads) { _, index in
      let a = unsafe base + index * size
      unsafe matrix.multiply(
        GEMMOperands(
          rows: rows, a: a, aStride: matrix.depth, result: a + rows * matrix.depth,
          resultStride: matrix.columns),
        panels: 0..<matrix.panels)
    }
  }
}

/// A copy by all workers: the machine's memory bandwidth.
package struct CopyCeiling: Sendable {
  private let source, destination: AlignedBuffer
  /// Floats per task.
  private static let part = 64 << 10

  /// - Parameter bytes: Bytes of the source, and of the destination.
  package init(bytes: Int) {
    let count = max(bytes / MemoryLayout<Float>.stride / Self.part, 1) * Self.part
    (source, destination) = (AlignedBuffer(count: count), AlignedBuffer(count: count))
    unsafe source.base.initialize(repeating: 1, count: count)
    unsafe destination.base.initialize(repeating: 0, count: count)
  }

  /// Bytes read and written by one run.
  package var bytes: Int { 2 * source.count * MemoryLayout<Float>.stride }

  package func run(on team: ThreadTeam) {
    team.forEach(source.count / Self.part) { _, index in
      unsafe (destination.base + index * Self.part).update(
        from: source.base + index * Self.part, count: Self.part)
    }
  }
}

/// Reads more than the caches hold, so that afterwards they hold only clean lines of this buffer.
package struct CacheEviction: Sendable {
  private let buffer: AlignedBuffer
  /// Floats per cache line, and lines per task.
  private static let line = 16
  private static let lines = 4096

  package init(bytes: Int) {
    let part = Self.line * Self.lines
    buffer = AlignedBuffer(count: max(bytes / MemoryLayout<Float>.stride / part, 1) * part)
    unsafe buffer.base.initialize(repeating: 1, count: buffer.count)
  }

  /// - Returns: The sum of the values read, so that the reads are not optimized away.
  @discardableResult
  package func run(on team: ThreadTeam) -> Double {
    let part = Self.line * Self.lines
    var sums = [Float](repeating: 0, count: buffer.count / part)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      // Each task adds to its own element.
      nonisolated(unsafe) let sums = unsafe sums
      unsafe team.forEach(sums.count) { _, index in
        for line in 0..<Self.lines {
          unsafe sums[index] += buffer.base[index * part + line * Self.line]
        }
      }
    }
    return sums.reduce(0) { $0 + Double($1) }
  }
}
