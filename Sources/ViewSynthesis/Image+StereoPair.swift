package import DepthBase
import DepthErrors
public import DepthImages

extension Image {
  /// Renders the views of both eyes with the default renderer.
  ///
  /// - Parameters:
  ///   - depth: Depth of the photo. The map has the photo's size or is smaller.
  ///   - maximumShift: The largest movement of a point in each view as a fraction of the width.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not change the result.
  /// - Throws: `DepthError` if the map's proportions do not fit the photo or the shift exceeds 25 %.
  public func stereoPair(
    depth: DepthMap, maximumShift: Double = 0.01, threads: Int? = nil
  ) throws -> StereoPair {
    var options = StereoOptions()
    options.amount = .shift(maximumShift)
    return try stereoPair(depth: depth, options: options, threads: threads)
  }

  /// Renders the views of both eyes.
  ///
  /// Near points are farther right in the left view than in the right view. A zero shift returns the photo bit for bit. A
  /// mirrored photo with a mirrored map returns the mirrored pair with exchanged views.
  ///
  /// - Parameters:
  ///   - depth: Depth of the photo. The map has the photo's size or is smaller.
  ///   - options: The amount of parallax, the depth at the screen, and the settings of the warp.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not change the result.
  ///   - limits: The largest accepted photo and the memory limit of the call.
  ///   - progress: Called repeatedly, from any thread, with the completed share, 0…1.
  /// - Throws: `DepthError`, for example for a number of threads outside 1…256, and for a photo or a memory need above the
  ///   limits.
  public func stereoPair(
    depth: DepthMap, options: StereoOptions, threads: Int? = nil,
    limits: ImageLimits = ImageLimits(), progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> StereoPair {
    try requireMemory(limits)
    return try stereoPair(
      depth: depth, options: options, limits: limits,
      call: CallContext(threads: ThreadCount.checked(threads), progress: progress))
  }

  /// Renders on threads of this package instead of Swift's cooperative threads; see
  /// ``stereoPair(depth:options:threads:limits:progress:)``.
  ///
  /// - Throws: `DepthError`, like the blocking call; `CancellationError` soon after the task's cancellation.
  public func stereoPair(
    depth: DepthMap, options: StereoOptions = StereoOptions(), threads: Int? = nil,
    limits: ImageLimits = ImageLimits(), progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> StereoPair {
    try requireMemory(limits)
    return try await CallQueue.shared.run(
      threads: ThreadCount.checked(threads), progress: progress
    ) {
      try stereoPair(depth: depth, options: options, limits: limits, call: $0)
    }
  }

  private func requireMemory(_ limits: ImageLimits) throws {
    try limits.check(width: width, height: height, file: "the photo")
    try limits.check(MemoryNeed(.stereo, pixels: height * width), for: "the stereo pair")
  }

  /// - Parameter call: Can be cancelled between rows.
  package func stereoPair(
    depth: DepthMap, options: StereoOptions, limits: ImageLimits, call: CallContext
  ) throws -> StereoPair {
    if let swapped = options.ofSwappedViews {
      return try stereoPair(depth: depth, options: swapped, limits: limits, call: call).swapped
    }
    try checkPair(limits: limits, call: call)
    let threads = call.threads
    let parallax = try Parallax(of: self, depth: depth, options: options, threads: threads)
    switch options.renderer {
    case .orderedWarp:
      let pair = warped(parallax, options: options, call: call)
      try call.cancellation?.check()
      return pair
    case .gather, .shiftAndFix, .gapsInOneLoop, .frontPixelLast:
      guard case .shift(let shift) = options.amount else { throw DepthError.shiftOnly }
      let normalized = parallax.normalizedDepth(of: depth.unit, linearIn: options.linearIn)
        .stretchedBilinearly(
          height: parallax.height, width: parallax.width, toHeight: height, width: width)
      let views = try [shift, -shift].map { signed -> Image in
        try call.cancellation?.check()
        return options.renderer == .gather
          ? gatherView(depth: normalized, shift: signed, call: call)
          : try scanlineView(options.renderer, depth: normalized, shift: signed)
      }
      try call.checkpoint(1)
      return StereoPair(left: views[0], right: views[1])
    }
  }

  /// - Throws: `DepthError` above the limits; `CancellationError`.
  func checkPair(limits: ImageLimits, call: CallContext) throws {
    try limits.check(width: width, height: height, file: "the photo")
    try call.cancellation?.check()
  }

  func warped(
    _ parallax: Parallax, options: StereoOptions, call: CallContext
  ) -> StereoPair {
    let views = views(by: parallax, options: options, parallaxStep: 0, call: call)
    let pair = pair(of: views)
    guard options.frameEdges == .crop else { return pair }
    let share = max(options.balance, 1 - options.balance)
    return pair.croppingSides(
      by: Int((parallax.line.largest * share).rounded(.up)), threads: call.threads)
  }

  func pair(of views: (left: WarpedView, right: WarpedView)) -> StereoPair {
    StereoPair(
      left: replacing(pixels: views.left.pixels), right: replacing(pixels: views.right.pixels),
      leftHoles: HoleMask(height: height, width: width, values: views.left.holes),
      rightHoles: HoleMask(height: height, width: width, values: views.right.holes))
  }

  /// - Parameter parallaxStep: See `WarpPlan`.
  func views(
    by parallax: Parallax, options: StereoOptions, parallaxStep: Int, call: CallContext
  ) -> (left: WarpedView, right: WarpedView) {
    let line = parallax.line
    var plan = WarpPlan(
      reciprocal: line.isReciprocal, scale: Float(line.scale * 64),
      offset: Float(line.offset * 64), limit: Float(line.largest * 64).rounded(.up),
      leftShare: Int((options.balance * 256).rounded()),
      wideningAcross: parallax.edgeDilation.across, wideningDown: parallax.edgeDilation.down,
      wideningStep: Int((parallax.edgeStep * 64).rounded()),
      taper: options.frameEdges == .flat ? width / 16 : 0, filling: options.holeFilling)
    plan.parallaxStep = parallaxStep
    let rows = Double(height)
    return warpedViews(
      of: pixels, height: height, width: width, depth: parallax.values,
      depthHeight: parallax.height, depthWidth: parallax.width, plan: plan, threads: call.threads,
      cancellation: call.cancellation
    ) { call.report(Double($0) / rows) }
  }

  private func gatherView(depth: [Float], shift: Double, call: CallContext) -> Image {
    replacing(
      pixels: gathered(
        pixels, height: height, width: width, depth: depth, increment: 1 / Float(width),
        maxShift: Float(shift), threads: call.threads, cancellation: call.cancellation))
  }

  private func scanlineView(
    _ renderer: StereoRenderer, depth: [Float], shift: Double
  ) throws -> Image {
    var view: [UInt8] = []
    view.reserveCapacity(pixels.count)
    for y in 0..<height {
      let row = y * width
      let sources = try renderer.sources(
        depth: Array(depth[row..<row + width]), maximumShift: Float(shift * Double(width)))
      for source in sources {
        view += pixels[(row + source) * 3..<(row + source) * 3 + 3]
      }
    }
    return replacing(pixels: view)
  }

  func replacing(pixels: [UInt8]) -> Image {
    Image(height: height, width: width, pixels: pixels, metadata: metadata)
  }
}

extension Parallax {
  /// The map normalized for gathering, from 0 for the farthest point to 1 for the nearest.
  func normalizedDepth(of unit: DepthMap.Unit, linearIn linearUnit: DepthMap.Unit) -> [Float] {
    guard let low = values.min(), let high = values.max() else { return [] }
    let range = ValueRange(low: low, high: high, missing: 0)
    let normalization = NormalizedDisparity(unit: unit, range: range, linearIn: linearUnit)
    return values.map { Float(normalization.normalized(normalization.linear($0))) }
  }
}

extension [Float] {
  /// A `height × width` map stretched to another size by bilinear interpolation with aligned pixel centers.
  func stretchedBilinearly(
    height: Int, width: Int, toHeight: Int, width toWidth: Int
  ) -> [Float] {
    guard height != toHeight || width != toWidth else { return self }
    func taps(_ count: Int, over source: Int) -> [LinearTap<Float>] {
      (0..<count).map {
        LinearTap(at: LinearTap.place(of: $0, from: source, to: count), of: source)
      }
    }
    let columns = taps(toWidth, over: width)
    return taps(toHeight, over: height).flatMap { row in
      columns.map { column in
        let (left, right, across) = (column.first, column.second, column.share)
        let (upper, lower) = (row.first * width, row.second * width)
        let above = self[upper + left] * (1 - across) + self[upper + right] * across
        let below = self[lower + left] * (1 - across) + self[lower + right] * across
        return above * (1 - row.share) + below * row.share
      }
    }
  }
}
