import DepthBase
import PictureFiles

/// Wavefront OBJ with its material and texture.
///
/// > Source: Wavefront Technologies. “Object Files (.obj)” and “MTL material format”, Advanced Visualizer manual,
/// > appendix B.
enum OBJFile {
  /// Lines per piece of text. A thread formats one piece.
  private static let grain = 1 << 11
  /// Pieces of text that are formatted before they are written.
  private static let batch = 8

  /// The files of ``GeometryFormat/names(_:texture:)``.
  static func files(
    of mesh: DepthMesh, name: String, texture: ImageFileFormat, threads: Int
  ) throws -> [FileContent] {
    // Some readers treat '#' as the beginning of a comment, and '-' as the beginning of an option.
    let names = GeometryFormat.obj.names(name, texture: texture).map {
      $0.hasPrefix("#") || $0.hasPrefix("-") ? "./" + $0 : $0
    }
    let header = """
      # metres; x right, y up, the camera at the origin looks along -z
      mtllib \(names[1])
      usemtl photo

      """
    let material = """
      newmtl photo
      Ka 1 1 1
      Kd 1 1 1
      Ks 0 0 0
      illum 0
      map_Kd \(names[2])

      """
    let picture = try mesh.texture.withMetadata(.essential).encoded(
      as: texture, call: CallContext(threads: threads))
    let text = FileContent.pieces { write in
      try write(Array(header.utf8).span)
      try writeLines(mesh.vertexCount, threads: threads, to: write) { vertex, text in
        append("v", mesh.positions, vertex, to: &text)
      }
      try writeLines(mesh.vertexCount, threads: threads, to: write) { vertex, text in
        // The origin of OBJ's texture coordinates is the lower left corner.
        let (u, v) = (mesh.textureCoordinates[2 * vertex], mesh.textureCoordinates[2 * vertex + 1])
        text.append(contentsOf: "vt \(u) \(1 - v)\n".utf8)
      }
      try writeLines(mesh.vertexCount, threads: threads, to: write) { vertex, text in
        append("vn", mesh.normals, vertex, to: &text)
      }
      try writeLines(mesh.triangleCount, threads: threads, to: write) { triangle, text in
        text.append(contentsOf: "f".utf8)
        for corner in 0..<3 {
          let vertex = mesh.triangles[3 * triangle + corner] + 1
          text.append(contentsOf: " \(vertex)/\(vertex)/\(vertex)".utf8)
        }
        text.append(UInt8(ascii: "\n"))
      }
    }
    return [text, .bytes(Array(material.utf8)), .bytes(picture)]
  }

  private static func append(
    _ word: String, _ numbers: [Float], _ vertex: Int, to text: inout [UInt8]
  ) {
    text.append(
      contentsOf:
        "\(word) \(numbers[3 * vertex]) \(numbers[3 * vertex + 1]) \(numbers[3 * vertex + 2])\n"
        .utf8)
  }

  /// Writes `count` lines, formatted in parallel batches.
  private static func writeLines(
    _ count: Int, threads: Int, to write: (Span<UInt8>) throws -> Void,
    _ append: @Sendable (_ index: Int, _ text: inout [UInt8]) -> Void
  ) throws {
    for first in stride(from: 0, to: count, by: batch * grain) {
      let lines = first..<min(count, first + batch * grain)
      let parts = parallelMap((lines.count + grain - 1) / grain, threads: threads) { part in
        var text: [UInt8] = []
        text.reserveCapacity(grain * 40)
        let start = lines.lowerBound + part * grain
        for index in start..<min(lines.upperBound, start + grain) { append(index, &text) }
        return text
      }
      for part in parts { try write(part.span) }
    }
  }
}
