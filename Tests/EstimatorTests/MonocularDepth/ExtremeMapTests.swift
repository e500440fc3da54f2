import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import DepthRefinement
import MonocularDepth
import PictureFiles
import StereoPhotos
import Testing
import ViewSynthesis
import _TestSupport

/// Every public call takes maps and photos with extreme values. A call returns a result or refuses
/// the input, and never ends the process.
@Suite struct ExtremeMapTests {
  /// Extreme numbers that files may contain.
  static let values: [[Float]] = [
    [.leastNonzeroMagnitude, .leastNormalMagnitude],
    [.leastNormalMagnitude / 2, .leastNormalMagnitude / 4], [1, 1 + 1e-7],
    [.greatestFiniteMagnitude, 1], [.greatestFiniteMagnitude, -.greatestFiniteMagnitude],
    [.nan, .infinity], [0, -0.0], [.leastNonzeroMagnitude, .greatestFiniteMagnitude],
    [.greatestFiniteMagnitude, .greatestFiniteMagnitude],
  ]
  static let units: [DepthMap.Unit] = [
    .metres, .disparity, .normalized(near: .white), .normalized(near: .black),
  ]

  /// Runs a call and checks the result. The call may also throw a `DepthError`.
  ///
  /// - Returns: Whether the call gave a result.
  @discardableResult
  private func take<Made>(
    _ make: @autoclosure () throws -> Made, _ isSound: (Made) -> Bool = { _ in true },
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    do {
      let made = try make()
      #expect(isSound(made), sourceLocation: sourceLocation)
      return true
    } catch is DepthError {
    } catch { Issue.record(error, sourceLocation: sourceLocation) }
    return false
  }

  /// Whether a map has the given size, and no value where a number is not finite.
  private func isSound(_ map: DepthMap, _ height: Int, _ width: Int) -> Bool {
    (map.height, map.width, map.values.count) == (height, width, height * width)
      && map.values.allSatisfy { $0.isFinite || !map.hasValue($0) }
  }

  /// Passes a map to every call that takes a map.
  ///
  /// - Returns: The numbers of results and of calls. Other calls refused the map.
  private func use(_ map: DepthMap, with photo: Image) -> (made: Int, of: Int) {
    var (made, count) = (0, 0)
    func note(_ isMade: Bool) { (made, count) = (made + (isMade ? 1 : 0), count + 1) }
    if let range = map.range(), let median = map.median() {
      #expect((range.low...range.high).contains(median))
    }
    note(take(try map.inMetres()) { isSound($0, map.height, map.width) })
    note(take(try map.inDisparity()) { isSound($0, map.height, map.width) })
    for scale in [.disparity, .metres] as [DepthMap.Unit] {
      let normalized = map.normalized(over: scale)
      #expect(normalized.values.allSatisfy { $0.isNaN || (0...1).contains($0) })
      #expect(map.picture(.turbo, over: scale).pixels.count == map.values.count * 3)
    }
    for format in DepthFileFormat.readable {
      var file: [UInt8] = []
      note(
        take(try map.encoded(as: format)) {
          file = $0
          return !$0.isEmpty
        })
      if !file.isEmpty {
        take(try DepthMap(decoding: file)) { isSound($0, map.height, map.width) }
      }
    }
    for format in DepthPhoto.Format.allCases {
      note(take(try DepthPhoto.encode(photo, depth: map, as: format)) { !$0.isEmpty })
    }
    for name in RefinementMethod.Name.allCases {
      for fills in [false, true] {
        note(
          take(try map.refined(guidedBy: photo, method: .init(name), fillsMissing: fills)) {
            isSound($0, photo.height, photo.width)
          })
      }
    }
    note(
      take(try map.calibrated(by: DepthCalibration(scale: 1e30, shift: -1e-30))) {
        isSound($0, map.height, map.width)
      })
    take(
      try DepthCalibration(
        [.init(x: 0, y: 0, metres: 1), .init(x: photo.width - 1, y: photo.height - 1, metres: 2)],
        depth: map, photoHeight: photo.height, width: photo.width)
    ) { $0.scale.isFinite && $0.shift.isFinite }
    func isPair(_ pair: StereoPair) -> Bool {
      pair.left.pixels.count == photo.pixels.count && pair.right.pixels.count == photo.pixels.count
    }
    for renderer in [StereoRenderer.orderedWarp, .gather, .frontPixelLast] {
      var options = StereoOptions()
      options.renderer = renderer
      for convergence in [0.5, nil] as [Double?] {
        options.convergence = convergence
        note(take(try photo.stereoPair(depth: map, options: options), isPair))
      }
      options.amount = .metric(MetricParallax(focalLength: .pixels(30), screenDistance: 2))
      take(try photo.stereoPair(depth: map, options: options), isPair)
    }
    note(take(try photo.views(count: 3, depth: map)) { $0.count == 3 })
    note(
      take(try photo.quilt(columns: 2, rows: 1, depth: map)) {
        $0.width > 0 && $0.pixels.count == 3 * $0.width * $0.height
      })
    return (made, count)
  }

  @Test("each call uses or refuses a map of extreme numbers", arguments: values.indices, units)
  func extremeNumbers(index: Int, unit: DepthMap.Unit) {
    let pair = Self.values[index]
    let map = DepthMap(
      height: 12, width: 16, unit: unit, values: (0..<192).map { pair[$0 / 3 % 2] })
    _ = use(map, with: testImage(height: 24, width: 32))
  }

  @Test(
    "every call takes maps of one row, one column or one pixel",
    arguments: [(1, 1), (1, 3000), (3000, 1), (2, 1)])
  func extremeShapes(height: Int, width: Int) {
    let map = DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { 1 + Float($0 % 5) })
    // An ordinary map is not refused for its shape.
    let (made, count) = use(map, with: testImage(height: height, width: width))
    #expect(made == count)
  }

  @Test("only PNG can store a photo of 70 000 rows") func aTallPhoto() throws {
    let height = 70_000
    let photo = Image(height: height, width: 1, pixels: .init(repeating: 77, count: height * 3))
    let map = DepthMap(
      height: height, width: 1, unit: .metres, values: (0..<height).map { 1 + Float($0 % 7) })
    let pair = try photo.stereoPair(depth: map, maximumShift: 0.1)
    #expect(pair.anaglyph().height == height && pair.rowInterleaved().height == height)
    #expect(try Image(decoding: photo.encoded(as: .png), name: "tall.png").pixels == photo.pixels)
    #expect(throws: DepthError.self) { try photo.encoded(as: .jpeg()) }
    #expect(throws: DepthError.self) { try photo.stereoFiles(as: .wiggleGIF, depth: map) }
  }
}
