import DepthImages

/// The influence of the photo's edges at each pixel of a map. It is full at edges of the map that the photo
/// confirms, and zero on planar surfaces.
///
/// A joint filter treats every photo edge as a depth edge, so it copies the pattern of a carpet or a poster into
/// depth. In a network's map, the carpet is planar, without an edge to place. With `d` the disparity, in which
/// planes are linear, the gate opens by
///
///     r = residual of a plane fitted to every second pixel of 9 × 9 pixels of d, divided by d
///     s = maximum of r over 5 × 5
///     e = sⁿ / (sⁿ + tⁿ), n = 16, blurred by a Gaussian of one pixel
///
/// and the refined map is `e · joint + (1 − e) · smooth`. The limit `t² = t₀² + (c · q)²` follows the noise of the
/// map. The first quartile `q` of all `r` estimates the noise, so up to three quarters of a map may have edges. A
/// step by a share `k` of the disparity has a residual of `k/4`.
///
/// Soft edges of networks are wide and off by several pixels, so the plane's residual alone opens the gate too
/// often. For soft maps, `s/t` is multiplied by `a/t_a`, where `a` measures the agreement of depth and color edges
/// (see `edgeAgreement`), and `n` is 8. After the joint filter has placed the edges, the gate closes where they
/// are not a single clean line (see `edgeCoherence`): a true depth edge is one line, while a pattern has many
/// short lines.
///
/// The high power makes the gate narrow. The photo either places an edge or leaves it unchanged: half an edge
/// would be as visible on a carpet as a whole edge, but too soft for the rim of a table. The gate is continuous,
/// so a little noise in the photo changes the map only a little.
///
/// > Source: D. Chan et al. “A Noise-Aware Filter for Real-Time Depth Upsampling.” M2SFA2 2008, section 3, which
/// > describes texture copying and mixes a joint and a plain filter by the range of depth in the window.
/// > Here a plane is subtracted first, so that slanted floors and walls count as flat.
struct EdgeGate: Sendable {
  /// Radius of the plane's window in samples, which are two pixels of the map apart.
  static let planeRadius = 2
  /// Additional reach of an edge beyond the plane's window, pixels of the map.
  static let reach = 2
  /// `t₀`, a share of the disparity.
  static let leastResidual: Float = 0.016
  /// `c`.
  static let noiseFactor: Float = 2.1
  /// `t_a`: the change of the map as a share of the disparity, times color in 0…1, per pixel of the map.
  static let leastAgreement: Float = 0.0045
  /// The coherence of edges at which the gate is half open.
  static let leastCoherence: Float = 0.92
  /// Below this openness, the gate is shut.
  static let shut: Float = 1 / 256
  /// Sigma of the Gaussian for the smooth map, pixels of the map. The Gaussian removes a network's noise and keeps
  /// shapes.
  static let smoothSigma: Float = 1
  /// The share of the joint filter's broad shapes that the smooth map adopts.
  static let shareOfShapes: Float = 0.5
  /// Sigma of the broad shapes, pixels of the map. Finer structures count as pattern.
  static let shapeSigma: Float = 1.5

  /// `e` for each pixel of the map.
  private(set) var openness: WeightedMap
  /// The result where the gate is shut.
  private(set) var smooth: WeightedMap
  /// `(1 − detail) / detail`, the factor of all limits.
  private let strictness: Float

  /// - Parameters:
  ///   - map: Disparities, or numbers in 0…1.
  ///   - guide: The photo at the size of the map, which must confirm each edge. `nil` uses only the map.
  ///   - detail: A number between 0 and 1. All limits are scaled by `(1 − detail) / detail`.
  ///   - relative: Whether residuals are shares of the value instead of shares of 0…1.
  init(_ map: WeightedMap, guide: Image?, detail: Float, relative: Bool, threads: Int) {
    strictness = (1 - detail) / detail
    let residuals = planeResiduals(map, radius: Self.planeRadius, spacing: 2, threads: threads)
    let shares = residuals.indices.map {
      relative && map.weights[$0] > 0 ? residuals[$0] / map.values[$0] : residuals[$0]
    }
    let limit = Self.limit(shares, weights: map.weights) * strictness
    var ratios = map.with(shares).maximum(within: Self.reach, threads: threads).values.map {
      $0 / limit
    }
    if let guide {
      let agreement = map.edgeAgreement(with: guide, relative: relative, threads: threads)
      let least = Self.leastAgreement * strictness
      let agreed = map.with(agreement).maximum(within: Self.reach, threads: threads).values
      for i in ratios.indices { ratios[i] *= agreed[i] / least }
    }
    let sharpness = guide == nil ? 4 : 3
    let open = WeightedMap(
      height: map.height, width: map.width,
      values: ratios.map { Self.openness($0, doublings: sharpness) },
      weights: [Float](repeating: 1, count: ratios.count))
    openness = open.with(
      open.blurred(sigma: 1, threads: threads).map { $0 < Self.shut ? 0 : $0 })
    smooth = map.with(map.blurred(sigma: Self.smoothSigma, threads: threads))
  }

  /// Adopts the results of a joint filter. Broad shapes of the filtered map become part of the smooth map, and the
  /// gate closes where filtered edges are not single clean lines.
  ///
  /// If a network's map is off over many pixels, the photo's regions correct it on average.
  ///
  /// - Parameter joint: The filtered map, at the gate's size.
  mutating func follow(_ joint: WeightedMap, threads: Int) {
    let joint = joint.with(weights: smooth.weights)
    let shapes = joint.blurred(sigma: Self.shapeSigma, threads: threads)
    smooth = smooth.with(zip(smooth.values, shapes).map { $0 + Self.shareOfShapes * ($1 - $0) })
    let least = Self.leastCoherence * strictness
    let clean = openness.with(
      joint.edgeCoherence(threads: threads).map { Self.openness($0 / least, doublings: 2) })
    openness = openness.with(
      zip(openness.values, clean.blurred(sigma: 1, threads: threads)).map {
        $0 * $1 < Self.shut ? 0 : $0 * $1
      })
  }

  /// `t` from the shares of all pixels with a value.
  static func limit(_ shares: [Float], weights: [Float]) -> Float {
    let known = zip(shares, weights).filter { $1 > 0 }.map { $0.0 }
    guard !known.isEmpty else { return leastResidual }
    let noise = noiseFactor * sortedElement(of: known, at: known.count / 4)
    return (leastResidual * leastResidual + noise * noise).squareRoot()
  }

  /// `xⁿ / (1 + xⁿ)`, where `n` is 2 to the power of `doublings`; 1 for values far above 1, or for NaN due to a
  /// limit of 0.
  static func openness(_ x: Float, doublings: Int) -> Float {
    guard x < 4 else { return 1 }
    var power = x
    for _ in 0..<doublings { power *= power }
    return power / (1 + power)
  }

  /// The pixels of a `height × width` image for which joint values are used: the pixels within `reach` map pixels of an open
  /// pixel. Mixing needs one pixel, since it stretches `e`. Upsampling a coarse map needs two more.
  func openBlocks(height: Int, width: Int, reach: Int, threads: Int) -> FilteredBlocks {
    FilteredBlocks(
      height: height, width: width, over: openness.maximum(within: reach, threads: threads).values,
      coarseHeight: openness.height, coarseWidth: openness.width)
  }
}
