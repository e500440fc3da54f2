import CDepthSIMD
import DepthBase

/// The PNG row kernels of one instruction set.
///
/// Each function first checks that a kernel accesses no memory outside the spans.
@safe
struct PNGKernels: Sendable {
  private let table: ck_png_kernels

  init(_ isa: InstructionSet) { unsafe table = isa.kernels.pointee.png }

  /// Filters a row with the filter whose bytes have the smallest sum of magnitudes.
  ///
  /// - Parameters:
  ///   - row: The bytes of the row; `above` contains the previous row.
  ///   - pixelBytes: Bytes of a pixel, at most the bytes of the row.
  ///   - filtered: Receives the type of the filter, followed by as many bytes as `row` has.
  func filter(
    _ row: Span<UInt8>, above: Span<UInt8>, pixelBytes: Int, into filtered: inout MutableSpan<UInt8>
  ) {
    let count = row.count
    precondition(
      above.count == count && filtered.count == 1 + count && pixelBytes >= 1 && pixelBytes <= count,
      "rows of \(count) and \(above.count) bytes, room for \(filtered.count), pixels of \(pixelBytes)"
    )
    unsafe row.withPointer { row in
      unsafe above.withPointer { above in
        unsafe filtered.withPointer { unsafe table.png_filter(count, pixelBytes, row, above, $0) }
      }
    }
  }

  /// Filters a row of 16-bit gray samples; see ``filter(_:above:pixelBytes:into:)``.
  func filter16(
    _ row: Span<UInt8>, above: Span<UInt8>, into filtered: inout MutableSpan<UInt8>
  ) {
    let count = row.count
    precondition(
      above.count == count && filtered.count == 1 + count && count >= 2 && count % 2 == 0,
      "rows of \(count) and \(above.count) bytes, room for \(filtered.count)")
    unsafe row.withPointer { row in
      unsafe above.withPointer { above in
        unsafe filtered.withPointer { unsafe table.png_filter16(count, row, above, $0) }
      }
    }
  }

  /// The samples for values: round((value − offset) / step), halves up, within 1…65535. Values that are not
  /// finite become 0. With `positive`, values that are not positive also become 0.
  ///
  /// - Parameters:
  ///   - step: Step between samples. If it is not positive, all values become 1.
  ///   - bytes: Receives two bytes per value, most significant first.
  func samples16(
    of values: Span<Float>, positive: Bool, offset: Double, step: Double,
    into bytes: inout MutableSpan<UInt8>
  ) {
    let count = values.count
    precondition(bytes.count == 2 * count, "room for \(bytes.count) bytes, \(count) values")
    unsafe values.withPointer { values in
      unsafe bytes.withPointer {
        unsafe table.png_samples16(count, positive, offset, step, values, $0)
      }
    }
  }
}
