import DepthErrors
import DepthGeometry
import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// PLY, GLB and OBJ files, read by their specifications.
@Suite struct GeometryFilesTests {
  private let map = GeometryScenes.box(height: 30, width: 41)
  private var photo: Image { GeometryScenes.photo(map) }
  private var camera: Camera { GeometryScenes.camera(map) }

  private func cloud() throws -> PointCloud { try map.pointCloud(of: photo, camera: camera) }
  private func mesh() throws -> DepthMesh { try map.mesh(of: photo, camera: camera) }

  /// A file's bytes, read as little-endian numbers.
  private struct Bytes {
    let bytes: [UInt8]

    func uint32(_ at: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
    }

    func float(_ at: Int) -> Float { Float(bitPattern: uint32(at)) }
  }

  private func written(_ ending: String, _ write: (URL) throws -> Void) throws -> Bytes {
    let folder = try TemporaryFolder()
    let path = folder.path("room\(ending)")
    try write(URL(filePath: path))
    return Bytes(bytes: try TemporaryFolder.bytes(of: path))
  }

  @Test("GLB and PLY in memory equal the files") func bytesInMemoryAreThoseOfTheFile() throws {
    let (mesh, cloud) = (try mesh(), try cloud())
    #expect(try mesh.glb() == written(".glb") { try mesh.write(to: $0) }.bytes)
    #expect(try mesh.ply() == written(".ply") { try mesh.write(to: $0) }.bytes)
    #expect(
      try mesh.glb(texture: .png)
        == written(".glb") { try mesh.write(to: $0, texture: .png) }.bytes)
    #expect(try cloud.glb() == written(".glb") { try cloud.write(to: $0) }.bytes)
    #expect(try cloud.ply() == written(".ply") { try cloud.write(to: $0) }.bytes)
  }

  @Test("PLY has every vertex, normal, color and face") func plyHoldsEveryVertexAndFace() throws {
    let mesh = try mesh()
    let file = try written(".ply") { try mesh.write(to: $0) }
    let end = try #require(Data(file.bytes).range(of: Data("end_header\n".utf8))).upperBound
    let header = String(decoding: file.bytes[..<end], as: UTF8.self).split(separator: "\n")
    #expect(header[..<2] == ["ply", "format binary_little_endian 1.0"])
    #expect(
      header.filter { $0.hasPrefix("element") } == [
        "element vertex \(mesh.vertexCount)", "element face \(mesh.triangleCount)",
      ])
    #expect(
      header.filter { $0.hasPrefix("property") } == [
        "property float x", "property float y", "property float z", "property float nx",
        "property float ny", "property float nz", "property uchar red", "property uchar green",
        "property uchar blue", "property list uchar uint vertex_indices",
      ])
    #expect(file.bytes.count == end + 27 * mesh.vertexCount + 13 * mesh.triangleCount)
    for vertex in 0..<mesh.vertexCount {
      for axis in 0..<3 {
        let at = end + 27 * vertex
        #expect(file.float(at + 4 * axis) == mesh.positions[3 * vertex + axis])
        #expect(file.float(at + 12 + 4 * axis) == mesh.normals[3 * vertex + axis])
        #expect(file.bytes[at + 24 + axis] == mesh.colors[3 * vertex + axis])
      }
    }
    for face in 0..<mesh.triangleCount {
      let at = end + 27 * mesh.vertexCount + 13 * face
      #expect(file.bytes[at] == 3)
      for corner in 0..<3 {
        #expect(file.uint32(at + 1 + 4 * corner) == mesh.triangles[3 * face + corner])
      }
    }
  }

  /// The JSON and the binary part of a GLB.
  private func parts(_ file: Bytes) throws -> (json: [String: Any], binary: Int) {
    #expect(file.bytes.starts(with: Array("glTF".utf8)) && file.uint32(4) == 2)
    #expect(file.uint32(8) == file.bytes.count && file.bytes.count % 4 == 0)
    let length = Int(file.uint32(12))
    #expect(length % 4 == 0 && file.bytes[16..<20].elementsEqual("JSON".utf8))
    #expect(Int(file.uint32(20 + length)) == file.bytes.count - 28 - length)
    #expect(file.bytes[24 + length..<28 + length].elementsEqual("BIN\0".utf8))
    let json = try JSONSerialization.jsonObject(with: Data(file.bytes[20..<20 + length]))
    return (try #require(json as? [String: Any]), 28 + length)
  }

  @Test(
    "GLB has the mesh, its bounds and the photo as texture",
    arguments: [ImageFileFormat.jpeg(quality: 92), .png])
  func glbHoldsTheMeshAndThePhoto(format: ImageFileFormat) throws {
    let mesh = try mesh()
    let file = try written(".glb") { try mesh.write(to: $0, texture: format) }
    let (json, binary) = try parts(file)
    #expect(json["extensionsUsed"] as? [String] == ["KHR_materials_unlit"])
    let accessors = try #require(json["accessors"] as? [[String: Any]])
    let views = try #require(json["bufferViews"] as? [[String: Any]])
    func start(_ accessor: Int) -> Int {
      let view = views[accessors[accessor]["bufferView"] as? Int ?? -1]
      return binary + (view["byteOffset"] as? Int ?? 0)
    }
    #expect(
      accessors.map { $0["count"] as? Int } == [
        mesh.vertexCount, mesh.vertexCount, mesh.vertexCount, mesh.triangles.count,
      ])
    #expect(accessors.map { $0["componentType"] as? Int } == [5126, 5126, 5126, 5125])
    for i in mesh.positions.indices {
      #expect(file.float(start(0) + 4 * i) == mesh.positions[i])
      #expect(file.float(start(1) + 4 * i) == mesh.normals[i])
    }
    for i in mesh.textureCoordinates.indices {
      #expect(file.float(start(2) + 4 * i) == mesh.textureCoordinates[i])
    }
    for i in mesh.triangles.indices { #expect(file.uint32(start(3) + 4 * i) == mesh.triangles[i]) }
    for axis in 0..<3 {
      let along = stride(from: axis, to: mesh.positions.count, by: 3).map { mesh.positions[$0] }
      #expect((accessors[0]["min"] as? [Double]).map { Float($0[axis]) } == along.min())
      #expect((accessors[0]["max"] as? [Double]).map { Float($0[axis]) } == along.max())
    }
    let images = try #require(json["images"] as? [[String: Any]])
    #expect(images[0]["mimeType"] as? String == (format == .png ? "image/png" : "image/jpeg"))
    let view = views[4]
    let from = binary + (view["byteOffset"] as? Int ?? 0)
    let texture = try Image(
      decoding: Array(file.bytes[from..<from + (view["byteLength"] as? Int ?? 0)]), name: "texture")
    #expect((texture.height, texture.width) == (30, 41))
    if format == .png { #expect(texture.pixels == photo.pixels) }
  }

  @Test("colors of a GLB cloud are linear light") func glbCloudsHoldLinearLight() throws {
    let cloud = try cloud()
    let file = try written(".glb") { try cloud.write(to: $0) }
    let (json, binary) = try parts(file)
    let view = try #require((json["bufferViews"] as? [[String: Any]])?.first)
    #expect(view["byteStride"] as? Int == 24)
    for point in 0..<cloud.count {
      for k in 0..<3 {
        #expect(file.float(binary + 24 * point + 4 * k) == cloud.positions[3 * point + k])
        let code = Double(cloud.colors[3 * point + k]) / 255
        let light = code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
        #expect(abs(Double(file.float(binary + 24 * point + 12 + 4 * k)) - light) < 1e-6)
      }
    }
  }

  @Test("an OBJ refers to files whose names begin with # or -")
  func objNamesFilesWithSpecialNames() throws {
    let folder = try TemporaryFolder()
    try mesh().write(to: URL(filePath: folder.path("#1.obj")))
    let bytes = try TemporaryFolder.bytes(of: folder.path("#1.obj"))
    #expect(String(decoding: bytes, as: UTF8.self).contains("\nmtllib ./#1.mtl\n"))
    try mesh().write(to: URL(filePath: folder.path("-s.obj")))
    let material = try TemporaryFolder.bytes(of: folder.path("-s.mtl"))
    #expect(String(decoding: material, as: UTF8.self).contains("\nmap_Kd ./-s_texture.jpg\n"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["#1.mtl", "#1.obj", "#1_texture.jpg", "-s.mtl", "-s.obj", "-s_texture.jpg"])
  }

  /// Readers such as tinyobjloader end a name at a blank. A line feed ends every name.
  @Test(
    "files that an OBJ refers to have no blank in their names",
    arguments: [
      ("my room", "my_room"), ("my room é (1)", "my_room_é_(1)"), (" a  b", "_a__b"),
      ("a\tb", "a_b"), ("a\u{A0}b\u{2003}c", "a_b_c"), ("a\nb", "a_b"), ("a\rb", "a_b"),
      ("# 1", "#_1"), ("plain", "plain"),
    ])
  func objNamesNoFileWithABlank(name: String, bare: String) throws {
    let folder = try TemporaryFolder()
    try mesh().write(to: URL(filePath: folder.path(name + ".obj")))
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: folder.path))
        == [name + ".obj", bare + ".mtl", bare + "_texture.jpg"])
    for (file, word) in [(name + ".obj", "mtllib"), (bare + ".mtl", "map_Kd")] {
      let text = String(decoding: try TemporaryFolder.bytes(of: folder.path(file)), as: UTF8.self)
      let words = text.split(whereSeparator: \.isWhitespace)
      let place = try #require(words.firstIndex { $0 == word })
      #expect(FileManager.default.fileExists(atPath: folder.path(String(words[place + 1]))))
    }
  }

  @Test("OBJ has the mesh and refers to its material and texture")
  func objRefersToItsMaterialAndTexture() throws {
    let folder = try TemporaryFolder()
    let mesh = try mesh()
    try mesh.write(to: URL(filePath: folder.path("my room.obj")))
    let lines = String(
      decoding: try TemporaryFolder.bytes(of: folder.path("my room.obj")), as: UTF8.self
    ).split(separator: "\n")
    #expect(lines.contains("mtllib my_room.mtl"))
    func numbers(_ word: String) -> [[Float]] {
      lines.filter { $0.hasPrefix(word + " ") }
        .map { $0.split(separator: " ").dropFirst().compactMap { Float($0) } }
    }
    #expect(numbers("v").flatMap { $0 } == mesh.positions)
    #expect(numbers("vn").flatMap { $0 } == mesh.normals)
    let places = numbers("vt")
    #expect(places.count == mesh.vertexCount)
    for (i, place) in places.enumerated() {
      #expect(place == [mesh.textureCoordinates[2 * i], 1 - mesh.textureCoordinates[2 * i + 1]])
    }
    let faces = lines.filter { $0.hasPrefix("f ") }.flatMap {
      $0.split(separator: " ").dropFirst().map { UInt32($0.split(separator: "/")[0]) }
    }
    #expect(faces == mesh.triangles.map { $0 + 1 })
    let material = String(
      decoding: try TemporaryFolder.bytes(of: folder.path("my_room.mtl")), as: UTF8.self)
    #expect(
      material.contains("newmtl photo\n") && material.contains("map_Kd my_room_texture.jpg\n"))
    let texture = try Image(contentsOf: URL(filePath: folder.path("my_room_texture.jpg")))
    #expect(texture.width == 41)
  }

  @Test("a failed OBJ leaves no file") func noHalfSetIsLeft() throws {
    let folder = try TemporaryFolder()
    let obstacle = folder.path("room_texture.jpg")
    try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
    let mesh = try mesh()
    #expect(throws: DepthError.self) { try mesh.write(to: URL(filePath: folder.path("room.obj"))) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["room_texture.jpg"])
  }

  @Test("a cloud cannot be written as .stl or .obj") func otherNamesAreRefused() throws {
    let cloud = try cloud()
    let error = #expect(throws: DepthError.self) { try cloud.write(to: URL(filePath: "room.stl")) }
    #expect(error?.description == "room.stl: ends in .stl, expected .glb, .ply, .obj")
    let other = #expect(throws: DepthError.self) { try cloud.write(to: URL(filePath: "room.obj")) }
    #expect(other?.code == .unsupportedFormat)
  }
}
