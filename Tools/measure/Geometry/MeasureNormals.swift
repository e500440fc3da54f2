import ArgumentParser
import DepthGeometry
import DepthImages
import DepthRefinement
import Foundation
import MonocularDepth
import SceneRendering

/// Compares normals of depth maps with the exact normals of rendered rooms.
struct MeasureNormals: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "normals",
    abstract: "Angles between normals of depth maps and those of rendered rooms.",
    discussion: """
      Pixels further than 3 from an edge of depth count. Exact: the rendered depth. Reduced: averaged to 160×128 and refined. \
      Network: estimated with the room's focal length, refined as by 'depth predict'.
      """)

  @Option(help: "Seed of the first room.") var seed: UInt64 = 401
  @Option(help: "Rooms.") var rooms = 12
  @Option(help: "Weights of the network.") var weights = "default"
  @Option var threads = 2

  func run() throws {
    let estimator = try DepthEstimator(try WeightsSelection(named: [weights]), threads: threads)
    var angles: [String: [Float]] = [:]
    for seed in seed..<seed + UInt64(rooms) {
      let scene = Scene.randomRoom(seed: seed)
      let view = scene.camera(width: 640, height: 480)
      let (rendering, truth) = (
        Rendering(of: scene, from: view, threads: threads),
        scene.normals(from: view, threads: threads)
      )
      let (photo, exact, camera) = (rendering.image, rendering.depth, view.intrinsics)
      let isNearEdge = RoomTruth.nearEdges(exact, radius: 3)
      let reduced = try exact.averaged(height: 128, width: 160)
        .refined(guidedBy: photo, threads: threads)
      let network = try estimator.depth(of: photo, options: DepthOptions(camera: .given(camera)))
      for (name, map) in [("exact", exact), ("reduced", reduced), ("network", network)] {
        let normals = try map.normals(camera: camera, threads: threads).values
        for pixel in truth.indices where !isNearEdge[pixel] {
          let normal = SIMD3(normals[3 * pixel], normals[3 * pixel + 1], normals[3 * pixel + 2])
          let cosine = (normal * truth[pixel]).sum()
          angles[name, default: []].append(acos(min(max(cosine, -1), 1)) * 180 / .pi)
        }
      }
    }
    print("\(rooms) rooms, 640×480     median °     mean °    95 % °    within 11.25°, %")
    for name in ["exact", "reduced", "network"] {
      let sorted = (angles[name] ?? []).sorted()
      func share(_ share: Double) -> Float { sorted[Int(share * Double(sorted.count - 1))] }
      let near = 100 * Double(sorted.count { $0 <= 11.25 }) / Double(sorted.count)
      let mean = sorted.reduce(0) { $0 + Double($1) } / Double(sorted.count)
      print(
        name.padding(toLength: 20, withPad: " ", startingAt: 0)
          + String(format: "%12.2f %10.2f %9.2f %12.1f", share(0.5), mean, share(0.95), near))
    }
  }
}
