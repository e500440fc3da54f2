#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Returns a new array of `count` elements that `body` fills, in huge pages where the system offers
/// them.
///
/// Page faults on fresh memory in pages of 4 KiB take longer than computing a full-size map; with
/// pages of 2 MiB their time is negligible.
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
        // This is advice; pages may stay small.
        madvise(UnsafeMutableRawPointer(bitPattern: first), last - first, MADV_HUGEPAGE)
      }
    #endif
    body(start)
    initialized = count
  }
}
