import DepthBase

/// Binary PLY, little-endian, with the properties for positions, normals and colors that MeshLab, CloudCompare,
/// Open3D, trimesh and Blender read.
///
/// > Source: G. Turk. “The PLY Polygon File Format.” Stanford, 1994.
enum PLYFile {
  /// Six floats and three bytes.
  private static let vertexBytes = 27
  /// The number of corners, one byte, and three vertices.
  private static let faceBytes = 13

  static func content(of cloud: PointCloud, threads: Int) -> FileContent {
    .pieces { write in
      try write(header(vertices: cloud.count).span)
      try writeVertices(
        cloud.positions, cloud.normals, cloud.colors, threads: threads, to: write)
    }
  }

  static func content(of mesh: DepthMesh, threads: Int) -> FileContent {
    .pieces { write in
      try write(header(vertices: mesh.vertexCount, faces: mesh.triangleCount).span)
      try writeVertices(mesh.positions, mesh.normals, mesh.colors, threads: threads, to: write)
      try RecordPieces.write(
        mesh.triangleCount, recordBytes: faceBytes, threads: threads, to: write
      ) { rows, out in
        for face in rows {
          let at = (face - rows.lowerBound) * faceBytes
          out[at] = 3
          for corner in 0..<3 {
            out.store(littleEndian: mesh.triangles[3 * face + corner], at: at + 1 + 4 * corner)
          }
        }
      }
    }
  }

  private static func writeVertices(
    _ positions: [Float], _ normals: [Float], _ colors: [UInt8], threads: Int,
    to write: (Span<UInt8>) throws -> Void
  ) throws {
    try RecordPieces.write(
      positions.count / 3, recordBytes: vertexBytes, threads: threads, to: write
    ) { rows, out in
      let (positions, normals, colors) = (positions.span, normals.span, colors.span)
      for vertex in rows {
        let at = (vertex - rows.lowerBound) * vertexBytes
        for axis in 0..<3 {
          let number = 3 * vertex + axis
          out.store(littleEndian: positions[number].bitPattern, at: at + 4 * axis)
          out.store(littleEndian: normals[number].bitPattern, at: at + 12 + 4 * axis)
          out[at + 24 + axis] = colors[number]
        }
      }
    }
  }

  private static func header(vertices: Int, faces: Int? = nil) -> [UInt8] {
    let properties =
      ["x", "y", "z", "nx", "ny", "nz"].map { "property float \($0)\n" }
      + ["red", "green", "blue"].map { "property uchar \($0)\n" }
    let faces = faces.map { "element face \($0)\nproperty list uchar uint vertex_indices\n" }
    let text =
      "ply\nformat binary_little_endian 1.0\n"
      + "comment metres; x right, y up, the camera at the origin looks along -z\n"
      + "element vertex \(vertices)\n" + properties.joined() + (faces ?? "") + "end_header\n"
    return Array(text.utf8)
  }
}
