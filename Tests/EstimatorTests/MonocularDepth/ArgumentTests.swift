import DepthEffects
import DepthErrors
import DepthGeometry
import DepthImages
import DepthPhotos
import DepthRefinement
import Foundation
import MonocularDepth
import PictureFiles
import StereoPhotos
import Testing
import ViewSynthesis
import _TestSupport

/// Public calls with invalid arguments throw an error with the expected value. A trap would end the
/// process silently.
@Suite struct ArgumentTests {
  struct Call: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let run: @Sendable () throws -> Void

    init(_ name: String, _ run: @escaping @Sendable () throws -> Void) {
      (testDescription, self.run) = (name, run)
    }
  }

  static let photo = testImage(height: 24, width: 32)
  static let depth = DepthMap(
    height: 12, width: 16, unit: .metres, values: (0..<192).map { 1 + Float($0 % 16) / 4 })
  /// A map from a file whose unit is normalized.
  static func normalized() throws -> DepthMap {
    try DepthMap(decoding: depth.normalized().encoded(as: .png), name: "normalized.png")
  }

  static let camera = Camera(width: 32, height: 24, focalLength: 30)

  static let nonsenseThreads = [0, -3, 100_000, .min, .max]

  static let threads = nonsenseThreads.flatMap { threads -> [Call] in
    [
      Call("DepthEstimator, \(threads) threads") { _ = try DepthEstimator(threads: threads) },
      Call("refined, \(threads) threads") {
        _ = try depth.refined(guidedBy: photo, threads: threads)
      },
      Call("stereoPair, \(threads) threads") {
        _ = try photo.stereoPair(depth: depth, threads: threads)
      },
      Call("views, \(threads) threads") {
        _ = try photo.views(count: 3, depth: depth, threads: threads)
      },
      Call("lensBlur, \(threads) threads") {
        _ = try photo.lensBlur(depth: depth, focus: .normalized(0.5), threads: threads)
      },
      Call("spotlight, \(threads) threads") {
        _ = try photo.spotlight(depth: depth, focus: .normalized(0.5), threads: threads)
      },
      Call("haze, \(threads) threads") { _ = try photo.haze(depth: depth, threads: threads) },
      Call("mesh, \(threads) threads") {
        _ = try depth.mesh(of: photo, camera: camera, threads: threads)
      },
      Call("pointCloud, \(threads) threads") {
        _ = try depth.pointCloud(of: photo, camera: camera, threads: threads)
      },
      Call("quilt, \(threads) threads") { _ = try photo.quilt(depth: depth, threads: threads) },
      Call("stereoFiles, \(threads) threads") {
        _ = try photo.stereoFiles(as: .anaglyph(.redCyan), depth: depth, threads: threads)
      },
    ]
  }

  static let qualities = [0, -1, 101, .max].flatMap { quality -> [Call] in
    var settings = StereoOutput()
    settings.quality = quality
    let output = settings
    return [
      Call("JPEG of quality \(quality)") { _ = try photo.encoded(as: .jpeg(quality: quality)) },
      Call("JPEG file of quality \(quality)") {
        let folder = try TemporaryFolder()
        try photo.write(to: URL(filePath: folder.path("a.jpg")), quality: quality)
      },
      Call("depth photo of quality \(quality)") {
        _ = try DepthPhoto.encode(photo, depth: depth, as: .gDepth, quality: quality)
      },
      Call("MPO of quality \(quality)") {
        _ = try photo.stereoPair(depth: depth).mpo(quality: quality)
      },
      Call("stereo files of quality \(quality)") {
        _ = try photo.stereoFiles(as: .sideBySide, depth: depth, output: output)
      },
    ]
  }

  static let filters: [Call] = {
    var calls: [(String, RefinementMethod)] = []
    for radius in [-1, .min, .max] {
      calls.append(("bilateral, radius \(radius)", .bilateral(BilateralFilter(radius: radius))))
      calls.append(("gaussian, radius \(radius)", .bilateral(.gaussian(radius: radius))))
    }
    for sigma in [0, -1, .nan, .infinity, 1e30] as [Float] {
      calls += [
        ("bilateral, spatial \(sigma)", .bilateral(BilateralFilter(sigmaSpatial: sigma))),
        ("bilateral, range \(sigma)", .bilateral(BilateralFilter(sigmaRange: sigma))),
        ("gaussian, \(sigma)", .bilateral(.gaussian(sigma: sigma))),
        ("joint, spatial \(sigma)", .joint(JointFilter { $0.sigmaSpatial = sigma })),
        ("joint, range \(sigma)", .joint(JointFilter { $0.sigmaRange = sigma })),
        ("joint, tolerance \(sigma)", .joint(JointFilter { $0.edgeTolerance = sigma })),
      ]
    }
    for share in [-1, .nan, .infinity] as [Float] {
      calls += [
        ("joint, sharpening \(share)", .joint(JointFilter { $0.sharpening = share })),
        ("joint, back-projection \(share)", .joint(JointFilter { $0.backProjection = share })),
      ]
    }
    for passes in [0, -1, .max] {
      calls.append(("joint, \(passes) passes", .joint(JointFilter { $0.passes = passes })))
    }
    return calls.map { name, method in
      Call(name) { _ = try depth.refined(guidedBy: photo, method: method) }
    }
  }()

  static let geometry: [Call] = {
    var options: [(String, GeometryOptions)] = []
    for number in [-1, .nan, .infinity, 1e30] as [Float] {
      options.append(("threshold \(number)", GeometryOptions(edgeThreshold: number)))
      options.append(("simplification \(number)", GeometryOptions(simplification: number)))
    }
    var calls = options.map { name, options in
      Call("mesh, \(name)") { _ = try depth.mesh(of: photo, camera: camera, options: options) }
    }
    for focalLength in [.infinity, 1e-30, 1e30] as [Double] {
      let odd = Camera(width: 32, height: 24, focalLength: focalLength)
      calls.append(
        Call("cloud, focal length \(focalLength)") {
          _ = try depth.pointCloud(of: photo, camera: odd)
        })
    }
    calls.append(
      Call("mesh of a normalised map") {
        _ = try normalized().mesh(of: photo, camera: camera)
      })
    return calls
  }()

  static let sizes = [(0, 4), (4, 0), (-1, -1), (.max, 2), (.max, .max), (65_535, 65_535)].map {
    (height: Int, width: Int) in
    Call("map of \(width)×\(height)") {
      _ = try depth.refined(guidedBy: photo, resolution: .size(height: height, width: width))
    }
  }

  static let units = [
    Call("normalised map in metres") { _ = try normalized().inMetres() },
    Call("normalised map in disparity") { _ = try normalized().inDisparity() },
    Call("normalised map calibrated") {
      _ = try normalized().calibrated(by: DepthCalibration(scale: 1, shift: 0))
    },
    Call("calibration from a normalised map") {
      _ = try DepthCalibration(
        [.init(x: 1, y: 1, metres: 2)], depth: normalized(), photoHeight: 24, width: 32)
    },
    Call("depth photo of a normalised map") {
      _ = try DepthPhoto.encode(photo, depth: normalized(), as: .dynamicDepth)
    },
    Call("calibration in a photo of negative size") {
      _ = try DepthCalibration(
        [.init(x: 0, y: 0, metres: 2)], depth: depth, photoHeight: -1, width: -1)
    },
    Call("calibration beyond infinity") {
      _ = try depth.calibrated(by: DepthCalibration(scale: 1, shift: -10))
    },
    Call("calibration without numbers") {
      _ = try depth.calibrated(by: DepthCalibration(scale: .nan, shift: .infinity))
    },
    Call("disparity as PFM") { _ = try depth.inDisparity().encoded(as: .pfm) },
    Call("normalised map as NumPy") { _ = try normalized().encoded(as: .npy) },
  ]

  static let views: [Call] = {
    var calls: [Call] = []
    for count in [1, 0, -1, .min, .max] {
      calls.append(Call("\(count) views") { _ = try photo.views(count: count, depth: depth) })
    }
    for spread in [0, -1, .nan, .infinity, 1e300] {
      calls.append(
        Call("spread \(spread)") {
          // A constant map has no parallax, so only the check of `spread` can refuse the number.
          let wall = DepthMap(
            height: 3, width: 4, unit: .metres, values: [Float](repeating: 2, count: 12))
          _ = try photo.views(count: 3, depth: wall, spread: spread)
        })
    }
    for (columns, rows) in [(0, 0), (-1, -2), (1, 1), (.max, .max), (.max, 2), (5000, 5000)] {
      calls.append(
        Call("quilt of \(columns)×\(rows)") {
          _ = try photo.quilt(columns: columns, rows: rows, depth: depth)
        })
    }
    for strategy in [StereoRenderer.shiftAndFix, .gapsInOneLoop, .frontPixelLast] {
      for shift in [.nan, .infinity, -.infinity, 1e30] as [Float] {
        calls.append(
          Call("\(strategy.rawValue), shift \(shift)") {
            _ = try strategy.sources(depth: [0, 0.5, 1], maximumShift: shift)
          })
      }
      for value in [.nan, .infinity, 1e30] as [Float] {
        calls.append(
          Call("\(strategy.rawValue), depth \(value)") {
            _ = try strategy.sources(depth: [0, value, 1], maximumShift: 2)
          })
      }
    }
    return calls
  }()

  static let animations = [
    Call("no frames") { _ = try PictureAnimation(frames: []) },
    Call("frames of two sizes") {
      _ = try PictureAnimation(frames: [photo, testImage(height: 4, width: 4)])
    },
    Call("delay 0") { _ = try PictureAnimation(frames: [photo], delay: 0) },
    Call("delay that is no number") { _ = try PictureAnimation(frames: [photo], delay: .nan) },
    Call("delay of a day") { _ = try PictureAnimation(frames: [photo], delay: 86_400) },
    Call("GIF of 65536 rows") {
      let tall = Image(height: 65_536, width: 1, pixels: .init(repeating: 9, count: 196_608))
      _ = try PictureAnimation(frames: [tall]).gif()
    },
  ]

  @Test(
    "an invalid argument throws an error with the expected value",
    arguments: threads + qualities + filters + geometry + sizes + units + views + animations)
  func invalidArgumentsAreErrors(_ call: Call) throws {
    let error = try #require(throws: (any Error).self) { try call.run() }
    let text = "\(error)"
    #expect(text.contains("expected") || error is DepthError, "\(text)")
    #expect(!text.contains("\n"))
    #expect((error as? any LocalizedError)?.errorDescription == text, "\(type(of: error))")
  }

  @Test("an argument error gives name, value and range") func theErrorNamesNameAndValue() throws {
    let error = #expect(throws: DepthError.self) {
      try Self.depth.refined(guidedBy: Self.photo, threads: -3)
    }
    #expect(error?.description == "the number of threads is -3, expected 1 to 256")
  }
}
