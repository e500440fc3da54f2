package import DepthBase

/// Resizes a photo with the Lanczos-3 filter, with the same bytes as Pillow.
///
/// Two passes, along rows and then down columns, are each rounded to 8 bits. A pass along an axis of
/// unchanged size is skipped. For smaller sizes, the filter is widened by the scale, so that every pixel of
/// the photo counts.
///
/// - Parameters:
///   - image: Photo of any size.
///   - height: Rows of the result, at least 1.
///   - width: Columns of the result, at least 1.
///   - threads: Number of threads. Neither this number nor `isa` changes the bytes.
/// - Returns: Photo of `height × width × 3` bytes with the metadata of `image`.
/// - Complexity: 6 · max(scale, 1) multiply–adds per byte and pass.
///
/// > Source: C. E. Duchon. “Lanczos Filtering in One and Two Dimensions.” Journal of Applied
/// > Meteorology 18(8), 1979. Windows, rounding and order of the passes are Pillow's
/// > (`Resample.c`, releases 3.3 to 12).
package func resizedLanczos(
  _ image: Image, height: Int, width: Int, threads: Int, isa: InstructionSet = .current
) -> Image {
  precondition(height > 0 && width > 0, "size \(width)×\(height), expected at least 1×1")
  var pixels = image.pixels
  // Computing both tables takes as long as resampling one photo, so both are computed in parallel.
  let axes = [(image.width, width), (image.height, height)].filter { $0 != $1 }
  _ = parallelMap(axes.count, threads: threads) {
    LanczosTables.shared(from: axes[$0].0, to: axes[$0].1)
  }
  if width != image.width {
    pixels = resampledAlongRows(
      pixels, height: image.height, width: image.width, to: width, threads: threads, isa: isa)
  }
  if height != image.height {
    pixels = resampledDownColumns(
      pixels, height: image.height, rowBytes: width * 3, to: height, threads: threads, isa: isa)
  }
  return Image(height: height, width: width, pixels: pixels, metadata: image.metadata)
}

/// Resamples `height × width × 3` bytes to `height × newWidth × 3` bytes.
private func resampledAlongRows(
  _ pixels: [UInt8], height: Int, width: Int, to newWidth: Int, threads: Int, isa: InstructionSet
) -> [UInt8] {
  let tables = LanczosTables.shared(from: width, to: newWidth)
  let rowBytes = width * 3
  let kernels = PictureKernels(isa)
  return filledRows(height: height, width: newWidth * 3, grain: 32, threads: threads) { rows, out in
    let input = pixels.span.extracting(rows.lowerBound * rowBytes..<rows.upperBound * rowBytes)
    kernels.resampleRGB(tables, input, rowBytes: rowBytes, into: &out)
  }
}

/// Resamples `height` rows of `rowBytes` bytes to `newHeight` rows.
private func resampledDownColumns(
  _ pixels: [UInt8], height: Int, rowBytes: Int, to newHeight: Int, threads: Int,
  isa: InstructionSet
) -> [UInt8] {
  let windows = LanczosTables.shared(from: height, to: newHeight).windows
  let kernels = PictureKernels(isa)
  return filledRows(height: newHeight, width: rowBytes, grain: 4, threads: threads) { rows, out in
    out.forEachRow(rows, width: rowBytes) { row, out in
      let (first, count) = (row * windows.taps, windows.counts[row])
      kernels.resampleRows(
        windows.weights.span.extracting(first..<first + count),
        pixels.span.extracting(droppingFirst: windows.starts[row] * rowBytes), stride: rowBytes,
        into: &out)
    }
  }
}
