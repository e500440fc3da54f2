#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A new array of `count` elements that `body` fills, in large pages where the system has them.
///
/// Touching fresh memory 4 KiB at a time takes longer than computing a full-size map does; in pages
/// of 2 MiB it hardly shows.
package func filledArray<Element>(
  count: Int, _ body: (UnsafeMutablePointer<Element>) -> Void
) -> [Element] {
  [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
    guard let start = buffer.baseAddress else { return }
    #if os(Linux)
      let page = 2 << 20
      let first = (Int(bitPattern: start) + page - 1) / page * page
      let last = (Int(bitPattern: start) + count * MemoryLayout<Element>.stride) / page * page
      if first < last {
        // Advice only: where it is not taken, pages stay small.
        madvise(UnsafeMutableRawPointer(bitPattern: first), last - first, MADV_HUGEPAGE)
      }
    #endif
    body(start)
    initialized = count
  }
}
