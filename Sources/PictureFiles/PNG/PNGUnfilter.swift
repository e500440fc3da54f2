import DepthBase
package import SIMDKernels

/// Undoes the filters of a PNG of 16-bit gray samples that is not interlaced.
///
/// - Parameters:
///   - filtered: Content of the file's zlib stream: for each row its filter type, then its bytes, the
///     higher byte of a sample first.
///   - height: Rows.
///   - width: Samples per row.
///   - isa: Instruction set; the samples do not depend on it.
/// - Returns: `height · width` samples; `nil` when a row has an unknown filter type.
/// - Precondition: `filtered` has `height · (1 + 2 · width)` bytes.
///
/// > Source: W3C PNG (Third Edition), section 9, “Filtering”.
package func unfilteredGray16(
  _ filtered: [UInt8], height: Int, width: Int, isa: InstructionSet = .current
) -> [UInt16]? {
  precondition(
    filtered.count == height * (1 + 2 * width),
    "\(filtered.count) bytes for \(width)×\(height) samples, expected \(height * (1 + 2 * width))")
  var isWhole = false
  let samples: [UInt16] = filledArray(count: height * width) { samples in
    isWhole = PNGKernels(isa).unfilter16(filtered.span, width: width, into: &samples)
  }
  return isWhole ? samples : nil
}
