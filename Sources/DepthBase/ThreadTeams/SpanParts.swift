import SystemEssentials

extension MutableSpan {
  /// Calls `body` with a span of only the elements in `range`.
  ///
  /// - Precondition: `range` is inside the span.
  @inlinable @inline(__always)
  package mutating func withPart<Result>(
    _ range: Range<Int>, _ body: (inout MutableSpan<Element>) -> Result
  ) -> Result where Element: BitwiseCopyable {
    unsafe withUnsafeMutableBufferPointer { elements in
      precondition(
        range.lowerBound >= 0 && range.upperBound <= elements.count,
        "elements \(range) of \(elements.count)")
      var part = unsafe elements.extracting(range).mutableSpan
      return body(&part)
    }
  }

  /// Calls `body` with spans of the first and the last `count` elements.
  ///
  /// - Precondition: The two parts do not overlap.
  @inlinable @inline(__always)
  package mutating func withEnds<Result>(
    of count: Int, _ body: (inout MutableSpan<Element>, inout MutableSpan<Element>) -> Result
  ) -> Result where Element: BitwiseCopyable {
    unsafe withUnsafeMutableBufferPointer { elements in
      precondition(
        count >= 0 && 2 * count <= elements.count, "twice \(count) of \(elements.count) elements")
      var first = unsafe elements.extracting(0..<count).mutableSpan
      var last = unsafe elements.extracting(elements.count - count..<elements.count).mutableSpan
      return body(&first, &last)
    }
  }

  /// Calls `body` with each row of a chunk of `rows` with `width` elements each.
  ///
  /// - Precondition: The span has `rows.count · width` elements.
  @inlinable @inline(__always)
  package mutating func forEachRow(
    _ rows: Range<Int>, width: Int, _ body: (_ y: Int, _ row: inout MutableSpan<Element>) -> Void
  ) where Element: BitwiseCopyable {
    precondition(
      count == rows.count * width, "\(count) elements, expected \(rows.count) rows of \(width)")
    for y in rows {
      let start = (y - rows.lowerBound) * width
      withPart(start..<start + width) { body(y, &$0) }
    }
  }

  /// Copies `source` to the elements starting at `start`.
  ///
  /// - Precondition: All of these elements are inside the span.
  @inlinable @inline(__always)
  package mutating func update(from source: Span<Element>, at start: Int = 0)
  where Element: BitwiseCopyable {
    withPart(start..<start + source.count) { part in
      unsafe part.withPointer { to in
        unsafe source.withPointer { unsafe to.update(from: $0, count: source.count) }
      }
    }
  }

  /// Calls `body` with a pointer to all elements that is valid only during the call, for C functions.
  @unsafe @inlinable @inline(__always)
  package mutating func withPointer<Result>(
    _ body: (UnsafeMutablePointer<Element>) -> Result
  ) -> Result where Element: BitwiseCopyable {
    unsafe withUnsafeMutableBufferPointer { elements in
      // A span without elements may have no address. The substitute is never dereferenced.
      unsafe body(
        elements.baseAddress ?? UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment)!)
    }
  }
}

extension Span {
  /// Calls `body` with a pointer to all elements that is valid only during the call, for C functions.
  @unsafe @inlinable @inline(__always)
  package func withPointer<Result>(_ body: (UnsafePointer<Element>) -> Result) -> Result
  where Element: BitwiseCopyable {
    unsafe withUnsafeBufferPointer { elements in
      // A span without elements may have no address. The substitute is never dereferenced.
      unsafe body(
        elements.baseAddress ?? UnsafePointer(bitPattern: MemoryLayout<Element>.alignment)!)
    }
  }
}

extension MutableSpan<UInt8> {
  /// Stores a number at byte `offset`, least significant byte first.
  ///
  /// - Precondition: All of the number's bytes are inside the span.
  @inlinable @inline(__always)
  package mutating func store<Number: FixedWidthInteger & BitwiseCopyable>(
    littleEndian number: Number, at offset: Int
  ) {
    // Every bit pattern is a byte.
    var bytes = unsafe mutableBytes
    bytes.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
  }
}

/// Returns a new array of `count` numbers that `body` sets, in huge pages if the system offers them.
///
/// With 4 KiB pages, the page faults of fresh memory take longer than computing a full-size map. With 2 MiB pages, the
/// page faults take negligible time.
///
/// - Parameter body: Must set all numbers, which are undefined.
package func filledArray<Element: Numeric & BitwiseCopyable>(
  count: Int, _ body: (inout MutableSpan<Element>) -> Void
) -> [Element] {
  guard count > 0 else {
    var none = MutableSpan<Element>()
    body(&none)
    return []
  }
  return unsafe filledThroughPointer(count: count) { start in
    // Every bit pattern is a number, so even fresh memory has valid values.
    var out = unsafe UnsafeMutableBufferPointer(start: start, count: count).mutableSpan
    body(&out)
  }
}

/// A variant of ``filledArray(count:_:)`` for elements of any type and loops without bounds checks.
///
/// - Parameter body: Must initialize all elements unless it throws; not called for an empty array.
@unsafe
package func filledThroughPointer<Element>(
  count: Int, _ body: (UnsafeMutablePointer<Element>) throws -> Void
) rethrows -> [Element] {
  // The library would write the count 0 into the single empty array that all threads share.
  guard count > 0 else { return [] }
  return try unsafe [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
    guard let start = buffer.baseAddress else { return }
    #if os(Linux)
      let page = 2 << 20
      let first = (Int(bitPattern: start) + page - 1) / page * page
      let last = (Int(bitPattern: start) + count * MemoryLayout<Element>.stride) / page * page
      if first < last {
        // A failure is ignored: small pages only cause more page faults.
        unsafe madvise(UnsafeMutableRawPointer(bitPattern: first), last - first, MADV_HUGEPAGE)
      }
    #endif
    try unsafe body(start)
    initialized = count
  }
}
