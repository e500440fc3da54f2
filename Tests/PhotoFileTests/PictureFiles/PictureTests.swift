import Testing

@testable import DepthImages
@testable import PictureFiles

@Suite struct PictureTests {
  /// The first, middle and last colors that the maps' authors publish.
  @Test(
    "color maps have the published first, middle and last colors",
    arguments: [
      (.gray, [0, 0, 0], [128, 128, 128], [255, 255, 255]),
      (.inferno, [0, 0, 4], [188, 55, 84], [252, 255, 164]),
      (.magma, [0, 0, 4], [183, 55, 121], [252, 253, 191]),
      (.viridis, [68, 1, 84], [33, 145, 140], [253, 231, 37]),
      (.turbo, [48, 18, 59], [164, 252, 60], [122, 4, 3]),
      (.spectral, [94, 79, 162], [255, 254, 190], [158, 1, 66]),
    ] as [(ColorMap, [UInt8], [UInt8], [UInt8])])
  func publishedColors(map: ColorMap, first: [UInt8], middle: [UInt8], last: [UInt8]) {
    let colors = map.colors
    #expect(colors.count == 768)
    #expect(Array(colors.prefix(3)) == first)
    #expect(Array(colors[384..<387]) == middle)
    #expect(Array(colors.suffix(3)) == last)
  }

  private let map = DepthMap(
    height: 2, width: 3, unit: .metres, values: [2, 1, 4, 0, .nan, 4.0 / 3])

  @Test("the nearest pixel gets the last color", arguments: ColorMap.allCases)
  func nearestGetsTheLastColor(colorMap: ColorMap) {
    let picture = map.picture(colorMap)
    #expect((picture.height, picture.width) == (2, 3))
    func pixel(_ index: Int) -> [UInt8] { Array(picture.pixels[index * 3..<index * 3 + 3]) }
    #expect(pixel(1) == Array(colorMap.colors.suffix(3)), "1 m is the nearest")
    #expect(pixel(2) == Array(colorMap.colors.prefix(3)), "4 m is the farthest")
    #expect(pixel(3) == [128, 128, 128] && pixel(4) == [128, 128, 128], "no value")
  }

  @Test("a picture of depth follows its scale and polarity") func scaleAndPolarity() {
    func levels(_ picture: Image) -> [UInt8] {
      stride(from: 0, to: picture.pixels.count, by: 3).map { picture.pixels[$0] }
    }
    // The disparities ½, 1, ¼, –, –, ¾ over ¼…1 are ⅓, 1, 0, ⅔.
    #expect(levels(map.picture()) == [85, 255, 0, 128, 128, 170])
    // The metres 2, 1, 4, 4/3 over 1…4 are ⅔, 1, 0, 8/9 after inversion.
    #expect(levels(map.picture(over: .metres)) == [170, 255, 0, 128, 128, 227])
    #expect(levels(map.picture(near: .black)) == [170, 0, 255, 128, 128, 85])
  }

  @Test("a constant map has the middle color", arguments: ColorMap.allCases)
  func constantAndEmptyMaps(colorMap: ColorMap) {
    let constant = DepthMap(height: 1, width: 2, unit: .metres, values: [3, 3]).picture(colorMap)
    let middle = Array(colorMap.colors[384..<387])
    #expect(constant.pixels == middle + middle)
    let empty = DepthMap(height: 1, width: 1, unit: .metres, values: [.nan]).picture(colorMap)
    #expect(empty.pixels == [128, 128, 128])
  }
}
