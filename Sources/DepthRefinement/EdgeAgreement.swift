import DepthBase
import DepthImages

extension WeightedMap {
  /// The common change of depth and color around each pixel: `√Σ_c (∇d · ∇c)²` over red, green and blue of a
  /// photo, by central differences.
  ///
  /// The number is large only if depth and color change in the same direction. Along a stripe of a carpet, only
  /// color changes. On a ramp of the map inside a surface of one color, only depth changes.
  ///
  /// - Parameters:
  ///   - guide: The photo at the size of the map.
  ///   - relative: Whether changes of the map are shares of the value.
  ///   - threads: Number of threads, which does not affect the result.
  /// - Returns: `height·width` numbers: change of the map times color in 0…1, per square pixel of the map. A pixel beside a
  ///   pixel without a value is 0.
  func edgeAgreement(with guide: Image, relative: Bool, threads: Int = 1) -> [Float] {
    precondition(
      (guide.height, guide.width) == (height, width),
      "guide is \(guide.width)×\(guide.height), expected the map's \(width)×\(height)")
    return filledRows(height: height, width: width, grain: 16, threads: threads) { rows, out in
      out.forEachRow(rows, width: width) { y, out in
        agreement(atRow: y, with: guide.pixels.span, relative: relative, into: &out)
      }
    }
  }

  /// One row of ``edgeAgreement(with:relative:threads:)``.
  private func agreement(
    atRow y: Int, with pixels: Span<UInt8>, relative: Bool, into out: inout MutableSpan<Float>
  ) {
    let (values, weights) = (values.span, weights.span)
    let (above, below) = (max(y - 1, 0) * width, min(y + 1, height - 1) * width)
    let rows = Float(max((below - above) / width, 1))
    for x in 0..<width {
      out[x] = 0
      let (left, right) = (max(x - 1, 0), min(x + 1, width - 1))
      let columns = Float(max(right - left, 1))
      let (i, row) = (y * width + x, y * width)
      let neighbors = (row + left, row + right, above + x, below + x)
      guard weights[i] > 0, weights[neighbors.0] > 0, weights[neighbors.1] > 0,
        weights[neighbors.2] > 0, weights[neighbors.3] > 0
      else { continue }
      let scale = relative ? 1 / values[i] : 1
      let across = (values[neighbors.1] - values[neighbors.0]) * scale / columns
      let down = (values[neighbors.3] - values[neighbors.2]) * scale / rows
      var sum: Float = 0
      for c in 0..<3 {
        let colorAcross = Float(pixels[neighbors.1 * 3 + c]) - Float(pixels[neighbors.0 * 3 + c])
        let colorDown = Float(pixels[neighbors.3 * 3 + c]) - Float(pixels[neighbors.2 * 3 + c])
        let product = (across * colorAcross / columns + down * colorDown / rows) / 255
        sum += product * product
      }
      out[x] = sum.squareRoot()
    }
  }

  /// The degree to which the edges around each pixel form a single clean line. This is the length of the mean
  /// gradient divided by its root mean square, both weighted by a Gaussian, relative to the quotient for a
  /// one-pixel step at three quarters of a sigma.
  ///
  /// Gradients of a straight edge all point to one side. In a pattern, they point to both sides and cancel.
  ///
  /// - Returns: `height·width` numbers, 0 on level ground.
  func edgeCoherence(threads: Int) -> [Float] {
    let sigma = Self.coherenceSigma
    // Differences to the next pixel of a row and of a column, and the sum of the squared differences.
    let gradients = filledRows(
      height: height, widths: (width, width, width, 0), grain: 16, threads: threads
    ) { rows, across, down, squares, _ in
      let (values, weights) = (values.span, weights.span)
      let first = rows.lowerBound * width
      for y in rows {
        for x in 0..<width {
          let i = y * width + x
          let isKnown = weights[i] > 0
          let right =
            isKnown && x + 1 < width && weights[i + 1] > 0 ? values[i + 1] - values[i] : 0
          let below =
            isKnown && y + 1 < height && weights[i + width] > 0
            ? values[i + width] - values[i] : 0
          (across[i - first], down[i - first]) = (right, below)
          squares[i - first] = right * right + below * below
        }
      }
    }
    let (across, down, squares, _) = gradients.arrays
    func mean(_ numbers: [Float]) -> [Float] {
      with(numbers).blurred(sigma: sigma, threads: threads)
    }
    let (meanAcross, meanDown, meanSquare) = (mean(across), mean(down), mean(squares))
    // On a line of ones, the mean and the mean square are 1 / (√2π σ). The unit is 1/√2 of this number.
    let unit = 1 / (2 * sigma * Float.pi.squareRoot())
    return squares.indices.map { i in
      let length = (meanAcross[i] * meanAcross[i] + meanDown[i] * meanDown[i])
      return (length / max(unit * meanSquare[i], .leastNormalMagnitude)).squareRoot()
    }
  }

  /// Sigma of the Gaussian in which edges must agree, pixels of the map.
  private static let coherenceSigma: Float = 1.5

  /// The map blurred at its own size.
  func blurred(sigma: Float, missing: Float = 0, threads: Int) -> [Float] {
    gaussianBlurred(
      self, height: height, width: width, radius: Int((3 * sigma).rounded(.up)), sigma: sigma,
      missing: missing, threads: threads)
  }
}
