import SystemEssentials

/// Floats on a cache-line boundary, in huge pages where the system offers them.
///
/// A buffer is filled before it is shared between threads. In a workspace, the memory plan keeps
/// the feature maps that threads write apart.
@safe package final class AlignedBuffer: Sendable {
  /// Number of floats.
  package let count: Int
  /// The first float.
  nonisolated(unsafe) package let base: UnsafeMutablePointer<Float>

  private static let hugePage = 2 << 20

  /// Allocates `count` floats without initializing them.
  ///
  /// - Precondition: `count` is not negative.
  package init(count: Int) {
    precondition(count >= 0, "\(count) floats, expected none or more")
    self.count = count
    let bytes = max(count, 1) * MemoryLayout<Float>.stride
    let alignment = bytes >= Self.hugePage ? Self.hugePage : 64
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
    #if os(Linux)
      // This is advice; with small pages there are more page faults.
      if bytes >= Self.hugePage { unsafe madvise(memory, bytes, MADV_HUGEPAGE) }
    #endif
    unsafe base = memory.bindMemory(to: Float.self, capacity: max(count, 1))
  }

  deinit {
    unsafe UnsafeMutableRawPointer(base).deallocate()
  }

  /// A copy of `values`, followed by zeros up to a whole number of the widest vectors.
  package convenience init(padding values: [Float]) {
    self.init(count: (values.count + 15) / 16 * 16)
    unsafe base.initialize(repeating: 0, count: count)
    unsafe values.withUnsafeBufferPointer { source in
      if let first = source.baseAddress { unsafe base.update(from: first, count: source.count) }
    }
  }
}
