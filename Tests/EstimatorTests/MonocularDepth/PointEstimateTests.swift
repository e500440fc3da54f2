import DepthBase
import DepthErrors
import DepthImages
import Foundation
import HDF5Files
import NeuralEngine
import Testing
import _TestSupport

@testable import MonocularDepth
@testable import WeightsFiles

/// MoGe-2 from photo to map: camera, mask, normals, and refusals.
@Suite struct PointEstimateTests {
  /// A weights file with a small network. The file is deleted with `folder`.
  private func weights(in folder: TemporaryFolder, hasNormals: Bool = true) throws -> URL {
    let bytes = PublishedWeights.moGe2(taken: [1], hasNormals: hasNormals).torchFile()
    let arrays = try #require(try ArrayFile(RandomAccessFile(bytes: bytes.span, name: "m.pt")))
    var layout = MoGe2Layout(width: 64, blocks: 1, neckBlocks: 1, takenBlocks: [1])
    if !hasNormals { layout.heads.removeLast() }
    let archive = try MoGe2Archive(arrays, layout)
    let attributes = archive.attributes.mapValues { attribute -> HDF5Attribute in
      switch attribute {
      case .text(let text): .text(text)
      case .integers(let integers): .integers(integers)
      case .numbers(let numbers): .numbers(numbers)
      }
    }
    let path = folder.path("moge-\(hasNormals).h5")
    try writeHDF5(archive, attributes: attributes, to: path, version: 2)
    return URL(filePath: path)
  }

  private func selection(in folder: TemporaryFolder) throws -> WeightsSelection {
    var selection = WeightsSelection.file(try weights(in: folder))
    selection.tokens = 400
    return selection
  }

  /// Python's `round` gives the patches. A map has the smaller size of finest level and photo.
  @Test(
    "photos are resized to a whole number of patches",
    arguments: [
      (480, 640, 1200, 420, 560, 480, 640), (3000, 4000, 1200, 420, 560, 480, 640),
      (240, 320, 1200, 420, 560, 240, 320), (320, 960, 1200, 280, 840, 320, 960),
      (640, 360, 3600, 1120, 630, 640, 360), (389, 517, 400, 238, 322, 272, 368),
    ])
  func photosAreSqueezedToPatches(
    height: Int, width: Int, tokens: Int, rows: Int, columns: Int, mapRows: Int, mapColumns: Int
  ) {
    let rule = InputRule.patches(tokens)
    #expect(rule.inputSize(height: height, width: width) == (rows, columns))
    #expect(rule.mapSize(height: height, width: width) == (mapRows, mapColumns))
  }

  @Test("unrefined MoGe-2 maps have a photo's size") func unrefinedMapsHaveThePhotosSize() throws {
    let folder = try TemporaryFolder()
    let estimator = try DepthEstimator(selection(in: folder), threads: 2)
    #expect(estimator.architecture == "moge-2" && estimator.unit == .metres)
    #expect(try estimator.weightsIdentifier().hasSuffix("+tokens400"))
    // 17 × 23 patches: the finest level has 272 × 368 pixels.
    for (height, width, rows, columns) in [(300, 400, 272, 368), (90, 120, 90, 120)] {
      let photo = testImage(height: height, width: width)
      let whole = try estimator.estimate(of: photo, options: .unrefined)
      #expect((whole.networkMap.height, whole.networkMap.width) == (height, width))
      let refined = try estimator.estimate(of: photo)
      #expect((refined.networkMap.height, refined.networkMap.width) == (rows, columns))
      #expect((refined.depth.height, refined.depth.width) == (height, width))
      #expect(whole.camera == refined.camera && whole.normals == nil)
      #expect(try estimator.using(threads: 3).estimate(of: photo, options: .unrefined) == whole)
      let once = try DepthEstimator(selection(in: folder), threads: 1, keepsWeights: false)
      #expect(try once.estimate(of: photo, options: .unrefined) == whole)
    }
  }

  @Test("a known focal length changes depth but no network point")
  func knownFocalLengthsAreUsed() throws {
    let folder = try TemporaryFolder()
    let estimator = try DepthEstimator(selection(in: folder), threads: 2)
    let photo = testImage(height: 90, width: 120)
    let free = try estimator.estimate(of: photo, options: .unrefined)
    #expect(free.camera.source == .estimated && free.camera.depthFactor == 1)
    var options = DepthOptions.unrefined
    options.camera = .focalLength(.fieldOfView(70))
    let given = try estimator.estimate(of: photo, options: options)
    #expect(given.camera.source == .given && abs(given.camera.camera.fieldOfView - 70) < 1e-6)
    #expect(given.points == free.points && given.networkMap != free.networkMap)
    let points = try #require(free.points)
    let fit = PointFit(
      points.samples, focalLength: given.camera.diagonalFocalLength)
    #expect(given.networkMap == points.depth(fit, height: 90, width: 120, threads: 1))
    // A camera with ten times the pixels has an equal field of view.
    options.camera = .given(
      Camera(width: 1200, height: 900, focalLength: 10 * given.camera.camera.focalLength))
    expectClose(
      try estimator.estimate(of: photo, options: options).networkMap.values,
      given.networkMap.values.map(Double.init), absolute: 1e-4)
  }

  @Test("a focal length from Exif is adjusted by up to 4 %")
  func exifIsRoundedToMillimetres() throws {
    var photo = testImage(height: 90, width: 120)
    photo.metadata.focalLengthIn35mmFilm = 26
    let camera = PhotoCamera(of: photo)
    #expect(camera.source == .exif)
    let own = camera.diagonalFocalLength
    func fitted(_ ratio: Double, _ camera: PhotoCamera) -> Double {
      camera.fitted(height: 90, width: 120) { own * ratio }.diagonalFocalLength / own
    }
    // Below 4 %, the network's value is used. Above 4 %, the adjustment is 4 %.
    #expect(abs(fitted(1.03, camera) - 1.03) < 1e-9 && abs(fitted(0.97, camera) - 0.97) < 1e-9)
    #expect(
      abs(fitted(2, camera) - exp(0.04)) < 1e-9 && abs(fitted(0.5, camera) - exp(-0.04)) < 1e-9)
    photo.metadata.focalLengthIsExact = true
    #expect(fitted(1.03, PhotoCamera(of: photo)) == 1)
  }

  @Test("depth and normals exist exactly where the mask is positive")
  func theMaskDecidesAboutDepthAndNormals() throws {
    let folder = try TemporaryFolder()
    var selection = try selection(in: folder)
    selection.givesNormals = true
    let estimator = try DepthEstimator(selection, threads: 2)
    let photo = testImage(height: 300, width: 400)
    let estimate = try estimator.estimate(of: photo, options: .unrefined)
    let normals = try #require(estimate.normals)
    #expect((normals.height, normals.width) == (300, 400))
    let lengths = (0..<300 * 400).map { pixel in
      normals.values[3 * pixel..<3 * pixel + 3].reduce(0) { $0 + $1 * $1 }.squareRoot()
    }
    let hasDepth = estimate.networkMap.values.map { $0 > 0 }
    #expect(zip(lengths, hasDepth).allSatisfy { $1 ? abs($0 - 1) < 1e-5 : $0 == 0 })
    #expect((1000..<119_000).contains(hasDepth.count { $0 }))
    // Normals at another map's size exist only where that map has a value.
    let part = DepthMap(
      height: 75, width: 100, unit: .metres, values: .init(repeating: 1, count: 7499) + [0])
    let small = try #require(estimate.networkNormals(of: part, threads: 1))
    #expect(small.values.count == 22_500 && small.values.suffix(3) == [0, 0, 0])
    #expect(abs(small.values[3 * 7498..<3 * 7499].reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
    // The command accepts these weights, too.
    try photo.write(to: folder.url("p.png"))
    let made = try CommandLineTool("depth").run([
      "predict", folder.path("p.png"), "--weights", try weights(in: folder).path(), "--tokens",
      "400",
      "--refine", "none", "--quiet", "-o", folder.path("d.npy"), "--normals", folder.path("n.npy"),
    ])
    #expect(made.status == 0, "\(made.errors)")
    #expect(
      try TemporaryFolder.bytes(of: folder.path("n.npy")) == normals.encoded(as: .npy))
    // Weights without the head for normals give equal other maps.
    selection.givesNormals = false
    #expect(
      try DepthEstimator(selection, threads: 2).estimate(of: photo, options: .unrefined).networkMap
        == estimate.networkMap)
  }

  /// The mirrored photo's maps are mirrored back, and the sign of x changes.
  @Test("points of photo and mirror are averaged") func mirroredEstimatesAreAveraged() throws {
    let folder = try TemporaryFolder()
    var selection = try selection(in: folder)
    selection.averagesMirrored = true
    let photo = testImage(height: 90, width: 120)
    let averaged = try #require(
      try DepthEstimator(selection, threads: 2).estimate(of: photo, options: .unrefined).points)
    selection.averagesMirrored = false
    let estimator = try DepthEstimator(selection, threads: 2)
    let own = try #require(try estimator.estimate(of: photo, options: .unrefined).points)
    let other = try #require(try estimator.estimate(of: photo.mirrored, options: .unrefined).points)
    #expect(averaged == own.mean(with: other.mirrored))
    #expect(other.mirrored.mirrored == other && other.mirrored != other)
    let (a, b) = (
      own.samples.first, own.mirrored.samples.last
    )
    #expect(a != nil && b != nil)
  }

  @Test("an option moves the background to the farthest depth or infinity")
  func backgroundsAreFarAway() throws {
    let folder = try TemporaryFolder()
    let estimator = try DepthEstimator(selection(in: folder), threads: 2)
    let photo = testImage(height: 300, width: 400)
    var options = DepthOptions.unrefined
    let own = try estimator.estimate(of: photo, options: options)
    let farthest = try #require(own.networkMap.range()).high
    for (background, value) in [(DepthOptions.Background.farthest, farthest), (.infinite, 10_000)] {
      options.background = background
      let filled = try estimator.estimate(of: photo, options: options)
      #expect(filled.networkMap == own.networkMap && filled.geometryRange?.high == farthest)
      #expect(
        zip(own.depth.values, filled.depth.values).allSatisfy { $0 > 0 ? $0 == $1 : $1 == value })
    }
    // Zeros in maps of other networks stay.
    let other = try DepthEstimator(threads: 1)
    #expect(other.withBackground(own.networkMap, options) == own.networkMap)
    let mask = try #require(own.mask(height: 300, width: 400, threads: 1))
    #expect(zip(own.networkMap.values, mask).allSatisfy { ($0 > 0) == ($1 == 1) })
    // The mask at another size is made from the raw maps.
    let half = try #require(own.mask(height: 150, width: 200, threads: 2))
    #expect(half.count == 30_000 && Set(half) == [0, 1])
    var views = DepthOptions()
    views.fitForViews(of: photo)
    #expect(views.background == .farthest)
    views.background = .infinite
    views.fitForViews(of: photo)
    #expect(views.background == .infinite)
    #expect(throws: DepthError.self) { try other.requireMask() }
  }

  @Test("a frame can take the focal length and scale of a shot")
  func framesTakeTheScaleOfTheirShot() throws {
    let folder = try TemporaryFolder()
    let estimator = try DepthEstimator(selection(in: folder), threads: 2)
    let photo = testImage(height: 90, width: 120)
    let frame = try estimator.estimate(of: photo, options: .unrefined)
    let own = try #require(frame.ownScale)
    let focalLength = try #require(own.focalLength)
    let larger = frame.rescaled(
      focalLength: focalLength, lnScale: own.lnScale + log(2), threads: 1)
    expectClose(
      larger.networkMap.values, frame.networkMap.values.map { 2 * Double($0) }, absolute: 1e-3)
    let longer = frame.rescaled(
      focalLength: 1.5 * focalLength, lnScale: own.lnScale, threads: 1)
    #expect(abs(longer.camera.diagonalFocalLength / focalLength - 1.5) < 1e-9)
    #expect(longer.networkMap != frame.networkMap && longer.camera.source == .estimated)
    // Lenses and meshes of the frame also use this focal length.
    let given = longer.camera.given(to: photo)
    let length = try Camera(of: given).focalLength
    #expect(abs(length / longer.camera.camera.focalLength - 1) < 1e-6)
    #expect(frame.camera.given(to: photo) != photo)
    let known = try DepthEstimator(threads: 1).estimate(of: photo, options: .unrefined)
    #expect(known.ownScale == nil && known.camera.given(to: photo) == photo)
  }

  @Test("MoGe-2 refuses token counts outside 400 to 3600") func otherUsesAreRefused() throws {
    let folder = try TemporaryFolder()
    let file = try weights(in: folder)
    func fault(_ selection: WeightsSelection) -> String {
      do {
        _ = try DepthEstimator(selection, threads: 1)
        return ""
      } catch { return "\(error)" }
    }
    #expect(fault(.files([file, file])).contains("cannot be combined with other weights"))
    var selection = WeightsSelection.file(file)
    selection.inputSize = 518
    #expect(fault(selection).contains("has no input size"))
    selection = .file(file)
    selection.tokens = 399
    #expect(fault(selection).contains("the number of tokens is 399, expected 400 to 3600"))
    selection = .compact
    selection.tokens = 1200
    #expect(fault(selection).contains("does not take a number of tokens"))
  }

  @Test("a photo with one row of pixels is refused") func aPhotoOfNothingHasNoDepth() throws {
    let folder = try TemporaryFolder()
    let estimator = try DepthEstimator(selection(in: folder), threads: 1)
    #expect(throws: DepthError.self) {
      try estimator.estimate(of: testImage(height: 1, width: 17))
    }
  }
}
