import DepthBase

/// Converts integers to floats.
package func floats(_ samples: [UInt16]) -> [Float] {
  samples.map { Float($0) }
}

/// Multiplies floats by a factor, in 64 bits with a single rounding.
package func scaled(_ values: [Float], by factor: Double) -> [Float] {
  values.map { Float(Double($0) * factor) }
}

/// Converts a photo to a network's input, `byte · scale − mean[channel]`.
///
/// - Parameters:
///   - photo: `h × w` pixels.
///   - addsMirrored: Whether the photo's mirror image follows as a second image.
///   - threads: Number of threads, which does not change the result.
/// - Returns: `h × w × 3` numbers, or `2 × h × w × 3`.
/// - Precondition: there are three means.
package func scaledChannels(
  of photo: Image, addsMirrored: Bool, scale: Float, mean: [Float], threads: Int
) -> [Float] {
  precondition(mean.count == 3, "\(mean.count) means, expected 3")
  let (height, width) = (photo.height, photo.width)
  // Blocks of sixteen pixels keep the means in registers.
  let means = (0..<48).map { mean[$0 % 3] }
  return filledRows(
    height: addsMirrored ? 2 * height : height, width: 3 * width, grain: 32, threads: threads
  ) { rows, out in
    let (pixels, means) = (photo.pixels.span, means.span)
    out.forEachRow(rows, width: 3 * width) { y, out in
      let first = y % height * 3 * width
      let row = pixels.extracting(first..<first + 3 * width)
      guard y < height else {
        for x in 0..<width {
          for c in 0..<3 {
            out[3 * x + c] = Float(row[3 * (width - 1 - x) + c]) * scale - means[c]
          }
        }
        return
      }
      for start in stride(from: 0, to: row.count, by: 48) {
        let part = start..<min(start + 48, row.count)
        let bytes = row.extracting(part)
        out.withPart(part) { out in
          for i in 0..<bytes.count { out[i] = Float(bytes[i]) * scale - means[i] }
        }
      }
    }
  }
}
