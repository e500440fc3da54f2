import DepthErrors

/// Three methods by J. Zimandl (“Stereo Photo from Depth Photo”, 2019) that move the pixels of one
/// row by whole numbers and fill the gaps.
///
/// In all three methods, 1 is the nearest depth, pixel `x` moves to `x + shift[x]`, and the nearest of
/// several pixels at one target is visible. The methods agree unless an object moves by more than its own
/// width. Background between the object and its old place then stays visible in ``shiftAndFix``, and is
/// overwritten by the other methods.
extension StereoRenderer {
  /// The source pixel that is visible at each target of a row.
  ///
  /// - Precondition: The renderer moves the pixels of one row by whole numbers.
  /// - Parameters:
  ///   - depth: 0 = farthest … 1 = nearest, one value per pixel.
  ///   - maximumShift: Pixels by which depth 1 moves to the right and depth 0 to the left; negative
  ///     for the other eye.
  /// - Throws: `DepthError` with code `invalidArgument` if a shift or depth is NaN or moves a pixel
  ///   by 2²⁴ places or more.
  package func sources(depth: [Float], maximumShift: Float) throws -> [Int] {
    func outOfRange(_ name: String, _ value: Float) -> DepthError {
      .outOfRange(
        name: name, value: Double(value), expected: "a number that moves pixels by less than 2²⁴")
    }
    guard abs(maximumShift) < Self.largestShift else { throw outOfRange("shift", maximumShift) }
    // This form of the condition also detects NaN.
    if let value = depth.first(where: { !(abs(maximumShift * ($0 * 2 - 1)) < Self.largestShift) }) {
      throw outOfRange("depth", value)
    }
    return uncheckedSources(depth: depth, maximumShift: maximumShift)
  }

  /// The limit above which single precision cannot distinguish adjacent pixels.
  private static let largestShift: Float = 0x1p24

  private func uncheckedSources(depth: [Float], maximumShift: Float) -> [Int] {
    guard maximumShift >= 0 else {
      // The other eye is the mirror image.
      let mirrored = uncheckedSources(depth: depth.reversed(), maximumShift: -maximumShift)
      return mirrored.reversed().map { depth.count - 1 - $0 }
    }
    let targets = depth.enumerated().map { x, value in
      x + Int((maximumShift * (value * 2 - 1)).rounded())
    }
    return switch self {
    case .shiftAndFix: Self.shiftAndFix(depth, targets)
    case .gapsInOneLoop: Self.gapsInOneLoop(depth, targets)
    case .frontPixelLast: Self.frontPixelLast(depth, targets)
    case .orderedWarp, .gather: preconditionFailure("\(self) does not move whole pixels")
    }
  }

  /// Idea 1: one loop moves pixels with depth comparisons; another loop fills each gap from its more distant
  /// end.
  private static func shiftAndFix(_ depth: [Float], _ targets: [Int]) -> [Int] {
    let width = depth.count
    var source = [Int?](repeating: nil, count: width)
    for x in 0..<width where targets[x] >= 0 && targets[x] < width {
      if let shown = source[targets[x]], depth[shown] >= depth[x] { continue }
      source[targets[x]] = x
    }
    var last: Int?
    var fixed: [Int] = []
    for target in 0..<width {
      if let shown = source[target] {
        last = shown
        fixed.append(shown)
        continue
      }
      let next = source[target...].lazy.compactMap(\.self).first
      fixed.append(farther(last, next, depth) ?? target)
    }
    return fixed
  }

  private static func farther(_ a: Int?, _ b: Int?, _ depth: [Float]) -> Int? {
    guard let a, let b else { return a ?? b }
    return depth[a] <= depth[b] ? a : b
  }

  /// Idea 2: a single loop with depth comparisons runs against the side of the gaps. When a larger shift
  /// opens a gap, the loop fills it with the last pixel's color.
  private static func gapsInOneLoop(_ depth: [Float], _ targets: [Int]) -> [Int] {
    var source = [Int?](repeating: nil, count: depth.count)
    func put(_ x: Int, at target: Int) {
      guard source.indices.contains(target) else { return }
      if let shown = source[target], depth[shown] >= depth[x] { return }
      source[target] = x
    }
    for x in depth.indices {
      if x > 0, targets[x] > targets[x - 1] + 1 {
        for gap in targets[x - 1] + 1..<targets[x] { put(x - 1, at: gap) }
      }
      put(x, at: targets[x])
    }
    return endsRepeated(source)
  }

  /// Idea 3: the loop runs in the opposite direction, so front pixels are written last, over all other
  /// pixels. A gap takes the current pixel's color.
  private static func frontPixelLast(_ depth: [Float], _ targets: [Int]) -> [Int] {
    var source = [Int?](repeating: nil, count: depth.count)
    for x in depth.indices.reversed() {
      let end = x + 1 < depth.count ? max(targets[x + 1], targets[x] + 1) : targets[x] + 1
      for target in max(0, targets[x])..<max(0, targets[x], min(end, depth.count)) {
        source[target] = x
      }
    }
    return endsRepeated(source)
  }

  /// Repeats the first and last pixel of the row for targets beyond the row's ends.
  private static func endsRepeated(_ source: [Int?]) -> [Int] {
    let first = source.lazy.compactMap(\.self).first
    let last = source.last { $0 != nil } ?? nil
    let middle = source.firstIndex { $0 != nil } ?? 0
    return source.enumerated().map { target, shown in
      shown ?? (target < middle ? first : last) ?? target
    }
  }
}
