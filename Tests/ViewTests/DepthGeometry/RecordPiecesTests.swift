import DepthBase
import DepthImages
import PictureFiles
import Testing

@testable import DepthGeometry

/// Files larger than a piece are written completely, in pieces of bounded size.
@Suite struct RecordPiecesTests {
  /// All bytes of a file, and the size of the largest piece.
  private func joined(_ content: FileContent) throws -> (bytes: [UInt8], largest: Int) {
    var (bytes, largest) = ([UInt8](), 0)
    try content.forEachPiece { piece in
      piece.withUnsafeBufferPointer { bytes += $0 }
      largest = max(largest, piece.count)
    }
    return (bytes, largest)
  }

  /// A piece has 2139 records of 49 bytes.
  @Test(
    "records are written in order in pieces of bounded size",
    arguments: [0, 1, 2138, 2139, 2140, 6421], 1...3)
  func recordsAreWrittenInOrder(count: Int, threads: Int) throws {
    let (bytes, largest) = try joined(
      .pieces { write in
        try RecordPieces.write(
          count, recordBytes: 49, pieceBytes: 104_857, threads: threads, to: write
        ) { rows, out in
          for row in rows {
            for k in 0..<49 {
              out[(row - rows.lowerBound) * 49 + k] = UInt8(truncatingIfNeeded: row &* 31 &+ k)
            }
          }
        }
      })
    #expect(bytes.count == 49 * count && largest <= 104_857)
    #expect(
      bytes.indices.allSatisfy {
        bytes[$0] == UInt8(truncatingIfNeeded: $0 / 49 &* 31 &+ $0 % 49)
      })
  }

  /// Files of a mesh and a cloud of 52 800 vertices have bounded pieces and equal bytes on any
  /// number of threads. Vertices beyond the first piece are in place.
  @Test(
    "a large geometry file is written in bounded pieces",
    arguments: [GeometryFormat.ply, .glb, .obj], [true, false])
  func largeFilesAreBounded(format: GeometryFormat, isCloud: Bool) throws {
    guard !isCloud || format.holdsClouds else { return }
    let map = GeometryScenes.plane(height: 240, width: 220)
    let (photo, camera) = (GeometryScenes.photo(map), GeometryScenes.camera(map))
    let options = GeometryOptions(simplification: 0)
    let cloud = try map.pointCloud(of: photo, camera: camera, options: options)
    let mesh = try map.mesh(of: photo, camera: camera, options: options)
    let geometry: Geometry = isCloud ? .cloud(cloud) : .mesh(mesh)
    func file(threads: Int) throws -> (bytes: [UInt8], largest: Int) {
      try joined(
        format.files(of: geometry, name: "room", texture: .png, threads: threads)[0])
    }
    let (bytes, largest) = try file(threads: 1)
    #expect(largest <= RecordPieces.pieceBytes)
    #expect(try file(threads: 3).bytes == bytes)
    // The last vertex in the file's layout.
    let last = 3 * (cloud.count - 1)
    let floats = (0..<3).map { cloud.positions[last + $0] }
    let words = floats.flatMap { value in (0..<4).map { UInt8(value.bitPattern >> (8 * $0) & 255) }
    }
    switch format {
    case .ply:
      let faces = isCloud ? 0 : 13 * mesh.triangleCount
      #expect(bytes.dropLast(faces).suffix(27).prefix(12).elementsEqual(words))
    case .glb where isCloud:
      // 24 bytes per point need no padding.
      #expect(bytes.suffix(24).prefix(12).elementsEqual(words))
    case .glb:
      func word(_ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
      }
      // The header precedes positions, normals, texture coordinates and triangles.
      let start = 28 + Int(word(12))
      #expect(bytes[(start + 4 * last)...].prefix(12).elementsEqual(words))
      let triangles = start + 32 * mesh.vertexCount
      let indices = mesh.triangles.indices
      #expect(indices.allSatisfy { word(triangles + 4 * $0) == mesh.triangles[$0] })
    case .obj:
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      #expect(lines.count == 3 + 3 * mesh.vertexCount + mesh.triangleCount)
      #expect(lines[2 + mesh.vertexCount] == "v \(floats[0]) \(floats[1]) \(floats[2])")
      let corners = mesh.triangles.suffix(3).map { "\($0 + 1)/\($0 + 1)/\($0 + 1)" }
      #expect(lines.last == "f " + corners.joined(separator: " "))
    }
  }
}
