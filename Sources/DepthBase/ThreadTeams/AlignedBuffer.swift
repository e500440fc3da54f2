import SystemEssentials

/// Floats aligned to a cache line, in huge pages if the system offers them.
///
/// A buffer is filled before threads share it. In a workspace, the memory plan separates the feature maps that threads
/// write.
@safe package final class AlignedBuffer: Sendable {
  /// Number of floats.
  package let count: Int
  /// The first float.
  nonisolated(unsafe) package let base: UnsafeMutablePointer<Float>
  /// The buffer that contains this part; `nil` if this buffer owns its memory.
  private let whole: AlignedBuffer?

  private static let hugePage = 2 << 20

  /// Allocates `count` floats without initializing them.
  ///
  /// - Parameter isWholeUsed: Whether all of the memory will be used, so that huge pages are requested at once. Otherwise
  ///   call ``useHugePages(upTo:)``.
  /// - Precondition: `count` is not negative.
  package init(count: Int, isWholeUsed: Bool = true) {
    precondition(count >= 0, "\(count) floats, expected none or more")
    self.count = count
    let bytes = max(count, 1) * MemoryLayout<Float>.stride
    let alignment = bytes >= Self.hugePage ? Self.hugePage : 64
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
    #if os(Linux)
      // A failure is ignored: small pages only cause more page faults.
      if isWholeUsed, bytes >= Self.hugePage { unsafe madvise(memory, bytes, MADV_HUGEPAGE) }
    #endif
    unsafe base = memory.bindMemory(to: Float.self, capacity: max(count, 1))
    whole = nil
  }

  /// A part of a buffer. The part retains the whole buffer.
  ///
  /// - Precondition: The part is inside the buffer and starts at a cache line.
  package init(_ part: Range<Int>, of whole: AlignedBuffer) {
    precondition(
      part.lowerBound >= 0 && part.upperBound <= whole.count && part.lowerBound % 16 == 0,
      "floats \(part) of \(whole.count)")
    count = part.count
    unsafe base = whole.base + part.lowerBound
    self.whole = whole
  }

  /// Requests huge pages for all whole pages within the first `used` floats.
  package func useHugePages(upTo used: Int) {
    precondition(used <= count, "\(used) of \(count) floats")
    #if os(Linux)
      let bytes = used * MemoryLayout<Float>.stride / Self.hugePage * Self.hugePage
      if bytes > 0 { unsafe madvise(UnsafeMutableRawPointer(base), bytes, MADV_HUGEPAGE) }
    #endif
  }

  deinit {
    if whole == nil { unsafe UnsafeMutableRawPointer(base).deallocate() }
  }

  /// A copy of `values`, padded with zeros to a multiple of the widest vector.
  package convenience init(padding values: [Float]) {
    self.init(count: (values.count + 15) / 16 * 16)
    unsafe base.initialize(repeating: 0, count: count)
    unsafe values.withUnsafeBufferPointer { source in
      if let first = source.baseAddress { unsafe base.update(from: first, count: source.count) }
    }
  }
}

/// Calls `body` with `count` zeroed floats, which are freed afterwards.
///
/// - Precondition: `count` is not negative.
package func withScratch<Result>(
  _ count: Int, _ body: (inout MutableSpan<Float>) -> Result
) -> Result {
  var scratch = [Float](repeating: 0, count: count)
  var span = scratch.mutableSpan
  return body(&span)
}

/// Floats per vector of the widest instruction set. A kernel may read this many floats beyond the end of a row.
package let widestLanes = 16
