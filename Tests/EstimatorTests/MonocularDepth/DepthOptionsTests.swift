import DepthBase
import DepthErrors
import DepthImages
import DepthRefinement
import Testing

@testable import MonocularDepth

/// The rules of every call that makes a map.
@Suite struct DepthOptionsTests {
  private static let photo = Image(
    height: 12, width: 16, pixels: (0..<576).map { UInt8($0 * 37 % 251) })
  private static let map = DepthMap(
    height: 6, width: 8, unit: .metres, values: (0..<48).map { 1 + Float($0 % 8) / 8 })

  private func refined(_ options: DepthOptions, _ map: DepthMap = Self.map) throws -> DepthMap {
    try options.refined(map, guidedBy: Self.photo, call: CallContext(threads: 1))
  }

  @Test("an unrefined map keeps its size") func aMapThatIsNotRefinedKeepsItsSize() throws {
    #expect(DepthOptions().resolution == .automatic)
    #expect(DepthOptions.unrefined.resolution == .automatic)
    #expect(try refined(.unrefined) == Self.map)
    #expect(try refined(DepthOptions()).values.count == 12 * 16)
  }

  @Test("the size of a map is known before computation") func sizesAreKnownBeforehand() throws {
    var options = DepthOptions()
    for resolution in [.automatic, .network, .photo, .size(height: 5, width: 9)]
      as [OutputResolution]
    {
      for method in RefinementMethod.Name.allCases {
        (options.refinement, options.resolution) = (RefinementMethod(method), resolution)
        let size = try options.size(photo: (12, 16), map: (6, 8), named: "the map")
        let map = try refined(options)
        #expect(size == (map.height, map.width), "\(method) \(resolution)")
      }
    }
    options.resolution = .size(height: 3000, width: 4000)
    options.limits = ImageLimits(maximumPixels: 100)
    let error = #expect(throws: DepthError.self) {
      try options.size(photo: (12, 16), map: (6, 8), named: "--resolution")
    }
    #expect(error?.file == "--resolution")
  }

  @Test("an impossible side is refused before computation")
  func impossibleSidesAreRefusedFirst() throws {
    var options = DepthOptions()
    options.resolution = .size(height: 1, width: 65_536)
    #expect(throws: DepthError.self) {
      try options.size(photo: (12, 16), map: (6, 8), named: "the map")
    }
  }

  @Test("missing pixels are filled only on request")
  func missingPixelsAreFilledOnlyOnRequest() throws {
    var values = Self.map.values
    values[20] = 0
    let map = DepthMap(height: 6, width: 8, unit: .metres, values: values)
    var options = DepthOptions.unrefined
    #expect(try refined(options, map).values[20] == 0)
    options.fillsMissing = true
    #expect(try refined(options, map).values[20] > 0)
  }

  @Test("a map of photo size is not filtered") func mapsOfThePhotosSizeStayAsTheyAre() throws {
    let large = DepthMap(
      height: 12, width: 16, unit: .metres, values: (0..<192).map { $0 == 7 ? 0 : Float($0) })
    func sized(_ options: DepthOptions) throws -> DepthMap {
      try options.sized(large, for: Self.photo, call: CallContext(threads: 1))
    }
    #expect(try sized(DepthOptions()) == large)
    var filling = DepthOptions()
    filling.fillsMissing = true
    #expect(try sized(filling).values[7] > 0)
    #expect(
      try large.stretched(
        over: Self.photo, limits: ImageLimits(), call: CallContext(threads: 1)) == large)
  }

  @Test(
    "maps for views have at most 1024 pixels a side",
    arguments: [(3000, 4000, 768, 1024), (640, 480, 640, 480), (1, 5000, 1, 1024)])
  func viewsNeedNoLargerMaps(_ height: Int, _ width: Int, _ rows: Int, _ columns: Int) {
    var options = DepthOptions()
    options.fitForViews(
      of: Image(
        height: height, width: width, pixels: [UInt8](repeating: 0, count: height * width * 3)))
    #expect(options.resolution == .size(height: rows, width: columns))
  }
}
