import DepthErrors
import DepthImages
import DepthRefinement
import Testing
import _TestSupport

@Suite struct OutputTests {
  @Test("a resolution is network, photo or WIDTHxHEIGHT") func resolutionsAreReadFromText() {
    #expect(OutputResolution("network") == .network)
    #expect(OutputResolution("photo") == .photo)
    #expect(OutputResolution("640x480") == .size(height: 480, width: 640))
    for text in ["", "x", "640", "640x", "x480", "0x4", "-3x4", "6x4x2", "640X480", "Photo"] {
      #expect(OutputResolution(text) == nil, "\(text)")
    }
  }

  @Test("refined maps have requested size and range", arguments: RefinementMethod.Name.allCases)
  func resultsHaveTheSizeAskedFor(name: RefinementMethod.Name) throws {
    let map = DepthMap(
      height: 12, width: 15, unit: .disparity, values: MadeUpPictures.values(180).map { 0.2 + $0 })
    let photo = MadeUpPictures.photo(height: 48, width: 61)
    let sizes: [(OutputResolution, Int, Int)] = [
      (.network, 12, 15), (.photo, 48, 61), (.size(height: 100, width: 7), 100, 7),
      (.size(height: 5, width: 4), 5, 4), (.size(height: 1, width: 1), 1, 1),
    ]
    for (resolution, height, width) in sizes {
      let refined = try map.refined(guidedBy: photo, method: .init(name), resolution: resolution)
      #expect((refined.height, refined.width) == (height, width))
      #expect(refined.values.allSatisfy { $0 > 0.199 && $0 < 1.201 })
    }
  }

  @Test("a map that is larger than the result is averaged")
  func aMapLargerThanTheResultIsAveragedAndNotPicked() throws {
    let stripes = DepthMap(
      height: 4, width: 64, unit: .metres, values: (0..<256).map { $0 % 2 == 0 ? 1 : 3 })
    let refined = try stripes.refined(
      guidedBy: MadeUpPictures.photo(height: 4, width: 64), method: .none,
      resolution: .size(height: 4, width: 8))
    #expect(refined.values.allSatisfy { abs($0 - 2) < 1e-6 })
    // In single precision, the mean of a million values of 2.7 is 2.728.
    let flat = DepthMap(
      height: 1024, width: 1024, unit: .metres, values: .init(repeating: 2.7, count: 1 << 20))
    let one = try flat.refined(
      guidedBy: MadeUpPictures.photo(height: 16, width: 16), method: .none,
      resolution: .size(height: 1, width: 1))
    #expect(one.values == [2.7])
  }

  @Test("a map with other proportions than the photo is refused")
  func aspectsThatDifferAreNamed() throws {
    func map(_ width: Int, _ height: Int) -> DepthMap {
      DepthMap(
        height: height, width: width, unit: .metres,
        values: .init(repeating: 1, count: width * height))
    }
    let photo = MadeUpPictures.photo(height: 48, width: 64)
    try map(64, 48).checkAspect(of: photo)
    try map(32, 24).checkAspect(of: photo)
    // 64 × 48 halved twice and rounded may be one pixel off, as in 11 × 8.
    try map(11, 8).checkAspect(of: photo)
    let error = try #require(throws: DepthError.self) {
      try map(60, 48).checkAspect(of: photo)
    }
    #expect(
      error.description
        == "the depth map is 60×48 pixels and the photo 64×48, expected the same proportions")
    // A map of any size with exchanged sides is called rotated.
    for (width, height) in [(48, 64), (96, 128), (24, 32), (8, 11)] {
      for check in [
        { try map(width, height).checkAspect(of: photo) },
        { try map(width, height).checkAspect(of: photo, within: 1.5) },
      ] {
        let error = try #require(throws: DepthError.self) { try check() }
        #expect(
          error.description
            == "the depth map is \(width)×\(height) pixels and the photo 64×48, expected the same "
            + "proportions; the map is rotated by 90°, rotate it first")
      }
    }
  }

  @Test(
    "maps of FCRN's own sizes fit photos of any proportions, and photos of the other orientation do not",
    arguments: [(160, 128), (240, 192)])
  func ownSizesFitEveryPhoto(long: Int, short: Int) throws {
    func map(_ width: Int, _ height: Int) -> DepthMap {
      DepthMap(
        height: height, width: width, unit: .metres,
        values: .init(repeating: 1, count: width * height))
    }
    let wide = MadeUpPictures.photo(height: 18, width: 64)
    let tall = MadeUpPictures.photo(height: 64, width: 18)
    try map(long, short).checkAspect(of: wide)
    try map(short, long).checkAspect(of: tall)
    try map(long, short).checkAspect(of: wide, within: 1.5)
    for (width, height) in [(short, long), (long, short - 1), (long + 80, short)] {
      #expect(throws: DepthError.self) { try map(width, height).checkAspect(of: wide) }
    }
    for (turned, photo) in [(map(long, short), tall), (map(short, long), wide)] {
      let error = try #require(throws: DepthError.self) { try turned.checkAspect(of: photo) }
      #expect(error.message.hasSuffix("; the map is rotated by 90°, rotate it first"))
    }
    let square = MadeUpPictures.photo(height: 64, width: 64)
    #expect(!map(short, long).liesOnItsSide(ofHeight: square.height, width: square.width))
  }
}
