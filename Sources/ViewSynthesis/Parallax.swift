import DepthErrors
import DepthImages

/// A depth map prepared for a photo. Every pixel has a value, and parallax is a linear function of the value
/// or its reciprocal.
struct Parallax {
  /// `height · width` values without gaps.
  var values: [Float]
  var height, width: Int
  var line: ParallaxLine
  /// The smallest step of parallax between neighbors that counts as an edge, in photo pixels.
  var edgeStep = 1.0
  /// The outward displacement of edges, in pixels of the map.
  var edgeDilation: StereoOptions.EdgeDilation

  /// The largest displacement of a point in one view, as a fraction of the width.
  static let limit = 0.25

  /// - Parameter held: The film's smoothed range; by default the map's own range.
  /// - Throws: `DepthError`.
  init(
    of photo: Image, depth: DepthMap, options: StereoOptions, held: DepthSpan? = nil, threads: Int
  ) throws {
    try depth.checkAspect(of: photo, within: DepthMap.aspectTolerance)
    guard let range = depth.valueRange(threads: threads) else {
      throw DepthError.noDepth(width: depth.width, height: depth.height)
    }

    (height, width) = (depth.height, depth.width)
    values =
      range.missing == 0
      ? depth.values
      : fillingMissingDepth(
        depth.values, height: height, width: width, unit: depth.unit, threads: threads)

    line = try ParallaxLine(
      of: photo, unit: depth.unit, range: range, values: values, height: height, width: width,
      options: options, held: held)
    try line.limit(to: options.largestParallax, width: photo.width)
    try line.check(options, width: photo.width)
    edgeDilation = options.edgeDilation ?? .standard(width: depth.width)
    for side in [edgeDilation.across, edgeDilation.down]
    where !StereoOptions.EdgeDilation.widths.contains(side) {
      throw DepthError.outOfRange(
        name: "edge dilation", value: Double(side), expected: "0…64 pixels")
    }
  }
}
