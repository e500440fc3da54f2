import DepthImages

/// How much the photo's edges count at each pixel of a map: fully where the map has an edge of its own,
/// not at all where it is planar.
///
/// A joint filter takes each edge of a photo for an edge of depth, so the pattern of a carpet or a poster
/// gets into its depth. But a network sees the carpet as one surface: its map is planar there, and there is
/// no edge to place. With `d` the disparity, in which planes are linear, the gate opens by
///
///     r = residual of a plane fitted to 9 × 9 pixels of d, every other one, divided by d
///     s = maximum of r over 5 × 5
///     e = sⁿ / (sⁿ + tⁿ), n = 16, blurred by a Gaussian of one pixel
///
/// and the refined map is `e · joint + (1 − e) · smooth`. The limit `t² = t₀² + (c · q)²` follows the noise
/// of the map, measured by the first quartile `q` of all `r`: three quarters of a map may have edges. A step
/// by a share `k` of the disparity has a residual of `k/4`.
///
/// The high power makes the gate narrow: an edge gets all of the photo or nothing, because half of an edge
/// is as visible on a carpet as a whole one but too soft for the rim of a table. It stays continuous, so a
/// little noise in the photo changes the map a little.
///
/// > Source: That a guide's texture must not get into the filtered image is the texture-copying problem of
/// > joint upsampling: D. Chan et al. “A Noise-Aware Filter for Real-Time Depth Upsampling.” M2SFA2 2008,
/// > section 3, which mixes a joint and a plain filter by the range of depth in the window. Here a plane is
/// > taken out first, so that slanted floors and walls count as flat.
struct EdgeGate: Sendable {
  /// Half the window of the plane, samples two pixels of the map apart.
  static let planeRadius = 2
  /// How far an edge opens the gate beyond the window of the plane, pixels of the map.
  static let reach = 2
  /// `t₀`, a share of the disparity.
  static let leastResidual: Float = 0.013
  /// `c`.
  static let noiseFactor: Float = 1.7
  /// Below this the gate is shut.
  static let shut: Float = 1 / 256
  /// Sigma of the Gaussian that makes the smooth map, pixels of the map: the noise of a network's map, not
  /// its shapes.
  static let smoothSigma: Float = 1

  /// How much of the broad shapes that a joint filter finds the smooth map gets.
  static let shareOfShapes: Float = 0.4

  /// `e` for each pixel of the map.
  let openness: WeightedMap
  /// What the map is where the gate is shut.
  private(set) var smooth: WeightedMap

  /// - Parameters:
  ///   - map: Disparities, or numbers in 0…1.
  ///   - detail: Between 0 and 1: the limit is scaled by `(1 − detail) / detail`.
  ///   - relative: Whether residuals count as shares of the value; otherwise as shares of 0…1.
  init(_ map: WeightedMap, detail: Float, relative: Bool, threads: Int) {
    let residuals = planeResiduals(map, radius: Self.planeRadius, spacing: 2, threads: threads)
    let shares = residuals.indices.map {
      relative && map.weights[$0] > 0 ? residuals[$0] / map.values[$0] : residuals[$0]
    }
    let limit = Self.limit(shares, weights: map.weights) * (1 - detail) / detail
    let open = map.with(shares).maximum(within: Self.reach).values.map {
      Self.openness(residual: $0, limit: limit)
    }
    let all = WeightedMap(
      height: map.height, width: map.width, values: open,
      weights: [Float](repeating: 1, count: open.count))
    func blurred(_ map: WeightedMap, sigma: Float, missing: Float) -> [Float] {
      gaussianBlurred(
        map, height: map.height, width: map.width, radius: Int((3 * sigma).rounded(.up)),
        sigma: sigma, missing: missing, threads: threads)
    }
    openness = all.with(blurred(all, sigma: 1, missing: 0).map { $0 < Self.shut ? 0 : $0 })
    smooth = map.with(blurred(map, sigma: Self.smoothSigma, missing: 0))
  }

  /// Gives the smooth map a share of the broad shapes that a joint filter has found.
  ///
  /// Where a network's map is off over many pixels, the photo's regions pull it right on average; only what is
  /// finer than 1.5 pixels of the map is pattern.
  ///
  /// - Parameter joint: The filtered map, the size of the gate's.
  mutating func follow(_ joint: WeightedMap, threads: Int) {
    let shapes = gaussianBlurred(
      joint.with(weights: smooth.weights), height: smooth.height, width: smooth.width, radius: 5,
      sigma: 1.5, missing: 0, threads: threads)
    smooth = smooth.with(zip(smooth.values, shapes).map { $0 + Self.shareOfShapes * ($1 - $0) })
  }

  /// `t` from the shares of all pixels that have a value.
  static func limit(_ shares: [Float], weights: [Float]) -> Float {
    let present = zip(shares, weights).filter { $1 > 0 }.map(\.0)
    guard !present.isEmpty else { return leastResidual }
    let noise = noiseFactor * sortedElement(of: present, at: present.count / 4)
    return (leastResidual * leastResidual + noise * noise).squareRoot()
  }

  /// `e` before it is blurred.
  static func openness(residual: Float, limit: Float) -> Float {
    guard residual < 4 * limit else { return 1 }
    var power = residual / limit
    for _ in 0..<4 { power *= power }
    return power / (1 + power)
  }

  /// The pixels of a `height × width` image whose joint values have a say in the mix: those within three
  /// pixels of the map of an open one, two for upsampling and one for stretching `e`.
  func openBlocks(height: Int, width: Int) -> FilteredBlocks {
    FilteredBlocks(
      height: height, width: width, over: openness.maximum(within: 3).values,
      coarseHeight: openness.height, coarseWidth: openness.width)
  }

  /// Replaces a joint map by the smooth one as far as the gate is shut.
  ///
  /// - Parameters:
  ///   - joint: `height × width` values, NaN for none.
  ///   - finish: What becomes of the result.
  func mix(
    _ joint: inout [Float], height: Int, width: Int, finish: MixedNumber, threads: Int
  ) {
    blend(
      &joint, height: height, width: width, with: smooth, shares: openness, finish: finish,
      threads: threads)
  }
}

extension WeightedMap {
  /// The same values with other weights.
  func with(weights: [Float]) -> WeightedMap {
    WeightedMap(height: height, width: width, values: values, weights: weights)
  }

  /// The largest value within `reach` pixels along rows and columns; at least 0.
  func maximum(within reach: Int) -> WeightedMap {
    var (across, both) = (values, values)
    for y in 0..<height {
      for x in 0..<width {
        var largest: Float = 0
        for i in max(x - reach, 0)...min(x + reach, width - 1) {
          largest = max(largest, values[y * width + i])
        }
        across[y * width + x] = largest
      }
    }
    for y in 0..<height {
      for x in 0..<width {
        var largest: Float = 0
        for j in max(y - reach, 0)...min(y + reach, height - 1) {
          largest = max(largest, across[j * width + x])
        }
        both[y * width + x] = largest
      }
    }
    return with(both)
  }
}
