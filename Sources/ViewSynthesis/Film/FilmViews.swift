package import DepthBase
package import DepthImages

/// Both views of a frame, before their holes are filled from earlier frames.
package struct FilmViews: Sendable {
  package var pair: StereoPair
  /// The parallax of each pixel, in levels of ``step``; see `WarpedView`. Empty for a view that equals the
  /// photo.
  var left, right: [UInt8]
  /// The parallax per level, in 1/64 pixel.
  let step: Int
}

extension Image {
  /// The stereo views of a film's frame.
  ///
  /// - Parameters:
  ///   - depth: Depth of the frame. The map has the frame's size or is smaller.
  ///   - options: The amount of parallax and the depth at the screen. The renderer is always the warp.
  ///   - held: The film's smoothed span. `nil` uses the map's own span and gives the result of
  ///     `stereoPair(depth:options:threads:limits:progress:)`.
  ///   - showsParallax: Whether the views are meant for ``HoleHistory``.
  /// - Throws: `DepthError`, as `stereoPair(depth:options:threads:limits:progress:)`.
  package func filmViews(
    depth: DepthMap, options: StereoOptions, held: DepthSpan?, showsParallax: Bool,
    limits: ImageLimits, call: CallContext
  ) throws -> FilmViews {
    precondition(
      options.renderer == .orderedWarp && options.linearIn == .disparity,
      "expected the warp, and a shift that is linear in disparity")
    if let swapped = options.ofSwappedViews {
      let views = try filmViews(
        depth: depth, options: swapped, held: held, showsParallax: showsParallax, limits: limits,
        call: call)
      return FilmViews(
        pair: views.pair.swapped, left: views.right, right: views.left, step: views.step)
    }
    try checkPair(limits: limits, call: call)
    let parallax = try Parallax(
      of: self, depth: depth, options: options, held: held, threads: call.threads)
    guard showsParallax else {
      return FilmViews(
        pair: warped(parallax, options: options, call: call), left: [], right: [], step: 0)
    }
    let step = options.parallaxStep(width: width)
    let views = views(by: parallax, options: options, parallaxStep: step, call: call)
    return FilmViews(
      pair: pair(of: views), left: views.left.parallax, right: views.right.parallax, step: step)
  }
}

extension StereoOptions {
  /// The parallax per level in 1/64 pixel, constant over frames: 127 levels cover the largest parallax in
  /// either direction.
  fileprivate func parallaxStep(width: Int) -> Int {
    var share: Double
    switch amount {
    case .shift(let shift):
      let screen = convergence.map { max($0, 1 - $0) } ?? 1
      share = 4 * abs(shift) * screen
    case .metric: share = 0.1
    }
    if let largestParallax { share = min(share, largestParallax) }
    return max(Int((share * Double(width) * 64 / 127).rounded(.up)), 8)
  }
}
