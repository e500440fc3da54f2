package import DepthBase
import DepthErrors
package import DepthImages

extension Image {
  private static let largestSpread = 100.0

  /// Renders views from evenly spaced positions along the line through both eyes.
  ///
  /// The renderer is always the ordered warp; `balance` is ignored.
  ///
  /// - Parameters:
  ///   - count: Number of views, 2…400. With a `spread` of 1, the first and last view are the left and right view of
  ///     `stereoPair(depth:options:threads:limits:progress:)`, except for the rounding of positions to 1/64 pixel.
  ///   - depth: Depth of the photo.
  ///   - options: The distance between the eyes and the settings of the warp.
  ///   - spread: The distance between the outermost positions, divided by the distance between the eyes; at most 100.
  /// - Returns: `count` pictures of the photo's size, from the leftmost to the rightmost position.
  /// - Throws: `DepthError`, also for a number of threads outside 1…256.
  package func views(
    count: Int, depth: DepthMap, options: StereoOptions = StereoOptions(), spread: Double = 1,
    threads: Int? = nil
  ) throws -> [Image] {
    try views(
      count: count, depth: depth, options: options, spread: spread,
      call: CallContext(threads: ThreadCount.checked(threads)))
  }

  /// Renders the views in a call that can be cancelled between and inside views.
  package func views(
    count: Int, depth: DepthMap, options: StereoOptions, spread: Double = 1, call: CallContext
  ) throws -> [Image] {
    guard StereoOptions.quiltViews.contains(count) else {
      throw DepthError.outOfRange(
        name: "number of views", value: Double(count),
        expected: "2…\(StereoOptions.quiltViews.upperBound)")
    }
    guard spread > 0 && spread <= Self.largestSpread else {
      throw DepthError.outOfRange(
        name: "spread", value: spread, expected: "more than 0, at most \(Self.largestSpread)")
    }
    if let swapped = options.ofSwappedViews {
      return try views(count: count, depth: depth, options: swapped, spread: spread, call: call)
        .reversed()
    }
    var centered = options
    centered.balance = 0.5
    let parallax = try Parallax(
      of: self, depth: depth.sampled(forHeight: height, width: width), options: centered,
      threads: call.threads)
    let outermost = parallax.line.largest / 2 * spread / Double(width)
    guard outermost <= Parallax.limit else {
      if case .shift = options.amount {
        throw DepthError.shiftTooLarge(shift: outermost, limit: Parallax.limit)
      }
      throw DepthError.parallaxTooLarge(parallax: outermost, limit: Parallax.limit)
    }
    return try (0..<count).map { index in
      // The place is 1 at the leftmost position, and −1 at the rightmost.
      let place = Double(count - 1 - 2 * index) / Double(count - 1)
      var part = parallax
      part.line.scale *= abs(place) * spread / 2
      part.line.offset *= abs(place) * spread / 2
      part.line.largest *= abs(place) * spread / 2
      part.edgeStep *= abs(place) * spread / 2
      var oneEye = options
      oneEye.balance = place > 0 ? 1 : 0
      if oneEye.frameEdges == .crop { oneEye.frameEdges = .fill }
      let pair = warped(part, options: oneEye, call: call.silent)
      try call.cancellation?.check()
      return place > 0 ? pair.left : pair.right
    }
  }

  /// Renders a quilt: views for lenticular and light-field screens as tiles of one picture.
  ///
  /// The leftmost view is at the bottom left, the next view to the right of it, and the rightmost view at the top
  /// right. All cameras have parallel axes and share the plane of convergence.
  ///
  /// - Parameters:
  ///   - columns: Tiles per row; the product with `rows` is the number of views, 2…400.
  ///   - rows: Tiles per column.
  ///   - depth: Depth of the photo.
  ///   - options: The distance between the eyes and the settings of the warp.
  ///   - maximumWidth: Largest width of the quilt in pixels. Tiles are never larger than the photo.
  ///   - spread: The distance between the outermost positions, divided by the distance between the eyes; at most 100.
  /// - Throws: `DepthError`, also for a number of threads outside 1…256.
  package func quilt(
    columns: Int = 8, rows: Int = 6, depth: DepthMap, options: StereoOptions = StereoOptions(),
    maximumWidth: Int = 4096, spread: Double = 2, threads: Int? = nil
  ) throws -> Image {
    try quilt(
      columns: columns, rows: rows, depth: depth, options: options, maximumWidth: maximumWidth,
      spread: spread, call: CallContext(threads: ThreadCount.checked(threads)))
  }

  /// Renders a quilt in a call that can be cancelled.
  package func quilt(
    columns: Int, rows: Int, depth: DepthMap, options: StereoOptions, maximumWidth: Int,
    spread: Double, call: CallContext
  ) throws -> Image {
    let (tiles, overflow) = columns.multipliedReportingOverflow(by: rows)
    guard columns > 0, rows > 0, !overflow, StereoOptions.quiltViews.contains(tiles) else {
      throw DepthError.outOfRange(
        name: "number of tiles", value: Double(columns) * Double(rows),
        expected: "2…\(StereoOptions.quiltViews.upperBound)")
    }
    let threads = call.threads
    let tileWidth = max(1, min(width, maximumWidth / columns))
    let tileHeight = max(1, (height * tileWidth + width / 2) / width)
    let tile = resizedByArea(height: tileHeight, width: tileWidth, threads: threads)
    let views = try tile.views(
      count: columns * rows, depth: depth, options: options.resized(from: width, to: tileWidth),
      spread: spread, call: call)
    return Image(
      height: tileHeight * rows, width: tileWidth * columns,
      pixels: assembledRows(
        views.map(\.pixels), width: tileWidth, height: tileHeight * rows, across: columns,
        threads: threads
      ) { y, column in
        ((rows - 1 - y / tileHeight) * columns + column, y % tileHeight)
      },
      metadata: metadata)
  }
}

extension DepthMap {
  /// The map sampled at the pixel centers of a reduced photo, if the map is larger. Across an edge, a mean of depths
  /// would be the depth of no surface.
  func sampled(forHeight newHeight: Int, width newWidth: Int) -> DepthMap {
    guard newHeight < height && newWidth < width else { return self }
    var sampled: [Float] = []
    sampled.reserveCapacity(newHeight * newWidth)
    let columns = nearestSamples(newWidth, from: width)
    for row in nearestSamples(newHeight, from: height) {
      for column in columns { sampled.append(values[row * width + column]) }
    }
    return DepthMap(height: newHeight, width: newWidth, unit: unit, values: sampled)
  }
}
