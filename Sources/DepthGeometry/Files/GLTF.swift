/// The JSON part of a glTF file with one mesh. Keys follow the specification.
struct GLTF: Encodable {
  struct Asset: Encodable {
    let version = "2.0"
    let generator = "swift-depth"
  }

  struct Scene: Encodable { let nodes = [0] }

  struct Node: Encodable {
    let mesh = 0
    let name = "photo"
  }

  struct Mesh: Encodable { let primitives: [Primitive] }

  struct Primitive: Encodable {
    enum Mode: Int, Encodable {
      case points = 0
      case triangles = 4
    }

    /// Indices of accessors.
    let attributes: [String: Int]
    var indices: Int?
    let mode: Mode
    let material = 0
  }

  struct Accessor: Encodable {
    enum Component: Int, Encodable {
      case unsignedInt = 5125
      case float = 5126
    }

    let bufferView: Int
    var byteOffset: Int?
    let component: Component
    let count: Int
    let type: String
    var min, max: [Double]?

    private enum CodingKeys: String, CodingKey {
      case bufferView, byteOffset, count, type, min, max
      case component = "componentType"
    }
  }

  struct BufferView: Encodable {
    let buffer = 0
    var byteOffset = 0
    let byteLength: Int
    var byteStride: Int?
    var target: Int?

    /// The view that follows this view.
    func following(_ length: Int, target: Int? = nil) -> BufferView {
      BufferView(byteOffset: byteOffset + byteLength, byteLength: length, target: target)
    }
  }

  struct Buffer: Encodable { let byteLength: Int }

  /// The unlit photo.
  struct Material: Encodable {
    struct Texture: Encodable { let index = 0 }

    struct Surface: Encodable {
      var baseColorTexture: Texture?
      let metallicFactor = 0
      let roughnessFactor = 1
    }

    struct Unlit: Encodable {}

    var pbrMetallicRoughness = Surface()
    let doubleSided = true
    let extensions = ["KHR_materials_unlit": Unlit()]
  }

  struct Sampler: Encodable {
    /// Linear, and linear between mipmaps.
    let magFilter = 9729
    let minFilter = 9987
    /// Clamped to the edge.
    let wrapS = 33071
    let wrapT = 33071
  }

  struct Image: Encodable {
    let bufferView: Int
    let mimeType: String
  }

  struct Texture: Encodable {
    let sampler = 0
    let source = 0
  }

  /// `target` of a buffer view.
  static let (vertexData, indexData) = (34962, 34963)

  let asset = Asset()
  let scene = 0
  let scenes = [Scene()]
  let nodes = [Node()]
  let extensionsUsed = ["KHR_materials_unlit"]
  let meshes: [Mesh]
  let accessors: [Accessor]
  let bufferViews: [BufferView]
  var buffers: [Buffer] = []
  var materials = [Material()]
  var samplers: [Sampler]?
  var images: [Image]?
  var textures: [Texture]?

  init(primitive: Primitive, accessors: [Accessor], bufferViews: [BufferView]) {
    meshes = [Mesh(primitives: [primitive])]
    (self.accessors, self.bufferViews) = (accessors, bufferViews)
  }
}
