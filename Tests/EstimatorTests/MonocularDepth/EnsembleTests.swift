import DepthErrors
import DepthImages
import Foundation
import HDF5Files
import MonocularDepth
import Testing
import _TestSupport

/// Averages of several networks, and of the photo and the mirrored photo.
@Suite struct EnsembleTests {
  /// Two small networks with different maps, and copies of the files in another order.
  private struct Files {
    let folder: TemporaryFolder
    let first, second: URL

    init() throws {
      folder = try TemporaryFolder()
      first = try Self.write(GeneratedWeights(widthDivisor: 16), "first.h5", in: folder)
      second = try Self.write(GeneratedWeights(widthDivisor: 16, seed: 7), "second.h5", in: folder)
    }

    static func write(
      _ weights: GeneratedWeights, _ name: String, in folder: TemporaryFolder,
      changing attributes: [String: HDF5Attribute] = [:]
    ) throws -> URL {
      let path = folder.path(name)
      try writeHDF5(
        weights, attributes: weights.attributes.merging(attributes) { $1 }, to: path)
      return URL(filePath: path)
    }
  }

  /// For each pixel, exp of the mean logarithm of those maps that have a value.
  private func referenceMean(_ maps: [DepthMap]) -> [Double] {
    maps[0].values.indices.map { pixel in
      let logarithms = maps.map { $0.values[pixel] }.filter { $0.isFinite && $0 > 0 }
        .map { log(Double($0)) }
      guard !logarithms.isEmpty else { return 0 }
      return exp(logarithms.reduce(0, +) / Double(logarithms.count))
    }
  }

  /// Each map's mean logarithm is subtracted. The result is the pixels' mean standard deviation.
  private func referenceSpread(_ maps: [DepthMap]) -> Double {
    let logarithms = maps.map { $0.values.map { log(Double($0)) } }
    let free = logarithms.map { map in
      let mean = map.reduce(0, +) / Double(map.count)
      return map.map { $0 - mean }
    }
    let deviations = free[0].indices.map { pixel in
      let values = free.map { $0[pixel] }
      let mean = values.reduce(0, +) / Double(values.count)
      return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count))
        .squareRoot()
    }
    return deviations.reduce(0, +) / Double(deviations.count)
  }

  private func map(_ values: [Float]) -> DepthMap {
    DepthMap(height: 2, width: values.count / 2, unit: .metres, values: values)
  }

  private func expect(_ map: DepthMap, near expected: [Double]) {
    for (value, expected) in zip(map.values, expected) {
      #expect(abs(Double(value) - expected) <= 6e-8 * expected, "\(value), expected \(expected)")
    }
  }

  private func flipped(_ map: DepthMap) -> DepthMap {
    DepthMap(
      height: map.height, width: map.width, unit: map.unit,
      values: (0..<map.height).flatMap { y in
        (0..<map.width).map { map.values[(y + 1) * map.width - 1 - $0] }
      })
  }

  private func flipped(_ photo: Image) -> Image {
    Image(
      height: photo.height, width: photo.width,
      pixels: (0..<photo.height).flatMap { y in
        (0..<photo.width).flatMap { x in
          let at = ((y + 1) * photo.width - 1 - x) * 3
          return photo.pixels[at..<at + 3]
        }
      })
  }

  @Test("an averaged map has a value wherever any map has a value")
  func meanOfLogarithmsHasNoHolesWhereOneMapHasAValue() throws {
    let maps = [
      map([1, 2, 0, .nan, 1e-38, 3e38]), map([4, 0.5, 3, -1, 1e-38, 3e38]),
      map([2, 8, 0, .infinity, 0, 2.5e38]),
    ]
    let ensemble = MapEnsemble(maps)
    #expect(ensemble.depth.values[2] == 3 && ensemble.depth.values[3] == 0)
    expect(ensemble.depth, near: referenceMean(maps))
    for order in [[1, 2, 0], [2, 1, 0], [0, 2, 1]] {
      #expect(MapEnsemble(order.map { maps[$0] }).depth == ensemble.depth)
    }
  }

  @Test("averaged maps are equal on any number of threads")
  func ensemblesDoNotDependOnThreads() throws {
    let maps = (1...3).map { (factor: Int) -> DepthMap in
      let values = (0..<37 * 19).map { (pixel: Int) -> Float in
        pixel % 11 == factor ? 0 : Float(1 + pixel % 97 * factor) / 7
      }
      return DepthMap(height: 37, width: 19, unit: .metres, values: values)
    }
    let one = MapEnsemble(maps)
    for threads in [2, 5] {
      let other = MapEnsemble(maps, threads: threads)
      #expect(other.depth == one.depth && other.spread == one.spread)
    }
  }

  @Test("spread ignores the maps' scales and missing pixels")
  func spreadIgnoresTheScaleOfTheWholePhoto() throws {
    let base = map([1, 2, 3, 4, 5, 6])
    let scaled = map(base.values.map { $0 * 1.3 })
    let bent = map([1, 2.2, 3, 4.5, 5, 5])
    #expect(try #require(MapEnsemble([base, scaled]).spread) < 1e-7)
    for maps in [[base, bent], [scaled, bent, base]] {
      let spread = try #require(MapEnsemble(maps).spread)
      #expect(abs(spread - referenceSpread(maps)) < 1e-12)
    }
    #expect(MapEnsemble([base]).spread == nil)
    // Missing pixels change nothing in any position.
    let gaps = [map(base.values + [0, 4]), map(bent.values + [7, .nan])]
    let spread = try #require(MapEnsemble(gaps).spread)
    #expect(abs(spread - referenceSpread([base, bent])) < 1e-12)
    #expect(MapEnsemble([map([0, 1]), map([1, 0])]).spread == nil)
  }

  /// A single focal factor corrects the mean of all maps.
  @Test("weights with different focal exponents are not combined")
  func exponentsOfTheFocalLengthMustAgree() throws {
    let files = try Files()
    let other = try Files.write(
      GeneratedWeights(widthDivisor: 16), "other.h5", in: files.folder,
      changing: ["focal_exponent": .numbers([0.5])])
    let error = try #require(throws: DepthError.self) {
      try DepthEstimator(.files([files.first, other]))
    }
    #expect(error.code == .weightsMismatch)
    #expect(
      "\(error)".contains("other.h5: has a focal_exponent of 0.5, expected 1.0 as in")
        && "\(error)".hasSuffix("first.h5: they cannot be combined"), "\(error)")
    let both = try DepthEstimator(.files([other, other]))
    let photo = MadeUpPictures.photo(height: 48, width: 64)
    let tele = Camera(width: 64, height: 48, focalLength: 4 * 51.916)
    let estimate = try both.estimate(
      of: photo, options: DepthOptions(camera: .given(tele), refinement: .none))
    #expect(estimate.camera.focalExponent == 0.5 && abs(estimate.camera.depthFactor - 2) < 1e-5)
  }

  /// A photo of the network's input size is not resampled, so mirroring is exact.
  @Test("the map of a mirrored photo is mirrored back", arguments: [(228, 304), (304, 228)])
  func mirroredPhotoIsMirroredBack(height: Int, width: Int) throws {
    let photo = testImage(height: height, width: width)
    let files = try Files()
    let single = try DepthEstimator(.file(files.first))
    let (plain, other) = (
      try single.depth(of: photo, options: .unrefined),
      flipped(try single.depth(of: flipped(photo), options: .unrefined))
    )
    #expect(plain != other)
    let estimator = try DepthEstimator(
      WeightsSelection(files: [files.first], averagesMirrored: true))
    let estimate = try estimator.estimate(of: photo, options: .unrefined)
    #expect(estimate.depth == MapEnsemble([plain, other]).depth)
    expect(estimate.depth, near: referenceMean([plain, other]))
    // Photo and mirrored photo have equal weight, so the mirrored photo's map is the mirrored map.
    #expect(try estimator.depth(of: flipped(photo), options: .unrefined) == flipped(estimate.depth))
    let spread = try #require(MapEnsemble([plain, other]).spread)
    #expect(try abs(#require(estimate.spread) - spread) <= 0.6e-5)
    // No network predicts expected errors.
    #expect(estimate.uncertainty == nil)
    #expect(estimator.averagesMirrored)
    #expect(try single.estimate(of: photo, options: .unrefined).uncertainty == nil)
    #expect(try single.estimate(of: photo, options: .unrefined).spread == nil)
  }

  @Test("averages are equal in any order of networks", arguments: [false, true])
  func networksAreAveragedInAnyOrder(isMirrored: Bool) throws {
    let files = try Files()
    let photo = testImage(height: 90, width: 130)
    func estimate(_ weights: [URL], threads: Int = 2) throws -> DepthEstimate {
      try DepthEstimator(
        WeightsSelection(files: weights, averagesMirrored: isMirrored), threads: threads
      )
      .estimate(of: photo, options: .unrefined)
    }
    let both = try estimate([files.first, files.second])
    if !isMirrored {
      let maps = try [files.first, files.second].map {
        try DepthEstimator(.file($0)).depth(of: photo, options: .unrefined)
      }
      #expect(maps[0] != maps[1])
      expect(both.depth, near: referenceMean(maps))
    }
    #expect(try estimate([files.second, files.first]).depth == both.depth)
    for threads in [1, 3] {
      #expect(try estimate([files.first, files.second], threads: threads) == both)
    }
    let twice = try estimate([files.first, files.first])
    #expect(try twice.depth == estimate([files.first]).depth)
  }

  @Test("the identifier names every file and the mirror")
  func identifierNamesEveryFileAndTheMirror() throws {
    let files = try Files()
    func identifier(_ weights: [URL], _ mirrored: Bool) throws -> String {
      try DepthEstimator(WeightsSelection(files: weights, averagesMirrored: mirrored))
        .weightsIdentifier()
    }
    let digests = try [files.first, files.second].map { try identifier([$0], false) }
    #expect(digests.allSatisfy { $0.count == 64 } && digests[0] != digests[1])
    #expect(try identifier([files.first], true) == digests[0] + "+mirrored")
    let joined = digests.sorted().joined(separator: "+")
    #expect(try identifier([files.first, files.second], false) == joined)
    #expect(try identifier([files.second, files.first], true) == joined + "+mirrored")
  }

  @Test("memory counts the mirrored photo and every kind of network")
  func memoryCountsTheMirroredPhotoAndEveryKindOfNetwork() throws {
    let files = try Files()
    let small = try Files.write(
      GeneratedWeights(widthDivisor: 32), "small.h5", in: files.folder)
    func bytes(_ weights: [URL], _ mirrored: Bool) throws -> Int {
      try DepthEstimator(WeightsSelection(files: weights, averagesMirrored: mirrored), threads: 1)
        .networkBytes
    }
    let single = try bytes([files.first], false)
    #expect(try bytes([files.first], true) > single)
    #expect(try bytes([files.first, small], false) > single)
    // Networks of equal shape use one workspace in turn.
    #expect(try bytes([files.first, files.second], false) < 2 * single)
  }

  @Test("networks with different map sizes are refused")
  func mapsOfDifferentSizesAreRefused() throws {
    let files = try Files()
    let other = try Files.write(
      GeneratedWeights(widthDivisor: 16), "other.h5", in: files.folder,
      changing: ["input_height": .integers([128]), "input_width": .integers([160])])
    let error = #expect(throws: DepthError.self) {
      try DepthEstimator(.files([files.first, other]))
    }
    let text = error?.description ?? ""
    #expect(text.contains("other.h5: the network's maps are 80×64, expected 160×128"), "\(text)")
    #expect(text.contains("first.h5"), "\(text)")
    let missing = #expect(throws: DepthError.self) {
      try DepthEstimator(.files([files.first, URL(filePath: "/no/such.h5")]))
    }
    #expect(missing?.description.contains("/no/such.h5") == true)
    for count in [0, 17] {
      #expect(throws: DepthError.self) {
        try DepthEstimator(.files([URL](repeating: files.first, count: count)))
      }
    }
  }

  /// Both networks have equal map sizes.
  @Test("networks with different input sizes are averaged") func inputsMayDiffer() throws {
    let files = try Files()
    let other = try Files.write(
      GeneratedWeights(widthDivisor: 16, seed: 7), "other.h5", in: files.folder,
      changing: ["input_height": .integers([256]), "input_width": .integers([320])])
    let photo = testImage(height: 90, width: 130)
    let maps = try [files.first, other].map {
      try DepthEstimator(.file($0)).depth(of: photo, options: .unrefined)
    }
    let joint = try DepthEstimator(.files([files.first, other])).depth(
      of: photo, options: .unrefined)
    expect(joint, near: referenceMean(maps))
  }
}
