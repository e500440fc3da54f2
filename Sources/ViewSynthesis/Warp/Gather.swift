package import DepthBase
import DepthImages

/// The stereo kernel of J. Zimandl (2019): for every target pixel, the row is searched for the pixel that moves to the
/// target.
///
/// This is a line-by-line port of `stereoImageFromDepth` (J. Zimandl, "Stereo Photo from Depth Photo", 2019). Coordinates
/// are single-precision fractions of the width; pictures are sampled bilinearly with repeated edges. With a positive
/// shift, the search runs from −maxShift to maxShift; with a negative shift, it runs in reverse. The first hit is
/// therefore the front-most pixel. The comparison includes pixels that moved beyond the target, so gaps take the
/// background's color.
///
/// In contrast to the original, the last step is `maxShift` itself. The original's last step is smaller unless `maxShift` is
/// a whole number of steps away. With a smaller last step, targets of the farthest surfaces find no pixel and turn white.
///
/// - Parameters:
///   - photo: `height · width · 3` bytes.
///   - depth: `height · width` values, 1 = nearest, 0 = farthest.
///   - increment: Step of the search as a fraction of the width; J. Zimandl uses 1 / width.
///   - maxShift: Shift of the nearest point as a fraction of the width; negative for the other eye.
///   - cancellation: After a cancellation, the result is undefined.
/// - Complexity: height · width · 2 |maxShift| / increment samples.
package func gathered(
  _ photo: [UInt8], height: Int, width: Int, depth: [Float], increment: Float, maxShift: Float,
  threads: Int, cancellation: Cancellation? = nil
) -> [UInt8] {
  precondition(photo.count == height * width * 3, "\(photo.count) bytes for \(width)×\(height) RGB")
  precondition(depth.count == height * width, "\(depth.count) depths for \(width)×\(height)")
  precondition(increment > 0, "increment \(increment), expected positive")
  return filledRows(
    height: height, width: width * 3, grain: 4, threads: threads, cancellation: cancellation
  ) { rows, out in
    out.forEachRow(rows, width: width * 3) { y, out in
      let row = GatherRow(width: width, increment: increment, maxShift: maxShift)
      let photo = photo.span.extracting(y * width * 3..<(y + 1) * width * 3)
      let depth = depth.span.extracting(y * width..<(y + 1) * width)
      for x in 0..<width {
        let (red, green, blue) = row.color(x, photo, depth)
        (out[x * 3], out[x * 3 + 1], out[x * 3 + 2]) = (red, green, blue)
      }
    }
  }
}

/// The search in a row of the photo, `width · 3` bytes, and its depths.
private struct GatherRow {
  let width: Int
  let increment, maxShift: Float

  /// The pixels to the left and right of a coordinate.
  @inline(__always)
  private func tap(_ coordinate: Float) -> LinearTap<Float> {
    LinearTap(at: coordinate * Float(width) - 0.5, of: width)
  }

  @inline(__always)
  private func sample(_ depth: Span<Float>, _ coordinate: Float) -> Float {
    let tap = tap(coordinate)
    return depth[tap.first] + (depth[tap.second] - depth[tap.first]) * tap.share
  }

  @inline(__always)
  private func sample(_ photo: Span<UInt8>, _ coordinate: Float) -> (UInt8, UInt8, UInt8) {
    let tap = tap(coordinate)
    func mixed(_ channel: Int) -> UInt8 {
      let (a, b) = (Float(photo[tap.first * 3 + channel]), Float(photo[tap.second * 3 + channel]))
      return UInt8(a + (b - a) * tap.share + 0.5)
    }
    return (mixed(0), mixed(1), mixed(2))
  }

  /// The color of target `x`.
  @inline(__always)
  func color(_ x: Int, _ photo: Span<UInt8>, _ depth: Span<Float>) -> (UInt8, UInt8, UInt8) {
    let point = (Float(x) + 0.5) / Float(width)
    let reach = abs(maxShift)
    // The sides are exchanged for the other eye.
    let side: Float = maxShift < 0 ? -1 : 1
    var d = -reach
    while true {
      let shift = (sample(depth, point + side * d) * 2 - 1) * maxShift
      // At the last step every depth has arrived, including the farthest.
      if -side * shift <= d || d >= reach { return sample(photo, point - shift) }
      d = min(d + increment, reach)
    }
  }
}
