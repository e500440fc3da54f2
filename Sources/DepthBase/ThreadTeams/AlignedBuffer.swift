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
  /// The buffer that this one is a part of; `nil` where the memory is its own.
  private let whole: AlignedBuffer?

  private static let hugePage = 2 << 20

  /// Allocates `count` floats without initializing them.
  ///
  /// - Parameter isWholeUsed: Whether all of it will be used. Otherwise ``useHugePages(upTo:)`` asks for huge pages.
  /// - Precondition: `count` is not negative.
  package init(count: Int, isWholeUsed: Bool = true) {
    precondition(count >= 0, "\(count) floats, expected none or more")
    self.count = count
    let bytes = max(count, 1) * MemoryLayout<Float>.stride
    let alignment = bytes >= Self.hugePage ? Self.hugePage : 64
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
    #if os(Linux)
      // This is advice; with small pages there are more page faults.
      if isWholeUsed, bytes >= Self.hugePage { unsafe madvise(memory, bytes, MADV_HUGEPAGE) }
    #endif
    unsafe base = memory.bindMemory(to: Float.self, capacity: max(count, 1))
    whole = nil
  }

  /// A part of a buffer, which keeps the memory of the whole.
  ///
  /// - Precondition: The part lies inside and begins with a cache line.
  package init(_ part: Range<Int>, of whole: AlignedBuffer) {
    precondition(
      part.lowerBound >= 0 && part.upperBound <= whole.count && part.lowerBound % 16 == 0,
      "floats \(part) of \(whole.count)")
    count = part.count
    unsafe base = whole.base + part.lowerBound
    self.whole = whole
  }

  /// Requests huge pages for as many of the first `used` floats as fill whole pages.
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

  /// A copy of `values`, followed by zeros up to a whole number of the widest vectors.
  package convenience init(padding values: [Float]) {
    self.init(count: (values.count + 15) / 16 * 16)
    unsafe base.initialize(repeating: 0, count: count)
    unsafe values.withUnsafeBufferPointer { source in
      if let first = source.baseAddress { unsafe base.update(from: first, count: source.count) }
    }
  }
}

/// Calls `body` with `count` floats, all 0, which are freed afterwards.
///
/// - Precondition: `count` is not negative.
package func withScratch<Result>(
  _ count: Int, _ body: (inout MutableSpan<Float>) -> Result
) -> Result {
  var scratch = [Float](repeating: 0, count: count)
  var span = scratch.mutableSpan
  return body(&span)
}

/// Floats per vector of the widest instruction set; a kernel may read that many beyond the end of a
/// row.
package let widestLanes = 16
