import ArgumentParser
import DepthGeometry
import DepthImages
import DepthRefinement
import Foundation

/// Compares exports with the exact geometry of rendered rooms.
struct MeasureGeometry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "geometry",
    abstract: "Flying points and covered surface on rendered rooms.",
    discussion: """
      Flying: of the export's points within 3 pixels of an edge of depth, the share further than 5 cm from the true \
      visible surface. Covered: the share of the true visible surface, at every half pixel, within 5 cm of the \
      export. Points of a mesh are where the rays through half pixels meet it. Naive: every pixel a vertex, \
      every four pixels two triangles.
      """)

  @Option(help: "Seed of the first room.") var seed: UInt64 = 401
  @Option(help: "Rooms.") var rooms = 12
  @Option var threads = 2

  func run() throws {
    var rows: [(name: String, score: SurfaceScore)] = []
    for seed in seed..<seed + UInt64(rooms) {
      let room = RoomTruth(seed: seed, width: 640, height: 480, threads: threads)
      let reduced = try room.depth.averaged(height: 128, width: 160)
        .refined(guidedBy: room.photo, threads: threads)
      for (source, map) in [("exact", room.depth), ("reduced", reduced)] {
        for (name, geometry) in try exports(of: map, room) {
          let label = "\(source) \(name)"
          let known = rows.firstIndex { $0.name == label }
          if known == nil { rows.append((label, SurfaceScore())) }
          rows[known ?? rows.count - 1].score.add(geometry, in: room)
        }
      }
    }
    print("\(rooms) rooms, 640×480     flying %  covered %   vertices  triangles")
    for (name, score) in rows {
      let label = name.padding(toLength: 24, withPad: " ", startingAt: 0)
      print(
        label
          + String(
            format: "%9.2f  %9.2f  %9d  %9d", 100 * score.flyingShare, 100 * score.coveredShare,
            score.vertices / rooms, score.triangles / rooms))
    }
  }

  private func exports(of map: DepthMap, _ room: RoomTruth) throws -> [(String, Geometry)] {
    let naive = GeometryOptions(edgeThreshold: nil, simplification: 0)
    func cloud(_ options: GeometryOptions) throws -> Geometry {
      .cloud(
        try map.pointCloud(
          of: room.photo, camera: room.camera, options: options, threads: threads))
    }
    func mesh(_ options: GeometryOptions) throws -> Geometry {
      .mesh(
        try map.mesh(of: room.photo, camera: room.camera, options: options, threads: threads))
    }
    return [
      ("naive cloud", try cloud(naive)), ("cloud", try cloud(GeometryOptions())),
      ("cloud, drop", try cloud(GeometryOptions(dropsFlyingPixels: true))),
      ("naive mesh", try mesh(naive)),
      ("mesh", try mesh(GeometryOptions(simplification: 0))),
      ("mesh, simplified", try mesh(GeometryOptions())),
      ("mesh, filled", try mesh(GeometryOptions(fillsHoles: true))),
    ]
  }
}

extension DepthMap {
  /// Means of the pixels under each pixel of a smaller map.
  func averaged(height rows: Int, width columns: Int) -> DepthMap {
    let down = SampleTable.area(from: height, to: rows)
    let across = SampleTable.area(from: width, to: columns)
    var result: [Float] = []
    for y in 0..<rows {
      for x in 0..<columns {
        var sum: Float = 0
        for j in 0..<down.taps {
          for i in 0..<across.taps {
            sum +=
              down.weights[y * down.taps + j] * across.weights[x * across.taps + i]
              * values[(down.first[y] + j) * width + across.first[x] + i]
          }
        }
        result.append(sum)
      }
    }
    return DepthMap(height: rows, width: columns, unit: .metres, values: result)
  }
}
