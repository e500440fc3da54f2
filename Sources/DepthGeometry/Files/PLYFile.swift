import ThreadTeams

/// Binary PLY, little-endian: positions, normals and colors as MeshLab, CloudCompare, Open3D, trimesh and Blender
/// read them.
///
/// > Source: G. Turk. “The PLY Polygon File Format.” Stanford, 1994.
enum PLYFile {
  /// Six floats and three bytes.
  private static let vertexBytes = 27
  /// The number of corners, in a byte, and three vertices.
  private static let faceBytes = 13

  static func bytes(of cloud: PointCloud, threads: Int) -> [UInt8] {
    vertices(
      cloud.positions, cloud.normals, cloud.colors, header: header(vertices: cloud.count),
      threads: threads)
  }

  static func bytes(of mesh: Mesh, threads: Int) -> [UInt8] {
    let vertices = vertices(
      mesh.positions, mesh.normals, mesh.colors,
      header: header(vertices: mesh.vertexCount, faces: mesh.triangleCount), threads: threads)
    return filledRows(
      after: vertices, height: mesh.triangleCount, width: faceBytes, grain: 1 << 13,
      threads: threads
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

  private static func vertices(
    _ positions: [Float], _ normals: [Float], _ colors: [UInt8], header: String, threads: Int
  ) -> [UInt8] {
    filledRows(
      after: Array(header.utf8), height: positions.count / 3, width: vertexBytes, grain: 1 << 13,
      threads: threads
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

  private static func header(vertices: Int, faces: Int? = nil) -> String {
    let properties =
      ["x", "y", "z", "nx", "ny", "nz"].map { "property float \($0)\n" }
      + ["red", "green", "blue"].map { "property uchar \($0)\n" }
    return "ply\nformat binary_little_endian 1.0\n"
      + "comment metres; x right, y up, the camera at the origin looks along -z\n"
      + "element vertex \(vertices)\n" + properties.joined()
      + (faces.map { "element face \($0)\nproperty list uchar uint vertex_indices\n" } ?? "")
      + "end_header\n"
  }
}
