import DepthImages
import SystemEssentials
import Testing

@testable import ViewSynthesis

@Suite struct LayoutTests {
  /// Two views whose bytes encode the view, row and column.
  static func pair(height: Int = 4, width: Int = 6) -> StereoPair {
    func view(_ base: Int) -> Image {
      Image(
        height: height, width: width,
        pixels: (0..<height * width * 3).map { UInt8(base + $0 / 3 / width * 10 + $0 / 3 % width) })
    }
    func mask(_ hole: Int) -> HoleMask {
      HoleMask(
        height: height, width: width,
        values: (0..<height * width).map { $0 == hole ? 255 : 0 })
    }
    return StereoPair(left: view(0), right: view(100), leftHoles: mask(0), rightHoles: mask(1))
  }

  private func red(_ image: Image, _ y: Int, _ x: Int) -> Int {
    Int(image.pixels[(y * image.width + x) * 3])
  }

  @Test("full layouts move pixels without changing their values") func fullLayoutsMovePixelsOnly() {
    let pair = Self.pair()
    let beside = pair.sideBySide()
    #expect(beside.width == 12 && beside.height == 4)
    #expect(red(beside, 2, 5) == 25 && red(beside, 2, 6) == 120 && red(beside, 3, 11) == 135)
    #expect(red(pair.crossEyed(), 2, 5) == 125 && red(pair.crossEyed(), 2, 6) == 20)
    let over = pair.overUnder()
    #expect(over.width == 6 && over.height == 8)
    #expect(red(over, 3, 1) == 31 && red(over, 4, 1) == 101)
    #expect((0..<4).map { red(pair.rowInterleaved(), $0, 2) } == [2, 112, 22, 132])
    #expect((0..<6).map { red(pair.columnInterleaved(), 1, $0) } == [10, 111, 12, 113, 14, 115])
    #expect(pair.holeMask().pixels[0] == 255 && pair.holeMask().pixels[3] == 0)
    #expect(red(pair.holeMask(), 0, 6) == 0 && red(pair.holeMask(), 0, 7) == 255)
  }

  @Test("half layouts average two pixels") func halfLayoutsAverageInTheSizeOfOneView() {
    let pair = Self.pair()
    let beside = pair.sideBySideHalf()
    #expect(beside.width == 6 && beside.height == 4)
    // Columns 0 and 1 of row 2 have the values 20 and 21.
    #expect(red(beside, 2, 0) == 21 && red(beside, 2, 2) == 25 && red(beside, 2, 3) == 121)
    let over = pair.overUnderHalf()
    #expect(over.width == 6 && over.height == 4)
    #expect(red(over, 0, 3) == 8 && red(over, 2, 3) == 108)
  }

  /// Black and white stripes become the gray of equal light.
  @Test("half layouts average light, not codes") func halfLayoutsAverageLight() {
    let stripes = Image(
      height: 4, width: 8,
      pixels: (0..<4 * 8).flatMap { [UInt8](repeating: $0 % 2 == 0 ? 0 : 255, count: 3) })
    let rows = Image(
      height: 4, width: 8,
      pixels: (0..<4 * 8).flatMap { [UInt8](repeating: $0 / 8 % 2 == 0 ? 0 : 255, count: 3) })
    let none = HoleMask(height: 4, width: 8, values: [UInt8](repeating: 0, count: 32))
    func pair(_ view: Image) -> StereoPair {
      StereoPair(left: view, right: view, leftHoles: none, rightHoles: none)
    }
    #expect(pair(stripes).sideBySideHalf().pixels.allSatisfy { $0 == 188 })
    #expect(pair(rows).overUnderHalf().pixels.allSatisfy { $0 == 188 })
    // A surface of one color keeps its color at all sizes.
    for value in 0...255 {
      let plain = Image(
        height: 5, width: 7, pixels: [UInt8](repeating: UInt8(value), count: 5 * 7 * 3))
      #expect(plain.fitted(width: 3, threads: 1).pixels.allSatisfy { $0 == UInt8(value) })
    }
  }

  @Test("the middle of three columns counts half in each of two") func oddSizesResizeByArea() {
    // Each of two columns gets half of the middle column.
    let pair = Self.pair(height: 1, width: 3)
    let half = pair.sideBySideHalf()
    #expect(half.width == 2 && red(half, 0, 0) == 1 && red(half, 0, 1) == 101)
  }

  @Test("anaglyphs mix the eyes in linear light", arguments: Anaglyph.allCases)
  func anaglyphsMixInLinearLight(_ kind: Anaglyph) {
    let pair = StereoPair(
      left: TestScenes.noise(height: 9, width: 31, seed: 4),
      right: TestScenes.noise(height: 9, width: 31, seed: 5),
      leftHoles: HoleMask(height: 9, width: 31, values: [UInt8](repeating: 0, count: 279)),
      rightHoles: HoleMask(height: 9, width: 31, values: [UInt8](repeating: 0, count: 279)))
    let found = pair.anaglyph(kind)
    func light(_ byte: UInt8) -> Double {
      let value = Double(byte) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    func coded(_ light: Double) -> Double {
      255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055)
    }
    let (a, b) = matrices(kind)
    for index in 0..<279 {
      let l = (0..<3).map { light(pair.left.pixels[index * 3 + $0]) }
      let r = (0..<3).map { light(pair.right.pixels[index * 3 + $0]) }
      for channel in 0..<3 {
        func product(_ m: [Double], _ v: [Double]) -> Double {
          m[channel * 3] * v[0] + m[channel * 3 + 1] * v[1] + m[channel * 3 + 2] * v[2]
        }
        let expected = coded(max(0, min(1, product(a, l) + product(b, r))))
        #expect(abs(Double(found.pixels[index * 3 + channel]) - expected) < 1)
      }
    }
  }

  /// The matrices, typed independently from the sources.
  private func matrices(_ kind: Anaglyph) -> ([Double], [Double]) {
    let (r, g, b) = (0.2126, 0.7152, 0.0722)
    // swift-format-ignore
    return switch kind {
    case .redCyan: (
      [0.437, 0.449, 0.164, -0.062, -0.062, -0.024, -0.048, -0.050, -0.017],
      [-0.011, -0.032, -0.007, 0.377, 0.761, 0.009, -0.026, -0.093, 1.234])
    case .greenMagenta: (
      [-4063, -10354, -2556, 18612, 43778, 9372, -983, -1769, 1376].map { $0 / 65536 },
      [34669, 46203, 1573, -1049, -983, -4260, 590, 4915, 61407].map { $0 / 65536 })
    case .amberBlue: (
      [1.062, -0.205, 0.299, -0.026, 0.908, 0.068, -0.038, -0.173, 0.022],
      [-0.016, -0.123, -0.017, 0.006, 0.062, -0.017, 0.094, 0.185, 0.911])
    case .halfColor: ([r, g, b, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0, 1])
    case .gray: ([r, g, b, 0, 0, 0, 0, 0, 0], [0, 0, 0, r, g, b, r, g, b])
    case .color: ([1, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0, 1])
    }
  }

  @Test("a quilt runs from the bottom left and the left eye")
  func quiltRunsFromTheBottomLeftAndFromTheLeftEye() throws {
    let photo = TestScenes.noise(height: 30, width: 40)
    let depth = TestScenes.depth(height: 30, width: 40)
    var options = StereoOptions()
    options.amount = .shift(0.05)
    let views = try photo.views(count: 6, depth: depth, options: options)
    let pair = try photo.stereoPair(depth: depth, options: options)
    #expect(views.count == 6)
    // Shifts are rounded to 1/64 pixel, once in a quilt and twice in a pair.
    #expect(RenderedSceneTests.psnr(views[0], pair.left) { _ in true } > 36)
    #expect(RenderedSceneTests.psnr(views[5], pair.right) { _ in true } > 36)
    let quilt = try photo.quilt(
      columns: 3, rows: 2, depth: depth, options: options, maximumWidth: 120, spread: 1)
    #expect(quilt.width == 120 && quilt.height == 60)
    for (index, view) in views.enumerated() {
      let (column, row) = (index % 3, 1 - index / 3)
      for y in 0..<30 {
        let at = ((row * 30 + y) * 120 + column * 40) * 3
        #expect(quilt.pixels[at..<at + 120] == view.pixels[y * 120..<(y + 1) * 120])
      }
    }
    // An odd number of views has the photo in the middle.
    #expect(try photo.views(count: 3, depth: depth, options: options)[1] == photo)
  }

  /// Tiles are smaller than the photo, and have a smaller focal length in pixels.
  @Test("a quilt by focal length equals a quilt by field of view")
  func quiltOfAFocalLengthInPixelsIsThatOfItsFieldOfView() throws {
    let photo = TestScenes.noise(height: 60, width: 80)
    let depth = TestScenes.depth(height: 60, width: 80)
    let camera = try Camera(of: photo, focalLength: .pixels(70))
    let quilts = try [Camera.FocalLength.pixels(70), .fieldOfView(camera.fieldOfView)].map {
      var options = StereoOptions()
      options.amount = .metric(MetricParallax(baseline: 0.05, focalLength: $0, screenDistance: 2))
      return try photo.quilt(
        columns: 3, rows: 2, depth: depth, options: options, maximumWidth: 120)
    }
    #expect(quilts[0] == quilts[1])
  }

  /// Players and quilts need views of one size.
  @Test("views of a sequence are not cropped") func viewsOfASequenceAreNotCropped() throws {
    var options = StereoOptions()
    (options.amount, options.frameEdges) = (.shift(0.05), .crop)
    let views = try TestScenes.noise(height: 30, width: 40).views(
      count: 4, depth: TestScenes.depth(height: 30, width: 40), options: options)
    #expect(views.allSatisfy { $0.width == 40 && $0.height == 30 })
  }

  @Test(
    "only a map larger in both directions is sampled",
    arguments: [
      (6, 9, [10, 13, 16, 37, 40, 43]), (4, 6, [7, 9, 11, 19, 21, 23]), (2, 3, nil), (2, 4, nil),
      (3, 3, nil),
      (1, 9, nil),
    ] as [(Int, Int, [Float]?)])
  func onlyLargerMapsAreSampled(height: Int, width: Int, wanted: [Float]?) {
    let map = DepthMap(
      height: height, width: width, unit: .metres, values: (0..<height * width).map(Float.init))
    let sampled = map.sampled(forHeight: 2, width: 3)
    if let wanted {
      #expect(sampled.values == wanted && (sampled.height, sampled.width) == (2, 3))
    } else {
      #expect(sampled == map)
    }
  }

  /// The screen is at the median depth.
  @Test(
    "the median depth of two equal halves is the farther half",
    arguments: [DepthMap.Unit.metres, .disparity])
  func ofTwoEqualHalvesTheFartherIsTheMiddle(unit: DepthMap.Unit) throws {
    let values = (0..<6 * 8).map { $0 % 8 < 4 ? Float(1) : 2 }
    let map = DepthMap(height: 6, width: 8, unit: unit, values: values)
    let disparity = NormalizedDisparity(unit: unit, range: try #require(map.valueRange(threads: 1)))
    func middle(_ values: [Float]) -> Double {
      disparity.normalized(disparity.middleDepth(values, height: 6, width: 8))
    }
    #expect(middle(values) < 0.01 && middle(values.reversed()) < 0.01)
    // With one more near column, the median is near.
    let (near, far): (Float, Float) = unit == .metres ? (1, 2) : (2, 1)
    #expect(middle((0..<6 * 8).map { $0 % 8 < 5 ? near : far }) > 0.99)
    #expect(middle((0..<6 * 8).map { $0 % 8 < 3 ? near : far }) < 0.01)
  }
}
