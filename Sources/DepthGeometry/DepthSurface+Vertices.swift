import DepthBase
import DepthImages

/// The vertex values for files. Pixels are numbered row by row, `y · width + x`.
extension DepthSurface {
  /// All pixels with a vertex. In a map with unclean edges, a vertex needs three of four neighbors on its surface, since
  /// rims and one-pixel lines beside edges are flying pixels.
  func pixels() -> [UInt32] {
    var pixels: [UInt32] = []
    pixels.reserveCapacity(disparity.count)
    let least = reach > 0 ? 3 : 0
    for y in 0..<height {
      for x in 0..<width {
        let pixel = y * width + x
        if disparity[pixel] > 0, least == 0 || neighbors(x, y) >= least {
          pixels.append(UInt32(pixel))
        }
      }
    }
    return pixels
  }

  /// The number of a pixel's four neighbors on its surface.
  @inline(__always)
  private func neighbors(_ x: Int, _ y: Int) -> Int {
    let i = y * width + x
    let (r, w) = (Self.connectsRight, Self.connectsDown)
    return (connections[i] & r != 0 ? 1 : 0) + (connections[i] & w != 0 ? 1 : 0)
      + (x > 0 && connections[i - 1] & r != 0 ? 1 : 0)
      + (y > 0 && connections[i - width] & w != 0 ? 1 : 0)
  }

  /// Positions, normals and colors of the vertices at `pixels`; see ``PointCloud``.
  func vertices(
    at pixels: [UInt32], colors photo: Image, threads: Int
  ) -> (positions: [Float], normals: [Float], colors: [UInt8]) {
    let picture = areaAveraged(photo, height: height, width: width, threads: threads)
    let positions: [Float] = perPixel(pixels, width: 3, threads: threads) { x, y, out, at in
      let (u, v) = ray(x, y)
      let z = 1 / disparity[y * width + x]
      (out[at], out[at + 1], out[at + 2]) = (u * z, -v * z, -z)
    }
    let normals: [Float] = perPixel(pixels, width: 3, threads: threads) { x, y, out, at in
      (out[at], out[at + 1], out[at + 2]) = normal(x, y)
    }
    let colors: [UInt8] = perPixel(pixels, width: 3, threads: threads) { x, y, out, at in
      let from = (y * width + x) * 3
      (out[at], out[at + 1], out[at + 2]) = (
        picture.pixels[from], picture.pixels[from + 1], picture.pixels[from + 2]
      )
    }
    return (positions, normals, colors)
  }

  /// Normals of all pixels, row by row: x right, y down and z forward; 0 for pixels without a depth. A pixel on no
  /// surface has the normal of the nearest surface pixel in its row, or faces the camera.
  func normals(of depth: DepthMap, threads: Int) -> [Float] {
    filledRows(height: height, width: 3 * width, grain: Self.grain, threads: threads) { rows, out in
      out.forEachRow(rows, width: 3 * width) { y, row in
        let start = y * width
        // The nearest surface pixel to the right of each pixel. The loop below tracks the nearest surface pixel to the
        // left.
        var right = [Int?](repeating: nil, count: width + 1)
        for x in (0..<width).reversed() {
          right[x] = disparity[start + x] > 0 ? x : right[x + 1]
        }
        var left: Int?
        for x in 0..<width {
          if disparity[start + x] > 0 { left = x }
          var nearest = left ?? right[x]
          if let left, let next = right[x], next - x < x - left { nearest = next }
          let hasDepth = depth.hasValue(depth.values[start + x])
          let (n, m, o) = hasDepth ? nearest.map { normal($0, y) } ?? (0, 0, 1) : (0, 0, 0)
          (row[3 * x], row[3 * x + 1], row[3 * x + 2]) = (n, -m, -o)
        }
      }
    }
  }

  /// Positions in the photo, 0…1. The center of the first pixel is half a pixel from the border.
  func textureCoordinates(at pixels: [UInt32], threads: Int) -> [Float] {
    let (scaleX, scaleY) = (1 / Float(width), 1 / Float(height))
    return perPixel(pixels, width: 2, threads: threads) { x, y, out, at in
      (out[at], out[at + 1]) = ((Float(x) + 0.5) * scaleX, (Float(y) + 0.5) * scaleY)
    }
  }

  /// The pixels of triangles in order, and the triangles with indices of these pixels.
  func compacted(
    _ triangles: [UInt32], threads: Int
  ) -> (pixels: [UInt32], triangles: [UInt32]) {
    var numbers = [UInt32](repeating: .max, count: disparity.count)
    for pixel in triangles { numbers[Int(pixel)] = 0 }
    var pixels: [UInt32] = []
    for pixel in numbers.indices where numbers[pixel] == 0 {
      numbers[pixel] = UInt32(pixels.count)
      pixels.append(UInt32(pixel))
    }
    let renumbered = numbers
    return (
      pixels,
      filledRows(height: triangles.count / 3, width: 3, grain: 1 << 14, threads: threads) {
        rows, out in
        for i in 0..<out.count { out[i] = renumbered[Int(triangles[3 * rows.lowerBound + i])] }
      }
    )
  }

  @inline(__always)
  private func ray(_ x: Int, _ y: Int) -> (u: Float, v: Float) {
    (
      (Float(x) + 0.5 - Float(width) / 2) * rayStepX,
      (Float(y) + 0.5 - Float(height) / 2) * rayStepY
    )
  }

  /// The normal of the plane through a pixel and its neighbors on the same surface.
  ///
  /// On a plane, `d = a·u + b·v + c` for the ray `(u, v, 1)`, with `(a, b, c)` along the normal. Therefore `a = ∂d/∂u`,
  /// `b = ∂d/∂v` and `c = d − a·u − b·v`. A vertex without neighbors faces the camera.
  @inline(__always)
  private func normal(_ x: Int, _ y: Int) -> (Float, Float, Float) {
    let i = y * width + x
    let d = disparity[i]
    let (own, r, w) = (connections[i], Self.connectsRight, Self.connectsDown)
    let right = own & r != 0 ? disparity[i + 1] : d
    let left = x > 0 && connections[i - 1] & r != 0 ? disparity[i - 1] : d
    let down = own & w != 0 ? disparity[i + width] : d
    let up = y > 0 && connections[i - width] & w != 0 ? disparity[i - width] : d
    let across = (own & r != 0 ? 1 : 0) + (x > 0 && connections[i - 1] & r != 0 ? 1 : 0)
    let along = (own & w != 0 ? 1 : 0) + (y > 0 && connections[i - width] & w != 0 ? 1 : 0)
    let (u, v) = ray(x, y)
    let a = (right - left) / (Float(max(across, 1)) * rayStepX)
    let b = (down - up) / (Float(max(along, 1)) * rayStepY)
    let c = across + along == 0 ? d : d - a * u - b * v
    let (p, q, s) = across + along == 0 ? (d * u, d * v, d) : (a, b, c)
    let scale = 1 / (p * p + q * q + s * s).squareRoot()
    // The normal points towards the camera, with y up and z backwards.
    return (-p * scale, q * scale, s * scale)
  }

  /// `width` numbers per pixel, in parallel.
  @inline(__always)
  private func perPixel<Element: Numeric & BitwiseCopyable & SendableMetatype>(
    _ pixels: [UInt32], width count: Int, threads: Int,
    _ fill: @Sendable (_ x: Int, _ y: Int, _ out: inout MutableSpan<Element>, _ at: Int) -> Void
  ) -> [Element] {
    filledRows(height: pixels.count, width: count, grain: 1 << 14, strided: true, threads: threads)
    { rows, out in
      guard let first = rows.first else { return }
      // Pixels ascend, so rows are found by steps instead of divisions.
      var y = Int(pixels[first]) / width
      var start = y * width
      for i in rows {
        let pixel = Int(pixels[i])
        while pixel - start >= width {
          y += 1
          start += width
        }
        fill(pixel - start, y, &out, (i - rows.lowerBound) * count)
      }
    }
  }
}
