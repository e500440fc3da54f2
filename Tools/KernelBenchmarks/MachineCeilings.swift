package import NeuralEngine
package import ThreadTeams

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
    matrix.storage.base.initialize(repeating: 0.5, count: matrix.storage.count)
    workspace = Workspace(capacity: threads * rows * (depth + columns))
    workspace.base.initialize(repeating: 0.25, count: workspace.capacity)
  }

  /// Floating-point operations of one run.
  package func operations(threads: Int) -> Int {
    2 * threads * rows * matrix.depth * matrix.columns
  }

  package func run(on team: ThreadTeam) {
    let size = rows * (matrix.depth + matrix.columns)
    nonisolated(unsafe) let base = workspace.base
    team.forEach(team.threads) { _, index in
      let a = base + index * size
      matrix.multiply(
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
    source.base.initialize(repeating: 1, count: count)
    destination.base.initialize(repeating: 0, count: count)
  }

  /// Bytes read and written by one run.
  package var bytes: Int { 2 * source.count * MemoryLayout<Float>.stride }

  package func run(on team: ThreadTeam) {
    team.forEach(source.count / Self.part) { _, index in
      (destination.base + index * Self.part).update(
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
    buffer.base.initialize(repeating: 1, count: buffer.count)
  }

  /// - Returns: The sum of the values read, so that the reads are not optimized away.
  @discardableResult
  package func run(on team: ThreadTeam) -> Double {
    let part = Self.line * Self.lines
    return withScratch(buffer.count / part) { sums in
      nonisolated(unsafe) let sums = sums
      team.forEach(buffer.count / part) { _, index in
        for line in 0..<Self.lines { sums[index] += buffer.base[index * part + line * Self.line] }
      }
      return (0..<buffer.count / part).reduce(0) { $0 + Double(sums[$1]) }
    }
  }
}
