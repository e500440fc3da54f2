import DepthErrors
import DepthGeometry
import DepthImages
import Testing
import _TestSupport

/// Points follow the pinhole model in 64-bit floats.
@Suite struct PointCloudTests {
  @Test(
    "each pixel with depth is a colored point on a ray",
    arguments: [(1, 1), (1, 7), (9, 1), (24, 33), (48, 64)])
  func everyPixelWithAValueIsAPointOnItsRay(height: Int, width: Int) throws {
    var values = MadeUpPictures.values(height * width).map { 1 + $0 / 50 }
    if values.count > 10 { (values[3], values[7]) = (0, .nan) }
    let map = DepthMap(height: height, width: width, unit: .metres, values: values)
    let photo = GeometryScenes.photo(map)
    let camera = GeometryScenes.camera(map)
    let cloud = try map.pointCloud(of: photo, camera: camera)
    let pixels = values.indices.filter { values[$0] > 0 }
    #expect(cloud.count == pixels.count)
    for (i, pixel) in pixels.enumerated() {
      let (y, x) = pixel.quotientAndRemainder(dividingBy: width)
      let z = Double(values[pixel])
      let expected = SIMD3(
        (Double(x) + 0.5 - Double(width) / 2) / camera.focalLength * z,
        -(Double(y) + 0.5 - Double(height) / 2) / camera.focalLength * z, -z)
      let difference = point(cloud.positions, i) - expected
      #expect((difference * difference).sum().squareRoot() < 1e-5)
      #expect(cloud.colors[3 * i..<3 * i + 3] == photo.pixels[3 * pixel..<3 * pixel + 3])
    }
  }

  @Test("a cloud's normals are perpendicular to a plane")
  func normalsArePerpendicularToPlanesAndFaceTheCamera() throws {
    let map = GeometryScenes.plane(height: 24, width: 40)
    let cloud = try map.pointCloud(
      of: GeometryScenes.photo(map), camera: GeometryScenes.camera(map))
    let (a, b, c) = (
      point(cloud.positions, 0), point(cloud.positions, 39), point(cloud.positions, 930)
    )
    for i in 0..<cloud.count {
      let normal = point(cloud.normals, i)
      #expect(abs((normal * normal).sum() - 1) < 1e-5)
      #expect(abs((normal * (b - a)).sum()) < 1e-3 && abs((normal * (c - a)).sum()) < 1e-3)
      #expect((normal * point(cloud.positions, i)).sum() < 0)
    }
  }

  @Test("a cloud's normals do not extend across edges") func normalsDoNotReachAcrossEdges() throws {
    let map = GeometryScenes.box(height: 40, width: 60)
    let cloud = try map.pointCloud(
      of: GeometryScenes.photo(map), camera: GeometryScenes.camera(map))
    for i in 0..<cloud.count { #expect(cloud.normals[3 * i + 2] > 0.999) }
  }

  @Test("a map of any size covers the view of the photo")
  func aSmallMapHasTheSameExtent() throws {
    let (large, small) = (
      GeometryScenes.plane(height: 120, width: 160), GeometryScenes.plane(height: 12, width: 20)
    )
    let (photo, camera) = (GeometryScenes.photo(large), GeometryScenes.camera(large))
    func across(_ map: DepthMap) throws -> Double {
      let cloud = try map.pointCloud(of: photo, camera: camera)
      let row = (map.height / 2) * map.width
      let (left, right) = (point(cloud.positions, row), point(cloud.positions, row + map.width - 1))
      return (right.x / right.z - left.x / left.z) * Double(map.width) / Double(map.width - 1)
    }
    #expect(abs(try across(small) / across(large) - 1) < 1e-4)
  }

  @Test("clouds and meshes are equal on any number of threads")
  func theBitsDoNotDependOnThreads() throws {
    let map = GeometryScenes.box(height: 50, width: 70, hasHole: true)
    let (photo, camera) = (GeometryScenes.photo(map), GeometryScenes.camera(map))
    let one = try map.pointCloud(of: photo, camera: camera, threads: 1)
    #expect(try map.pointCloud(of: photo, camera: camera, threads: 3) == one)
    let mesh = try map.mesh(of: photo, camera: camera, threads: 1)
    #expect(try map.mesh(of: photo, camera: camera, threads: 3) == mesh)
  }

  @Test("geometry refuses normalized, empty and misshapen maps")
  func mapsWithoutDistancesAreRefused() throws {
    let map = GeometryScenes.plane(height: 12, width: 16)
    let (photo, camera) = (GeometryScenes.photo(map), GeometryScenes.camera(map))
    let error = #expect(throws: DepthError.self) {
      try map.normalized().mesh(of: photo, camera: camera)
    }
    #expect(error?.code == .unknownUnit)
    let empty = DepthMap(
      height: 12, width: 16, unit: .metres, values: .init(repeating: 0, count: 192))
    #expect(throws: DepthError.noDepthInSpace) {
      try empty.pointCloud(of: photo, camera: camera)
    }
    let upright = DepthMap(
      height: 16, width: 9, unit: .metres, values: .init(repeating: 1, count: 144))
    #expect(throws: DepthError.self) { try upright.mesh(of: photo, camera: camera) }
  }
}
