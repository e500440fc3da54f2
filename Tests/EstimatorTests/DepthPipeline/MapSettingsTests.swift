import DepthBase
import DepthErrors
import DepthImages
import DepthRefinement
import Testing

@testable import DepthPipeline

/// The rules that every way to a map shares.
@Suite struct MapSettingsTests {
  private static let photo = Image(
    height: 12, width: 16, pixels: (0..<576).map { UInt8($0 * 37 % 251) })
  private static let map = DepthMap(
    height: 6, width: 8, unit: .metres, values: (0..<48).map { 1 + Float($0 % 8) / 8 })

  private func refined(_ settings: MapSettings, _ map: DepthMap = Self.map) throws -> DepthMap {
    try settings.refined(
      map, guidedBy: Self.photo, limits: ImageLimits(), call: CallContext(threads: 1))
  }

  @Test func aMapThatIsNotRefinedKeepsItsSize() throws {
    #expect(MapSettings().outputResolution == .photo)
    #expect(MapSettings.unrefined.outputResolution == .network)
    #expect(try refined(.unrefined) == Self.map)
    #expect(try refined(MapSettings()).values.count == 12 * 16)
  }

  @Test func sizesAreKnownBeforehand() throws {
    var settings = MapSettings()
    for resolution in [nil, .network, .photo, .size(height: 5, width: 9)] as [OutputResolution?] {
      for method in RefinementMethod.Name.allCases {
        (settings.method, settings.resolution) = (method, resolution)
        let size = try settings.size(
          photo: (12, 16), map: (6, 8), limits: ImageLimits(), named: "the map")
        let map = try refined(settings)
        #expect(size == (map.height, map.width), "\(method) \(String(describing: resolution))")
      }
    }
    settings.resolution = .size(height: 3000, width: 4000)
    let error = #expect(throws: DepthError.self) {
      try settings.size(
        photo: (12, 16), map: (6, 8), limits: ImageLimits(maximumPixels: 100), named: "--resolution"
      )
    }
    #expect(error?.file == "--resolution")
  }

  @Test func aSideThatNoMapHasIsRefusedBeforeAnythingIsComputed() throws {
    var settings = MapSettings()
    settings.resolution = .size(height: 1, width: 65_536)
    #expect(throws: DepthError.self) {
      try settings.size(
        photo: (12, 16), map: (6, 8), limits: ImageLimits(), named: "the map")
    }
  }

  @Test func missingPixelsAreFilledOnlyOnRequest() throws {
    var values = Self.map.values
    values[20] = 0
    let map = DepthMap(height: 6, width: 8, unit: .metres, values: values)
    var settings = MapSettings.unrefined
    #expect(try refined(settings, map).values[20] == 0)
    settings.fillsMissing = true
    #expect(try refined(settings, map).values[20] > 0)
  }

  /// What somebody measured is not filtered where it needs no stretching.
  @Test func mapsOfThePhotosSizeStayAsTheyAre() throws {
    let large = DepthMap(
      height: 12, width: 16, unit: .metres, values: (0..<192).map { $0 == 7 ? 0 : Float($0) })
    func sized(_ settings: MapSettings) throws -> DepthMap {
      try settings.sized(
        large, for: Self.photo, limits: ImageLimits(), call: CallContext(threads: 1))
    }
    #expect(try sized(MapSettings()) == large)
    var filling = MapSettings()
    filling.fillsMissing = true
    #expect(try sized(filling).values[7] > 0)
    #expect(
      try large.stretched(
        over: Self.photo, limits: ImageLimits(), call: CallContext(threads: 1)) == large)
  }

  /// Views are made of maps of at most 1024 pixels a side, in the photo's shape.
  @Test(arguments: [(3000, 4000, 768, 1024), (640, 480, 640, 480), (1, 5000, 1, 1024)])
  func viewsNeedNoLargerMaps(_ height: Int, _ width: Int, _ rows: Int, _ columns: Int) {
    var settings = MapSettings()
    settings.fitForViews(
      of: Image(
        height: height, width: width, pixels: [UInt8](repeating: 0, count: height * width * 3)))
    #expect(settings.resolution == .size(height: rows, width: columns))
  }
}
