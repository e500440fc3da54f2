import AtomicFiles
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

/// Maps and photos at the edge of what their types hold go through every public call: they come out or
/// are refused, and never end the process.
@Suite(.offPool) struct ExtremeMapTests {
  /// Numbers that files may well hold.
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

  /// Everything that takes a map; errors are fine.
  private func use(_ map: DepthMap, with photo: Image) {
    _ = map.range
    _ = map.median
    _ = try? map.inMetres
    _ = try? map.inDisparity
    for scale in [.disparity, .metres] as [DepthMap.Unit] {
      let normalized = map.normalized(over: scale)
      #expect(normalized.values.allSatisfy { $0.isNaN || (0...1).contains($0) })
      #expect(map.picture(.turbo, over: scale).pixels.count == map.values.count * 3)
    }
    for format in DepthFileFormat.inThisBuild { _ = try? map.encoded(as: format) }
    for format in DepthPhoto.Format.allCases {
      _ = try? DepthPhoto.encode(photo, depth: map, as: format)
    }
    for name in RefinementMethod.Name.allCases {
      for fills in [false, true] {
        _ = try? map.refined(guidedBy: photo, method: .init(name), fillsMissing: fills)
      }
    }
    _ = try? map.calibrated(by: DepthCalibration(scale: 1e30, shift: -1e-30))
    _ = try? DepthCalibration(
      [.init(x: 0, y: 0, metres: 1), .init(x: photo.width - 1, y: photo.height - 1, metres: 2)],
      depth: map, photoHeight: photo.height, width: photo.width)
    for renderer in [StereoRenderer.orderedWarp, .gather, .frontPixelLast] {
      var options = StereoOptions()
      options.renderer = renderer
      for convergence in [0.5, nil] as [Double?] {
        options.convergence = convergence
        _ = try? photo.stereoPair(depth: map, options: options)
      }
      options.amount = .metric(MetricParallax(focalLength: .pixels(30), screenDistance: 2))
      _ = try? photo.stereoPair(depth: map, options: options)
    }
    _ = try? photo.views(count: 3, depth: map)
    _ = try? photo.quilt(columns: 2, rows: 1, depth: map)
  }

  @Test(arguments: values.indices, units)
  func extremeNumbers(index: Int, unit: DepthMap.Unit) {
    let pair = Self.values[index]
    let map = DepthMap(
      height: 12, width: 16, unit: unit, values: (0..<192).map { pair[$0 / 3 % 2] })
    use(map, with: testImage(height: 24, width: 32))
  }

  @Test(arguments: [(1, 1), (1, 3000), (3000, 1), (2, 1)])
  func extremeShapes(height: Int, width: Int) {
    let map = DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { 1 + Float($0 % 5) })
    use(map, with: testImage(height: height, width: width))
  }

  /// More rows than a GIF or a JPEG has room for.
  @Test func aTallPhoto() throws {
    let height = 70_000
    let photo = Image(height: height, width: 1, pixels: .init(repeating: 77, count: height * 3))
    let map = DepthMap(
      height: height, width: 1, unit: .metres, values: (0..<height).map { 1 + Float($0 % 7) })
    let pair = try photo.stereoPair(depth: map, maximumShift: 0.1)
    #expect(pair.anaglyph().height == height && pair.rowInterleaved.height == height)
    #expect(try Image(decoding: photo.encoded(as: .png), name: "tall.png").pixels == photo.pixels)
    #expect(throws: DepthError.self) { try photo.encoded(as: .jpeg()) }
    #expect(throws: DepthError.self) { try photo.stereoFiles(as: .wiggleGIF, depth: map) }
  }
}
