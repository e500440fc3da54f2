/// Returns a new array of `height` rows of `width` numbers that `body` fills in parallel.
///
/// The rows are distributed as by ``parallelFor(_:grain:threads:cancellation:_:)``. The chunks do not depend on the number
/// of threads, and each call can write only its own rows.
///
/// - Parameters:
///   - height: Number of rows.
///   - width: Numbers per row.
///   - grain: Rows per chunk, at least 1.
///   - strided: Whether each thread works on a separate part, as in
///     ``parallelForStrided(_:grain:threads:cancellation:_:)``.
///   - padding: Number of zeros after the last row, for kernels that read beyond the row's end.
///   - threads: Maximum number of threads, at least 1.
///   - cancellation: If cancelled, rows of remaining chunks are undefined; the caller must check `isCancelled` and
///     discard the result.
///   - body: Called once per chunk with the chunk's rows and `rows.count · width` undefined numbers. Must set all of the
///     numbers.
package func filledRows<Element: Numeric & BitwiseCopyable>(
  height: Int, width: Int, grain: Int, strided: Bool = false, padding: Int = 0, threads: Int,
  cancellation: Cancellation? = nil,
  _ body: @Sendable (_ rows: Range<Int>, _ out: inout MutableSpan<Element>) -> Void
) -> [Element] {
  precondition(
    height >= 0 && width >= 0 && padding >= 0,
    "\(width)×\(height) and \(padding) more, expected none or more")
  return filledArray(count: height * width + padding) { out in
    out.withPart(height * width..<out.count) { $0.update(repeating: 0) }
    unsafe out.withUnsafeMutableBufferPointer { out in
      unsafe forEachChunk(
        of: out, height: height, width: width, grain: grain, strided: strided, threads: threads,
        cancellation: cancellation, body)
    }
  }
}

/// Updates the rows of an array of `height × width` elements in parallel.
///
/// - Parameters:
///   - width: Elements per row.
///   - grain: Rows per chunk, at least 1.
///   - threads: Maximum number of threads, at least 1.
///   - body: Called once per chunk with the chunk's rows and `rows.count · width` elements.
/// - Precondition: The array contains a whole number of rows.
package func updateRows<Element: BitwiseCopyable>(
  of array: inout [Element], width: Int, grain: Int, threads: Int,
  _ body: @Sendable (_ rows: Range<Int>, _ out: inout MutableSpan<Element>) -> Void
) {
  precondition(
    width > 0 && array.count % width == 0,
    "\(array.count) elements, expected a multiple of \(width)")
  let height = array.count / width
  unsafe array.withUnsafeMutableBufferPointer { out in
    unsafe forEachChunk(
      of: out, height: height, width: width, grain: grain, strided: false, threads: threads,
      cancellation: nil, body)
  }
}

/// Calls `body` once per chunk with a span of its rows.
@unsafe
private func forEachChunk<Element: BitwiseCopyable>(
  of elements: UnsafeMutableBufferPointer<Element>, height: Int, width: Int, grain: Int,
  strided: Bool, threads: Int, cancellation: Cancellation?,
  _ body: @Sendable (_ rows: Range<Int>, _ out: inout MutableSpan<Element>) -> Void
) {
  // Parallel loops pass disjoint ranges of rows, each to one thread, and `extracting` checks their bounds. Therefore no two
  // threads have a span of the same element. Every bit pattern is a number, so even fresh memory has valid values.
  nonisolated(unsafe) let elements = unsafe elements
  @Sendable func lend(_ rows: Range<Int>) {
    var out = unsafe elements.extracting(rows.lowerBound * width..<rows.upperBound * width)
      .mutableSpan
    body(rows, &out)
  }
  if strided {
    parallelForStrided(
      height, grain: grain, threads: threads, cancellation: cancellation, lend)
  } else {
    parallelFor(height, grain: grain, threads: threads, cancellation: cancellation, lend)
  }
}

/// The results of `body` for the indices `0 ..< count`, computed in parallel.
///
/// - Parameters:
///   - count: Number of indices.
///   - threads: Maximum number of threads, at least 1.
package func parallelMap<Result: Sendable>(
  _ count: Int, threads: Int, _ body: @Sendable (_ index: Int) -> Result
) -> [Result] {
  precondition(count >= 0, "\(count) results, expected none or more")
  // The library would write the count 0 into the single empty array that all threads share.
  guard count > 0 else { return [] }
  return unsafe [Result](unsafeUninitializedCapacity: count) { results, initialized in
    // The loop calls its body once per index, so each element is initialized once, by one thread, before the loop returns.
    nonisolated(unsafe) let results = unsafe results
    parallelFor(count, threads: threads) { indices in
      for index in indices {
        unsafe results.initializeElement(at: index, to: body(index))
      }
    }
    initialized = count
  }
}

/// Like ``filledRows(height:width:grain:strided:padding:threads:cancellation:_:)``, for four arrays with equally many rows.
///
/// - Parameters:
///   - widths: Numbers per row of each array.
///   - body: Sets the rows of a chunk in all arrays.
/// - Returns: The arrays, and the result of `body` for each chunk.
package func filledRows<Element: Numeric & BitwiseCopyable & Sendable, Result: Sendable>(
  height: Int, widths: (Int, Int, Int, Int), grain: Int, threads: Int,
  _ body:
    @Sendable (
      _ rows: Range<Int>, _ first: inout MutableSpan<Element>,
      _ second: inout MutableSpan<Element>, _ third: inout MutableSpan<Element>,
      _ fourth: inout MutableSpan<Element>
    ) -> Result
) -> (arrays: ([Element], [Element], [Element], [Element]), results: [Result]) {
  precondition(
    height >= 0 && min(widths.0, widths.1, widths.2, widths.3) >= 0,
    "\(height) rows of \(widths), expected none or more")
  var arrays: ([Element], [Element], [Element], [Element]) = ([], [], [], [])
  var results: [Result] = []
  arrays.0 = filledArray(count: height * widths.0) { first in
    arrays.1 = filledArray(count: height * widths.1) { second in
      arrays.2 = filledArray(count: height * widths.2) { third in
        arrays.3 = filledArray(count: height * widths.3) { fourth in
          results = unsafe first.withUnsafeMutableBufferPointer { first in
            unsafe second.withUnsafeMutableBufferPointer { second in
              unsafe third.withUnsafeMutableBufferPointer { third in
                unsafe fourth.withUnsafeMutableBufferPointer { fourth in
                  // As above, chunks are disjoint. The four arrays are also disjoint.
                  nonisolated(unsafe) let (first, second) = unsafe (first, second)
                  nonisolated(unsafe) let (third, fourth) = unsafe (third, fourth)
                  return parallelMap((height + grain - 1) / grain, threads: threads) { chunk in
                    let rows = chunk * grain..<min(height, (chunk + 1) * grain)
                    let (low, high) = (rows.lowerBound, rows.upperBound)
                    var a = unsafe first.extracting(low * widths.0..<high * widths.0).mutableSpan
                    var b = unsafe second.extracting(low * widths.1..<high * widths.1).mutableSpan
                    var c = unsafe third.extracting(low * widths.2..<high * widths.2).mutableSpan
                    var d = unsafe fourth.extracting(low * widths.3..<high * widths.3).mutableSpan
                    return body(rows, &a, &b, &c, &d)
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return (arrays, results)
}
