import DepthBase
import DepthErrors
import DepthImages
import PictureFiles
import SystemEssentials

/// A glTF 2.0 file in binary form: JSON, followed by the data of the JSON's references.
///
/// > Source: Khronos Group. “glTF 2.0 Specification.” ISO/IEC 12113:2022, sections 3 and 4, and the extension
/// > `KHR_materials_unlit`.
enum GLBFile {
  /// Triangles with the photo as their texture.
  static func content(
    of mesh: DepthMesh, texture: ImageFileFormat, threads: Int
  ) throws -> FileContent {
    let image = try mesh.texture.withMetadata(.essential).encoded(
      as: texture, call: CallContext(threads: threads))
    let positions = GLTF.BufferView(
      byteLength: 4 * mesh.positions.count, target: GLTF.vertexData)
    let normals = positions.following(4 * mesh.normals.count, target: GLTF.vertexData)
    let places = normals.following(4 * mesh.textureCoordinates.count, target: GLTF.vertexData)
    let triangles = places.following(4 * mesh.triangles.count, target: GLTF.indexData)
    let picture = triangles.following(image.count)
    let (low, high) = bounds(mesh.positions)
    let count = mesh.vertexCount
    var document = GLTF(
      primitive: .init(
        attributes: ["POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2], indices: 3, mode: .triangles),
      accessors: [
        .init(bufferView: 0, component: .float, count: count, type: "VEC3", min: low, max: high),
        .init(bufferView: 1, component: .float, count: count, type: "VEC3"),
        .init(bufferView: 2, component: .float, count: count, type: "VEC2"),
        .init(bufferView: 3, component: .unsignedInt, count: mesh.triangles.count, type: "SCALAR"),
      ], bufferViews: [positions, normals, places, triangles, picture])
    document.samplers = [.init()]
    document.images = [
      .init(bufferView: 4, mimeType: texture == .png ? "image/png" : "image/jpeg")
    ]
    document.textures = [.init()]
    document.materials[0].pbrMetallicRoughness.baseColorTexture = .init()
    return try content(document) { write in
      for floats in [mesh.positions, mesh.normals, mesh.textureCoordinates] {
        try writeWords(floats.count, threads: threads, to: write) { floats[$0].bitPattern }
      }
      try writeWords(mesh.triangles.count, threads: threads, to: write) { mesh.triangles[$0] }
      try write(image.span)
    }
  }

  /// Points with colors, 24 bytes each: position, then red, green and blue in linear light, as the format
  /// requires. Colors are floats, since eight bits of linear light are too few in the dark.
  static func content(of cloud: PointCloud, threads: Int) throws -> FileContent {
    let (low, high) = bounds(cloud.positions)
    let document = GLTF(
      primitive: .init(attributes: ["POSITION": 0, "COLOR_0": 1], mode: .points),
      accessors: [
        .init(
          bufferView: 0, component: .float, count: cloud.count, type: "VEC3", min: low, max: high),
        .init(
          bufferView: 0, byteOffset: 12, component: .float, count: cloud.count, type: "VEC3"),
      ],
      bufferViews: [
        .init(byteLength: 24 * cloud.count, byteStride: 24, target: GLTF.vertexData)
      ])
    let linear = SRGB.linear
    return try content(document) { write in
      try RecordPieces.write(cloud.count, recordBytes: 24, threads: threads, to: write) {
        rows, out in
        for point in rows {
          let at = (point - rows.lowerBound) * 24
          for k in 0..<3 {
            out.store(littleEndian: cloud.positions[3 * point + k].bitPattern, at: at + 4 * k)
            let light = linear[Int(cloud.colors[3 * point + k])]
            out.store(littleEndian: light.bitPattern, at: at + 12 + 4 * k)
          }
        }
      }
    }
  }

  /// The header, the JSON and the binary part of `writeBinary`.
  private static func content(
    _ document: GLTF,
    _ writeBinary: @escaping @Sendable (_ write: (Span<UInt8>) throws -> Void) throws -> Void
  ) throws -> FileContent {
    var document = document
    let binary = document.bufferViews.map { $0.byteOffset + $0.byteLength }.max() ?? 0
    document.buffers = [.init(byteLength: binary)]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var json = Array(try encoder.encode(document))
    json += [UInt8](repeating: UInt8(ascii: " "), count: json.count.paddingToFour)
    let padding = [UInt8](repeating: 0, count: binary.paddingToFour)
    let total = 12 + 8 + json.count + 8 + binary + padding.count
    guard total <= UInt32.max else {
      throw DepthError(
        .unsupportedFormat,
        "GLB holds at most 4294967295 bytes, found \(total); simplify the geometry or choose PLY")
    }
    var header = Array("glTF".utf8)
    header.append(littleEndian: UInt32(2))
    header.append(littleEndian: UInt32(total))
    header.append(littleEndian: UInt32(json.count))
    header += Array("JSON".utf8) + json
    header.append(littleEndian: UInt32(binary + padding.count))
    header += Array("BIN\0".utf8)
    let start = header
    return .pieces { write in
      try write(start.span)
      try writeBinary(write)
      try write(padding.span)
    }
  }

  /// Writes four-byte numbers, least significant byte first.
  private static func writeWords(
    _ count: Int, threads: Int, to write: (Span<UInt8>) throws -> Void,
    _ word: @Sendable (_ index: Int) -> UInt32
  ) throws {
    try RecordPieces.write(count, recordBytes: 4, threads: threads, to: write) { rows, out in
      for i in rows { out.store(littleEndian: word(i), at: 4 * (i - rows.lowerBound)) }
    }
  }

  /// The smallest and largest coordinate along each axis.
  private static func bounds(_ positions: [Float]) -> ([Double], [Double]) {
    var low = SIMD3<Float>(repeating: .infinity)
    var high = -low
    for i in stride(from: 0, to: positions.count, by: 3) {
      let point = SIMD3(positions[i], positions[i + 1], positions[i + 2])
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    return ((0..<3).map { Double(low[$0]) }, (0..<3).map { Double(high[$0]) })
  }
}

extension Int {
  /// Bytes up to the next multiple of four.
  fileprivate var paddingToFour: Int { (4 - self % 4) % 4 }
}
