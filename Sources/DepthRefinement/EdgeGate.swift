import DepthImages

/// How much the photo's edges count at each pixel of a map: fully where the map has an edge of its own that
/// the photo confirms, not at all on planar surfaces.
///
/// A joint filter takes every edge of a photo for an edge of depth, so it copies the pattern of a carpet or a
/// poster into their depth. A network, however, sees the carpet as one surface: its map is planar there, and
/// there is no edge to place. With `d` the disparity, in which planes are linear, the gate opens by
///
///     r = residual of a plane fitted to 9 × 9 pixels of d, every other one, divided by d
///     s = maximum of r over 5 × 5
///     e = sⁿ / (sⁿ + tⁿ), n = 16, blurred by a Gaussian of one pixel
///
/// and the refined map is `e · joint + (1 − e) · smooth`. The limit `t² = t₀² + (c · q)²` follows the noise
/// of the map, estimated from the first quartile `q` of all `r`: up to three quarters of a map may have edges. A
/// step by a share `k` of the disparity has a residual of `k/4`.
///
/// Soft edges, as networks give them, are wide and off by several pixels, so the plane's residual alone opens
/// the gate on much that is not an edge. There the photo is asked as well: `s/t` is multiplied by `a/t_a`,
/// where `a` measures how well edges of depth and of color agree (see `edgeAgreement`), and `n` is 8. After the
/// joint filter has placed the edges, the gate closes again wherever they did not become a single clean line
/// (see `edgeCoherence`): a true edge of depth is one line, a pattern many short ones.
///
/// The high power makes the gate narrow: an edge is either placed by the photo or left alone, because half an edge
/// is as visible on a carpet as a whole one, but too soft for the rim of a table. It stays continuous, so
/// little noise in the photo changes the map little.
///
/// > Source: D. Chan et al. “A Noise-Aware Filter for Real-Time Depth Upsampling.” M2SFA2 2008, section 3,
/// > describes texture copying and mixes a joint and a plain filter by the range of depth in the window.
/// > Here a plane is subtracted first, so that slanted floors and walls count as flat.
struct EdgeGate: Sendable {
  /// Half the window of the plane, samples two pixels of the map apart.
  static let planeRadius = 2
  /// How far an edge opens the gate beyond the window of the plane, pixels of the map.
  static let reach = 2
  /// `t₀`, a share of the disparity.
  static let leastResidual: Float = 0.016
  /// `c`.
  static let noiseFactor: Float = 2.1
  /// `t_a`: the map changes by a share of the disparity, times color in 0…1, per pixel of the map.
  static let leastAgreement: Float = 0.0045
  /// The coherence of edges at which the gate is half open.
  static let leastCoherence: Float = 0.92
  /// Below this the gate is shut.
  static let shut: Float = 1 / 256
  /// Sigma of the Gaussian that makes the smooth map, pixels of the map: it removes the noise of a network's
  /// map and keeps its shapes.
  static let smoothSigma: Float = 1
  /// How much of the broad shapes that a joint filter finds the smooth map takes over.
  static let shareOfShapes: Float = 0.5
  /// Sigma of those shapes, pixels of the map: anything finer is pattern.
  static let shapeSigma: Float = 1.5

  /// `e` for each pixel of the map.
  private(set) var openness: WeightedMap
  /// The map used where the gate is shut.
  private(set) var smooth: WeightedMap
  /// `(1 − detail) / detail`, by which all limits are scaled.
  private let strictness: Float

  /// - Parameters:
  ///   - map: Disparities, or numbers in 0…1.
  ///   - guide: The photo at the size of the map, which has to confirm each edge; `nil` leaves it to the map.
  ///   - detail: Between 0 and 1: all limits are scaled by `(1 − detail) / detail`.
  ///   - relative: Whether residuals count as shares of the value; otherwise as shares of 0…1.
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

  /// Takes over what a joint filter has found: its broad shapes become part of the smooth map, and the
  /// gate closes where its edges are not single clean lines.
  ///
  /// The photo's regions correct a network's map on average where it is off over many pixels.
  ///
  /// - Parameter joint: The filtered map, the size of the gate's.
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

  /// `t` from the shares of all pixels that have a value.
  static func limit(_ shares: [Float], weights: [Float]) -> Float {
    let known = zip(shares, weights).filter { $1 > 0 }.map { $0.0 }
    guard !known.isEmpty else { return leastResidual }
    let noise = noiseFactor * sortedElement(of: known, at: known.count / 4)
    return (leastResidual * leastResidual + noise * noise).squareRoot()
  }

  /// `xⁿ / (1 + xⁿ)` with `n` two to the power of `doublings`; 1 for what is far above 1 or, because the
  /// limit is 0, not a number.
  static func openness(_ x: Float, doublings: Int) -> Float {
    guard x < 4 else { return 1 }
    var power = x
    for _ in 0..<doublings { power *= power }
    return power / (1 + power)
  }

  /// The pixels of a `height × width` image whose joint values matter: those within `reach` pixels of the map
  /// of an open one. The mix needs one, since it stretches `e`; a coarse map that is upsampled needs two more.
  func openBlocks(height: Int, width: Int, reach: Int, threads: Int) -> FilteredBlocks {
    FilteredBlocks(
      height: height, width: width, over: openness.maximum(within: reach, threads: threads).values,
      coarseHeight: openness.height, coarseWidth: openness.width)
  }
}
