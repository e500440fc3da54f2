package import DepthBase

/// Resizes a photo, by the area mean along shrinking axes and by linear interpolation along growing axes.
///
/// - Parameters:
///   - photo: `h × w × 3` bytes.
///   - height: Rows of the result.
///   - width: Columns of the result.
/// - Returns: `height × width × 3` bytes, rounded to nearest, without metadata.
package func areaAveraged(
  _ photo: Image, height: Int, width: Int, isa: InstructionSet = .current, threads: Int
) -> Image {
  guard (height, width) != (photo.height, photo.width) else { return photo }
  let kernels = PictureKernels(isa)
  let rows = SampleTable.area(from: photo.height, to: height)
  let columns = SampleTable.area(from: photo.width, to: width)
  let line = photo.width * 3
  let bytes: [UInt8] = filledRows(height: height, width: width * 3, grain: 8, threads: threads) {
    chunk, out in
    // With one extra float, the last pixel can be loaded as a vector of four.
    withScratch(line + 1) { sum in
      out.forEachRow(chunk, width: width * 3) { y, out in
        let shares = rows.weights.span.extracting(y * rows.taps..<(y + 1) * rows.taps)
        var taps = rows.taps
        while taps > 1, shares[taps - 1] == 0 { taps -= 1 }
        kernels.weightedBytes(
          shares.extracting(first: taps),
          photo.pixels.span.extracting(droppingFirst: rows.first[y] * line), step: line,
          count: line, into: &sum)
        kernels.average(sum.span, columns, into: &out)
      }
    }
  }
  return Image(height: height, width: width, pixels: bytes)
}
