import DepthImages
package import ThreadTeams

/// The stereo kernel of J. Zimandl (2019): every target pixel searches its row for the pixel that
/// lands on it.
///
/// A line-by-line port of `stereoImageFromDepth` (J. Zimandl, "Stereo Photo from Depth Photo",
/// 2019). Coordinates are fractions of the width, in single precision; pictures are sampled
/// bilinearly and beyond their edges repeat the edge pixel. With a positive shift the search goes
/// from −maxShift to maxShift, with a negative one the other way, so that the first hit is the
/// front-most pixel; the comparison is "or beyond", so that gaps take the color of their
/// background. A target whose search ends without a hit is white.
///
/// - Parameters:
///   - photo: `height · width · 3` bytes.
///   - depth: `height · width` values, 1 = nearest, 0 = farthest.
///   - increment: Step of the search as a fraction of the width; the article uses 1 / width.
///   - maxShift: Shift of the nearest point as a fraction of the width; negative for the other eye.
///   - cancellation: Once it is cancelled, the result is undefined.
/// - Complexity: height · width · 2 |maxShift| / increment samples.
package func articleGather(
  _ photo: [UInt8], height: Int, width: Int, depth: [Float], increment: Float, maxShift: Float,
  threads: Int, cancellation: Cancellation? = nil
) -> [UInt8] {
  precondition(photo.count == height * width * 3, "\(photo.count) bytes for \(width)×\(height) RGB")
  precondition(depth.count == height * width, "\(depth.count) depths for \(width)×\(height)")
  precondition(increment > 0, "increment \(increment), expected positive")
  return [UInt8](unsafeUninitializedCapacity: photo.count) { out, count in
    // Rows are written by one chunk each; photo and depth are only read.
    nonisolated(unsafe) let out = out.baseAddress!
    photo.withUnsafeBufferPointer { photo in
      depth.withUnsafeBufferPointer { depth in
        nonisolated(unsafe) let (photo, depth) = (photo.baseAddress!, depth.baseAddress!)
        parallelFor(height, grain: 4, threads: threads, cancellation: cancellation) { rows in
          for y in rows {
            let row = ArticleRow(
              photo: photo + y * width * 3, depth: depth + y * width, width: width)
            for x in 0..<width {
              row.gather(
                x, increment: increment, maxShift: maxShift, into: out + (y * width + x) * 3)
            }
          }
        }
      }
    }
    count = photo.count
  }
}

private struct ArticleRow {
  let photo: UnsafePointer<UInt8>
  let depth: UnsafePointer<Float>
  let width: Int

  /// The pixels left and right of a coordinate.
  @inline(__always)
  private func tap(_ coordinate: Float) -> LinearTap<Float> {
    LinearTap(at: coordinate * Float(width) - 0.5, of: width)
  }

  @inline(__always)
  private func sampleDepth(_ coordinate: Float) -> Float {
    let tap = tap(coordinate)
    return depth[tap.first] + (depth[tap.second] - depth[tap.first]) * tap.share
  }

  @inline(__always)
  private func sampleColor(_ coordinate: Float, into out: UnsafeMutablePointer<UInt8>) {
    let tap = tap(coordinate)
    for channel in 0..<3 {
      let (a, b) = (Float(photo[tap.first * 3 + channel]), Float(photo[tap.second * 3 + channel]))
      out[channel] = UInt8(a + (b - a) * tap.share + 0.5)
    }
  }

  @inline(__always)
  func gather(
    _ x: Int, increment: Float, maxShift: Float, into out: UnsafeMutablePointer<UInt8>
  ) {
    let point = (Float(x) + 0.5) / Float(width)
    var d = -maxShift
    if maxShift > 0 {
      while d <= maxShift {
        let shift = (sampleDepth(point + d) * 2 - 1) * maxShift
        if -shift <= d { return sampleColor(point - shift, into: out) }
        d += increment
      }
    } else {
      while d >= maxShift {
        let shift = (sampleDepth(point + d) * 2 - 1) * maxShift
        if -shift >= d { return sampleColor(point - shift, into: out) }
        d -= increment
      }
    }
    for channel in 0..<3 { out[channel] = 255 }
  }
}
