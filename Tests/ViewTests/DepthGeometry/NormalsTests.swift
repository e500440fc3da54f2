import DepthErrors
import DepthGeometry
import DepthImages
import Foundation
import SceneRendering
import Testing

/// `DepthMap.normals(camera:)` with x to the right, y down and z forward.
@Suite struct NormalsTests {
  private static let camera = Camera(width: 80, height: 60, focalLength: 50)

  /// The depth of a plane `n · P = c` by the pinhole model in 64 bits. It is 0 behind the camera,
  /// and where neighbors differ by more than 4 %.
  private static func plane(
    _ n: SIMD3<Double>, _ c: Double, height: Int = 60, width: Int = 80
  ) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { pixel in
        let (y, x) = pixel.quotientAndRemainder(dividingBy: width)
        let u = ((Double(x) + 0.5) / Double(width) - 0.5) * 80 / 50
        let v = ((Double(y) + 0.5) / Double(height) - 0.5) * 60 / 50
        let z = c / (n.x * u + n.y * v + n.z)
        return z > 0 && z < 3.01 ? Float(z) : 0
      })
  }

  /// Floor, ceiling, walls and a slanted plane. The last two maps differ in size from the camera.
  @Test(
    "the pixels of a plane have the plane's normal",
    arguments: [
      ((0, 1, 0), 1.6, (0, -1, 0), 60, 80), ((0, -1, 0), 1.6, (0, 1, 0), 60, 80),
      ((1, 0, 0), 2, (-1, 0, 0), 60, 80), ((-1, 0, 0), 2, (1, 0, 0), 60, 80),
      ((0, 0, 1), 3, (0, 0, -1), 60, 80), ((0.6, 0, 0.8), 2, (-0.6, 0, -0.8), 60, 80),
      ((0, 0.6, 0.8), 2, (0, -0.6, -0.8), 30, 40),
      ((0.48, 0.64, 0.6), 2, (-0.48, -0.64, -0.6), 45, 80),
    ] as [((Double, Double, Double), Double, (Float, Float, Float), Int, Int)])
  func planesHaveTheirNormal(
    plane: (Double, Double, Double), distance: Double, expected: (Float, Float, Float),
    height: Int, width: Int
  ) throws {
    let map = Self.plane(
      SIMD3(plane.0, plane.1, plane.2), distance, height: height, width: width)
    let normals = try map.normals(camera: Self.camera)
    #expect((normals.height, normals.width) == (height, width))
    let wanted = SIMD3(expected.0, expected.1, expected.2)
    var count = 0
    for pixel in map.values.indices {
      let found = normals[pixel]
      guard map.values[pixel] > 0 else {
        #expect(found == .zero)
        continue
      }
      let (y, x) = pixel.quotientAndRemainder(dividingBy: width)
      func isKnown(_ y: Int, _ x: Int) -> Bool {
        (0..<height).contains(y) && (0..<width).contains(x) && map.values[y * width + x] > 0
      }
      // A pixel without a neighbor in its row or column does not show the slope in this direction.
      guard isKnown(y, x - 1) || isKnown(y, x + 1), isKnown(y - 1, x) || isKnown(y + 1, x) else {
        continue
      }
      count += 1
      let difference = found - wanted
      #expect((difference * difference).sum() < 1e-5, "\(pixel): \(found)")
    }
    #expect(count > 100)
  }

  @Test("normals do not extend across a depth edge") func noPlaneReachesAcrossABorder() throws {
    let map = GeometryScenes.box(height: 40, width: 60, hasHole: true)
    let normals = try map.normals(camera: GeometryScenes.camera(map))
    for pixel in map.values.indices {
      #expect(normals[pixel].z == (map.values[pixel] > 0 ? -1 : 0), "\(pixel)")
    }
  }

  /// Rendered rooms are compared away from the borders of things.
  @Test("normals of rendered rooms have a median error of at most 1.5°")
  func roomsHaveTheirNormals() throws {
    var angles: [Float] = []
    for seed in [401, 7, 23] as [UInt64] {
      let scene = Scene.randomRoom(seed: seed)
      let view = scene.camera(width: 320, height: 240)
      let rendering = Rendering(of: scene, from: view, samples: 1, threads: 1)
      let truth = scene.normals(from: view, threads: 1)
      let normals = try rendering.depth.normals(camera: view.intrinsics, threads: 1)
      for y in 3..<237 {
        for x in 3..<317 {
          let own = rendering.surfaces[y * 320 + x]
          let isInside = (-3...3).allSatisfy { j in
            (-3...3).allSatisfy { rendering.surfaces[(y + j) * 320 + x + $0] == own }
          }
          guard isInside else { continue }
          let cosine = (normals[y * 320 + x] * truth[y * 320 + x]).sum()
          angles.append(acos(min(max(cosine, -1), 1)) * 180 / .pi)
        }
      }
    }
    angles.sort()
    try #require(angles.count > 100_000)
    #expect(angles[angles.count / 2] <= 1.5 && angles[angles.count * 95 / 100] <= 12)
  }

  /// A pixel between surfaces has the normal of an adjacent surface.
  @Test("each pixel on a ramp between surfaces has a normal")
  func everyPixelWithADepthHasANormal() throws {
    let truth = GeometryScenes.board(height: 96, width: 256)
    // A ramp of four pixels replaces each jump.
    let values = truth.values.indices.map { i -> Float in
      let row = i / 256 * 256
      let places = (-2...2).map { truth.values[row + min(max(i - row + $0, 0), 255)] }
      return places.reduce(0, +) / 5
    }
    let map = DepthMap(height: 96, width: 256, unit: .disparity, values: values)
    let normals = try map.normals(camera: GeometryScenes.camera(map))
    let facing = map.values.indices.count { normals[$0].z < -0.99 }
    #expect(map.values.indices.allSatisfy { (normals[$0] * normals[$0]).sum() > 0.999 })
    #expect(facing > map.values.count * 97 / 100)
  }

  @Test("normals are equal on any number of threads") func theBitsDoNotDependOnThreads() throws {
    let map = GeometryScenes.box(height: 50, width: 70, hasHole: true)
    let camera = GeometryScenes.camera(map)
    #expect(try map.normals(camera: camera, threads: 1) == map.normals(camera: camera, threads: 3))
  }

  @Test("normals refuse relative and empty maps")
  func mapsWithoutDistancesAndOtherCamerasAreRefused() throws {
    let map = Self.plane(SIMD3(0, 0, 1), 2)
    let relative = DepthMap(height: 60, width: 80, unit: .relativeDisparity, values: map.values)
    let error = #expect(throws: DepthError.self) { try relative.normals(camera: Self.camera) }
    #expect(error?.code == .unknownUnit && error?.message.hasPrefix("a normal map needs") == true)
    #expect(throws: DepthError.noDepthInSpace) {
      try DepthMap.empty(height: 60, width: 80).normals(camera: Self.camera)
    }
    #expect(throws: DepthError.self) {
      try map.normals(camera: Camera(width: 60, height: 80, focalLength: 50))
    }
  }
}

extension NormalMap {
  fileprivate subscript(pixel: Int) -> SIMD3<Float> {
    SIMD3(values[3 * pixel], values[3 * pixel + 1], values[3 * pixel + 2])
  }
}
