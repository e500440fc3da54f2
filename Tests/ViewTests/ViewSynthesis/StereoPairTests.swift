import DepthImages
import Synchronization
import Testing
import ViewSynthesis

@Suite struct StereoPairTests {
  static let sizes = [(1, 1), (4, 1), (1, 5), (9, 64), (31, 127)]

  @Test("a shift of 0 returns the photo bit for bit", arguments: sizes)
  func zeroShiftReturnsThePhotoBitForBit(_ height: Int, _ width: Int) throws {
    let photo = TestScenes.noise(height: height, width: width)
    let depth = TestScenes.depth(height: height, width: width)
    for renderer in [StereoRenderer.orderedWarp, .gather, .frontPixelLast] {
      var options = StereoOptions()
      options.amount = .shift(0)
      options.renderer = renderer
      let pair = try photo.stereoPair(depth: depth, options: options)
      #expect(pair.left == photo && pair.right == photo, "\(renderer)")
      #expect(pair.leftHoles.share == 0 && pair.rightHoles.share == 0)
    }
  }

  @Test("mirrored input gives the mirrored and swapped pair", arguments: sizes, [0.5, 0.25])
  func mirroredInputGivesTheMirroredAndSwappedPair(
    _ size: (height: Int, width: Int), _ balance: Double
  ) throws {
    let photo = TestScenes.noise(height: size.height, width: size.width)
    for depth in [
      TestScenes.depth(height: size.height, width: size.width),
      TestScenes.depth(height: (size.height + 1) / 2, width: (size.width + 1) / 2),
      TestScenes.depth(height: size.height * 2, width: size.width * 2),
    ] where min(size.height, size.width) > 4 || depth.values.count == size.height * size.width {
      for convergence in [0.5, nil] as [Double?] {
        for edges in StereoOptions.FrameEdges.allCases {
          var options = StereoOptions()
          options.amount = .shift(0.03)
          options.convergence = convergence
          options.frameEdges = edges
          options.balance = balance
          var turned = options
          turned.balance = 1 - balance
          let pair = try photo.stereoPair(depth: depth, options: options)
          let other = try photo.mirrored.stereoPair(depth: depth.mirrored, options: turned)
          #expect(other.left == pair.right.mirrored)
          #expect(other.right == pair.left.mirrored)
        }
      }
    }
  }

  @Test("near points move right by the shift in the left view")
  func nearPointsMoveRightInTheLeftViewByTheShiftAskedFor() throws {
    let width = 200
    var pixels = [UInt8](repeating: 0, count: 10 * width * 3)
    var values = [Float](repeating: 0, count: 10 * width)
    for y in 0..<10 {
      for x in 90..<110 {
        pixels[(y * width + x) * 3] = 255
        values[y * width + x] = 1
      }
    }
    let photo = Image(height: 10, width: width, pixels: pixels)
    let depth = DepthMap(
      height: 10, width: width, unit: .normalized(near: .white), values: values)
    var options = StereoOptions()
    options.amount = .shift(0.05)
    options.edgeDilation = .off
    func reds(_ image: Image) -> [Int] { (0..<width).filter { image.pixels[$0 * 3] == 255 } }
    for (balance, left, right) in [(0.5, 10, -10), (1.0, 20, 0), (0.0, 0, -20)] {
      options.balance = balance
      let pair = try photo.stereoPair(depth: depth, options: options)
      #expect(reds(pair.left) == Array(90 + left..<110 + left))
      #expect(reds(pair.right) == Array(90 + right..<110 + right))
    }
    // A negative shift exchanges the eyes.
    options.balance = 0.5
    options.amount = .shift(-0.05)
    #expect(reds(try photo.stereoPair(depth: depth, options: options).left) == Array(80..<100))
  }

  @Test("metric parallax equals two cameras' parallax")
  func metricParallaxIsThatOfTwoCameras() throws {
    // f·B·(1/Zc − 1/Z) = 500 · 0.064 · (1/4 − 1/2) = −8 px, or 4 px to the right in the left view.
    let photo = TestScenes.noise(height: 6, width: 120)
    var options = StereoOptions()
    options.amount = .metric(
      MetricParallax(baseline: 0.064, focalLength: .pixels(500), screenDistance: 4))
    for (unit, value) in [(DepthMap.Unit.metres, Float(2)), (.disparity, 0.5)] {
      let depth = DepthMap(
        height: 6, width: 120, unit: unit, values: [Float](repeating: value, count: 720))
      let pair = try photo.stereoPair(depth: depth, options: options)
      #expect(pair.left.pixels[4 * 3..<120 * 3] == photo.pixels[0..<116 * 3])
      #expect(pair.right.pixels[0..<116 * 3] == photo.pixels[4 * 3..<120 * 3])
      #expect((0..<120).filter { pair.leftHoles.values[$0] != 0 } == [0, 1, 2, 3])
    }
  }

  @Test("metric parallax converts 50 mm at 360 pixels to 500 pixels")
  func focalLengthComesFromTheDiagonalOfFullFrame() throws {
    var photo = TestScenes.noise(height: 240, width: 360)
    photo.metadata.focalLengthIn35mmFilm = 50
    let depth = DepthMap(
      height: 24, width: 36, unit: .metres, values: (0..<864).map { 2 + Float($0 % 36) / 36 })
    var options = StereoOptions()
    func pair(_ focalLength: Camera.FocalLength) throws -> StereoPair {
      options.amount = .metric(
        MetricParallax(baseline: 0.063, focalLength: focalLength, screenDistance: 2.5))
      return try photo.stereoPair(depth: depth, options: options)
    }
    // A 3:2 photo has film's proportions, so 50 mm of 36 mm are 500 of 360 pixels.
    let expected = try pair(.pixels(500))
    #expect(try pair(.photo) == expected)
    #expect(try pair(.equivalent35mm(50)) == expected)
    #expect(try pair(.equivalent35mm(28)) != expected)
  }

  @Test("automatic convergence leaves the middle in place")
  func automaticConvergencePutsTheMiddleOnTheScreen() throws {
    let (height, width) = (60, 90)
    let photo = TestScenes.noise(height: height, width: width)
    let values = (0..<height * width).map { index -> Float in
      (20..<70).contains(index % width) && (8..<60).contains(index / width) ? 2 : 6
    }
    let depth = DepthMap(height: height, width: width, unit: .metres, values: values)
    var options = StereoOptions()
    options.amount = .shift(0.04)
    options.convergence = nil
    options.edgeDilation = .off
    let pair = try photo.stereoPair(depth: depth, options: options)
    // The histogram resolves a thousandth of the range, so the middle may move by that amount.
    let row = 30 * width * 3
    var worst = 0
    for x in 24..<66 {
      for channel in 0..<3 {
        let at = row + x * 3 + channel
        worst = max(worst, abs(Int(pair.left.pixels[at]) - Int(photo.pixels[at])))
      }
    }
    #expect(worst <= 12)
  }

  @Test("missing depth does not spread in views") func missingDepthNeverSpreads() throws {
    let photo = TestScenes.noise(height: 20, width: 40)
    let whole = DepthMap(
      height: 20, width: 40, unit: .metres,
      values: (0..<800).map { $0 % 40 < 20 ? 4 : 2 })
    var values = whole.values
    for index in [5, 6, 47, 48, 130, 250, 251, 252] { values[index] = 0 }
    values[300] = .nan
    values[301] = -.infinity
    let holed = DepthMap(height: 20, width: 40, unit: .metres, values: values)
    #expect(
      try photo.stereoPair(depth: holed, maximumShift: 0.1)
        == photo.stereoPair(depth: whole, maximumShift: 0.1))
  }

  @Test("a flat frame keeps its edges, a cropped frame loses them")
  func flatFrameKeepsItsEdgesAndCroppedFrameLosesThem() throws {
    let photo = TestScenes.noise(height: 8, width: 160)
    let depth = DepthMap(
      height: 8, width: 160, unit: .metres, values: (0..<1280).map { $0 % 160 < 80 ? 1 : 3 })
    var options = StereoOptions()
    options.amount = .shift(0.02)
    options.frameEdges = .flat
    let flat = try photo.stereoPair(depth: depth, options: options)
    for view in [flat.left, flat.right] {
      #expect(view.pixels[0..<3] == photo.pixels[0..<3])
      #expect(view.pixels[159 * 3..<160 * 3] == photo.pixels[159 * 3..<160 * 3])
    }
    #expect(flat.leftHoles.values[0] == 0)
    options.frameEdges = .crop
    let cropped = try photo.stereoPair(depth: depth, options: options)
    // 2 % of 160 pixels, rounded up, on each side.
    #expect(cropped.width == 160 - 2 * 4 && cropped.height == 8)
    #expect(cropped.leftHoles.values[0] == 0 && cropped.rightHoles.values[151] == 0)
  }

  @Test("progress rises and ends at 1") func progressEndsAtOne() throws {
    let photo = TestScenes.noise(height: 100, width: 30)
    let seen = Seen()
    _ = try photo.stereoPair(
      depth: TestScenes.depth(height: 100, width: 30), options: StereoOptions()
    ) { share in seen.add(share) }
    // Threads report in any order. All reports except the last have different shares.
    let shares = seen.shares.sorted()
    #expect(shares.count > 2 && (shares.first ?? 0) > 0 && shares.last == 1)
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 < $1 || $1 == 1 })
    #expect(shares.count { $0 < 0.9 } > 1, "\(shares)")
  }
}

/// The reports of a progress callback, from any thread.
private final class Seen: Sendable {
  private let values = Mutex<[Double]>([])
  var shares: [Double] { values.withLock { $0 } }
  func add(_ share: Double) { values.withLock { $0.append(share) } }

  /// The requested eye still shows the photo.
  @Test("a negative shift keeps the balance of the eyes")
  func aNegativeShiftKeepsTheBalanceOfTheEyes() throws {
    let photo = TestScenes.noise(height: 9, width: 64)
    var options = StereoOptions()
    options.amount = .shift(-0.05)
    for (balance, isLeftMoved) in [(1.0, true), (0.0, false)] {
      options.balance = balance
      let pair = try photo.stereoPair(
        depth: TestScenes.depth(height: 9, width: 64), options: options)
      #expect((pair.left != photo) == isLeftMoved && (pair.right != photo) == !isLeftMoved)
    }
  }
}
