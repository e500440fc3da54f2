import DepthImages
import DepthRefinement
import Testing
import _TestSupport

/// A dark panel at one metre before a light wall at three metres, and the photo.
private func panel(height: Int, width: Int) -> (depth: DepthMap, photo: Image) {
  func isPanel(_ i: Int) -> Bool { i % width >= width / 2 }
  let depth = DepthMap(
    height: height, width: width, unit: .metres,
    values: (0..<height * width).map { isPanel($0) ? 1 : 3 })
  let photo = Image(
    height: height, width: width,
    pixels: (0..<height * width * 3).map { isPanel($0 / 3) ? 40 : 200 })
  return (depth, photo)
}

/// The panel's map like a network's map: small, with a ramp instead of an edge.
private func softPanel(height: Int, width: Int) -> DepthMap {
  let ramp: [Float] = [3, 2.7, 2, 1.3, 1]
  return DepthMap(
    height: height, width: width, unit: .metres,
    values: (0..<height * width).map { i in
      ramp[min(max(i % width - width / 2 + 3, 0), 4)]
    })
}

private let methods = RefinementMethod.Name.allCases

@Suite struct RefinedTests {
  @Test("joint filter moves a soft edge to the photo's edge")
  func jointPutsTheEdgeWhereThePhotoHasIt() throws {
    let (truth, photo) = panel(height: 96, width: 128)
    let soft = softPanel(height: 24, width: 32)
    let joint = try soft.refined(guidedBy: photo)
    let plain = try soft.refined(guidedBy: photo, method: .none)
    let bilateral = try soft.refined(guidedBy: photo, method: .init(.bilateral))
    func bad(_ map: DepthMap) -> Int {
      zip(map.values, truth.values).filter { abs($0 - $1) > 0.25 }.count
    }
    #expect(bad(plain) > 96 * 4)
    #expect(bad(joint) == 0)
    #expect(bad(joint) < bad(bilateral))
  }

  @Test("the joint filter keeps an edge at 16× size") func jointKeepsTheEdgeAtALargeScale() throws {
    let (truth, photo) = panel(height: 200, width: 320)
    let joint = try softPanel(height: 16, width: 20).refined(guidedBy: photo)
    let error = zip(joint.values, truth.values).map { abs($0 - $1) }.max() ?? 1
    #expect(error < 0.1)
  }

  @Test("a constant map stays constant with any photo", arguments: methods)
  func aConstantMapStaysConstantWhateverThePhoto(name: RefinementMethod.Name) throws {
    let photo = MadeUpPictures.photo(height: 61, width: 83)
    for unit in [DepthMap.Unit.metres, .disparity, .normalized(near: .white)] {
      let map = DepthMap(height: 5, width: 7, unit: unit, values: .init(repeating: 0.7, count: 35))
      let refined = try map.refined(guidedBy: photo, method: .init(name))
      #expect(refined.unit == unit)
      #expect((refined.height, refined.width) == (61, 83))
      #expect(refined.values.allSatisfy { abs($0 - 0.7) < 1e-5 })
    }
  }

  @Test("a constant photo keeps a map in its range", arguments: methods)
  func aConstantPhotoKeepsTheMapWithinItsRange(name: RefinementMethod.Name) throws {
    let photo = Image(height: 40, width: 50, pixels: .init(repeating: 128, count: 6000))
    let map = softPanel(height: 10, width: 12)
    let refined = try map.refined(guidedBy: photo, method: .init(name))
    #expect(refined.values.allSatisfy { $0 > 0.999 && $0 < 3.001 })
    // The left side is still far, and the right side is still near.
    #expect(refined.values[20 * 50] > 2.5 && refined.values[20 * 50 + 49] < 1.5)
  }

  @Test("maps of one pixel and huge windows stay in range", arguments: methods)
  func sidesOfOnePixelAndHugeWindowsWork(name: RefinementMethod.Name) throws {
    for (map, photo) in [((1, 1), (1, 1)), ((1, 1), (5, 9)), ((1, 6), (1, 40)), ((6, 1), (40, 1))] {
      let depth = DepthMap(
        height: map.0, width: map.1, unit: .metres,
        values: MadeUpPictures.values(map.0 * map.1).map { 1 + $0 })
      let refined = try depth.refined(
        guidedBy: MadeUpPictures.photo(height: photo.0, width: photo.1), method: .init(name))
      #expect(refined.values.count == photo.0 * photo.1)
      #expect(refined.values.allSatisfy { $0 >= 0.999 && $0 <= 2.001 })
    }
    let huge = try softPanel(height: 4, width: 5).refined(
      guidedBy: MadeUpPictures.photo(height: 8, width: 9),
      method: .joint(JointFilter { $0.sigmaSpatial = 100 }))
    #expect(huge.values.allSatisfy { $0 > 0.999 && $0 < 3.001 })
  }

  @Test("refinement is equal on any number of threads", arguments: methods)
  func threadsDoNotChangeBits(name: RefinementMethod.Name) throws {
    let photo = MadeUpPictures.photo(height: 157, width: 211)
    let map = softPanel(height: 17, width: 23)
    let first = try map.refined(guidedBy: photo, method: .init(name), threads: 1)
    for threads in [2, 4] {
      #expect(try map.refined(guidedBy: photo, method: .init(name), threads: threads) == first)
    }
  }

  @Test("bilateral filtering commutes with normalization")
  func theBilateralFilterActsOnThePictureOfDepthToo() throws {
    // A mean commutes with stretching to 0…1 and with inversion.
    let map = softPanel(height: 9, width: 11)
    let photo = MadeUpPictures.photo(height: 37, width: 45)
    let metres = try map.refined(guidedBy: photo, method: .init(.bilateral))
    let picture = try map.normalized(near: .white, over: .metres)
      .refined(guidedBy: photo, method: .init(.bilateral))
    #expect(picture.unit == .normalized(near: .white))
    for (far, white) in zip(metres.values, picture.values) {
      #expect(abs((3 - far) / 2 - white) < 1e-5)
    }
  }

  @Test("a Gaussian is the spatially weighted mean") func aGaussianIsTheSpatialMean() throws {
    let map = DepthMap(height: 1, width: 5, unit: .metres, values: [1, 1, 4, 1, 1])
    let photo = MadeUpPictures.photo(height: 1, width: 5)
    let blurred = try map.refined(
      guidedBy: photo, method: .bilateral(.gaussian(radius: 1, sigma: 1)))
    let side = 0.6065306597  // exp(−½)
    #expect(abs(Double(blurred.values[2]) - (4 + 2 * side) / (1 + 2 * side)) < 1e-5)
    #expect(abs(Double(blurred.values[1]) - (1 + side + 4 * side) / (1 + 2 * side)) < 1e-5)
    #expect(abs(blurred.values[0] - 1) < 1e-6)
  }
}
