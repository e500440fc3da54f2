import CDepthSIMD
package import SIMDKernels
import ThreadTeams

/// Resizes a photo with the Lanczos filter of three lobes; the bytes equal Pillow's.
///
/// Two passes, along the rows and then down the columns, each rounded to 8 bits; a pass whose size
/// does not change is left out. When shrinking, the filter is widened by the scale, so that every
/// pixel of the photo counts.
///
/// - Parameters:
///   - image: Photo of any size.
///   - height: Rows wanted, at least 1.
///   - width: Columns wanted, at least 1.
///   - threads: Threads to use; the bytes do not depend on it, nor on `isa`.
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

/// `height × width × 3` bytes → `height × newWidth × 3` bytes.
private func resampledAlongRows(
  _ pixels: [UInt8], height: Int, width: Int, to newWidth: Int, threads: Int, isa: InstructionSet
) -> [UInt8] {
  let tables = LanczosTables.shared(from: width, to: newWidth)
  let (rowBytes, newRowBytes) = (width * 3, newWidth * 3)
  let kernel = isa.kernels.pointee.pictures.resample_rgb

  return [UInt8](unsafeUninitializedCapacity: height * newRowBytes) { output, initialized in
    pixels.withUnsafeBufferPointer { input in
      nonisolated(unsafe) let (input, output) = (input, output)
      parallelFor(height, grain: 32, threads: threads) { rows in
        guard let x = input.baseAddress, let y = output.baseAddress else { return }
        let size = 8 * (tables.rgbReach + newRowBytes)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { scratch in
          guard let scratch = scratch.baseAddress else { return }
          kernel(
            rows.count, newWidth, tables.rgbStarts, tables.windows.taps * 3, tables.rgbPitch,
            tables.rgbWeights, rowBytes, rowBytes, x + rows.lowerBound * rowBytes, newRowBytes,
            y + rows.lowerBound * newRowBytes, tables.rgbReach, scratch)
        }
      }
    }
    initialized = height * newRowBytes
  }
}

/// `height` rows of `rowBytes` bytes → `newHeight` such rows.
private func resampledDownColumns(
  _ pixels: [UInt8], height: Int, rowBytes: Int, to newHeight: Int, threads: Int,
  isa: InstructionSet
) -> [UInt8] {
  let windows = LanczosTables.shared(from: height, to: newHeight).windows
  let kernel = isa.kernels.pointee.pictures.resample_rows
  return [UInt8](unsafeUninitializedCapacity: newHeight * rowBytes) { output, initialized in
    pixels.withUnsafeBufferPointer { input in
      windows.weights.withUnsafeBufferPointer { weights in
        nonisolated(unsafe) let (input, output, weights) = (input, output, weights)
        parallelFor(newHeight, grain: 4, threads: threads) { rows in
          guard let x = input.baseAddress, let y = output.baseAddress, let w = weights.baseAddress
          else { return }
          for row in rows {
            kernel(
              rowBytes, windows.counts[row], w + row * windows.taps, rowBytes,
              x + windows.starts[row] * rowBytes, y + row * rowBytes)
          }
        }
      }
    }
    initialized = newHeight * rowBytes
  }
}
