import SystemEssentials

/// Returns a new array of `count` numbers that `body` sets, in huge pages where the system offers
/// them.
///
/// Page faults on fresh memory in pages of 4 KiB take longer than computing a full-size map; with
/// pages of 2 MiB their time is negligible.
///
/// - Parameter body: Must set all numbers, since they can hold anything.
package func filledArray<Element: Numeric & BitwiseCopyable>(
  count: Int, _ body: (inout MutableSpan<Element>) -> Void
) -> [Element] {
  guard count > 0 else {
    var none = MutableSpan<Element>()
    body(&none)
    return []
  }
  return unsafe filledThroughPointer(count: count) { start in
    // Every bit pattern is a number, so that even fresh memory holds values.
    var out = unsafe UnsafeMutableBufferPointer(start: start, count: count).mutableSpan
    body(&out)
  }
}

/// Like ``filledArray(count:_:)``, for elements of any kind and loops that index without checks.
///
/// - Parameter body: Must initialize all elements; not called when there are none.
@unsafe
package func filledThroughPointer<Element>(
  count: Int, _ body: (UnsafeMutablePointer<Element>) -> Void
) -> [Element] {
  // The library would write the count 0 into the one empty array that all threads share.
  guard count > 0 else { return [] }
  return unsafe [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
    guard let start = buffer.baseAddress else { return }
    #if os(Linux)
      let page = 2 << 20
      let first = (Int(bitPattern: start) + page - 1) / page * page
      let last = (Int(bitPattern: start) + count * MemoryLayout<Element>.stride) / page * page
      if first < last {
        // This is advice; pages may stay small.
        unsafe madvise(UnsafeMutableRawPointer(bitPattern: first), last - first, MADV_HUGEPAGE)
      }
    #endif
    unsafe body(start)
    initialized = count
  }
}
