public import DepthImages
package import HDF5Files
package import NeuralEngine

/// Golden files, which an independent implementation computed in 64-bit floats.
public enum Golden {
  /// Path of a golden file.
  public static func path(_ name: String) -> String {
    let folders = #filePath.split(separator: "/").dropLast(2)
    return "/" + folders.joined(separator: "/") + "/Golden/" + name
  }

  /// Opens a golden file.
  package static func file(_ name: String) throws -> HDF5File { try HDF5File(path: path(name)) }

  /// The golden file of bilinear and Lanczos resizing, crops and metrics.
  package static func `protocol`() throws -> HDF5File { try file("fcrn_protocol_golden.h5") }
}

extension HDF5File {
  /// The root's attributes with these names.
  package func attributes(named names: [String]) throws -> [String: HDF5Attribute] {
    try attributes(in: describe(names.map { .attribute($0) }))
  }

  /// The names of a group's members in ascending order.
  package func members(of path: String) throws -> [String] {
    let description = try describe([path == "/" ? .everything : .group(path)])
    try requireGroup(path, in: description)
    let prefix = path == "/" ? "" : path + "/"
    return description.facts.map(\.path).filter {
      $0 != path && $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/")
    }.map { String($0.dropFirst(prefix.count)) }.sorted()
  }
}

/// A golden file's record of one run of a network.
public struct NetworkGolden: Sendable {
  /// 64 elements of one activation, and statistics of all elements.
  public struct Sample: Sendable {
    public let name: String
    /// Numbers of channels, rows and columns.
    public let shape: [Int]
    public let mean, rms: Double
    /// Linear indices in channels × height × width order, and the elements at these indices.
    public let indices: [Int]
    public let values: [Double]
  }

  /// A whole activation in channels × height × width order.
  public struct Activation: Sendable {
    public let shape: [Int]
    public let elements: [Float]
  }

  public let input: Image
  /// Depth in metres, and the height and width of the map.
  public let output: [Double]
  public let outputShape: [Int]
  /// Depth for `ConvPred`'s bias minus 4, which cuts a third of the pixels off at zero.
  public let outputBiasMinus4: [Float]?
  public let activations: [String: Activation]
  public let samples: [Sample]

  /// Reads the golden file `name`.
  public init(_ name: String) throws {
    let file = try Golden.file(name)
    let pixels = try file.dataset("input_u8_hwc")
    input = Image(
      height: pixels.shape[0], width: pixels.shape[1], pixels: try pixels.bytes())
    let depth = try file.dataset("output_f64")
    (output, outputShape) = (try depth.doubles(), depth.shape)
    let cut = try file.members(of: "/").contains("output_bias_minus4")
    outputBiasMinus4 = cut ? try file.dataset("output_bias_minus4").floats() : nil

    var activations: [String: Activation] = [:]
    for name in try file.members(of: "activations") {
      let dataset = try file.dataset("activations/\(name)")
      activations[name] = Activation(
        shape: dataset.shape, elements: try dataset.floats())
    }
    self.activations = activations

    let names = try file.dataset("samples/name").strings()
    let shapes = try file.dataset("samples/shape_chw").integers()
    let means = try file.dataset("samples/mean").doubles()
    let rms = try file.dataset("samples/rms").doubles()
    let indices = try file.dataset("samples/index").integers()
    let values = try file.dataset("samples/value").doubles()
    let each = indices.count / max(names.count, 1)
    samples = names.indices.map { i in
      Sample(
        name: names[i], shape: Array(shapes[3 * i..<3 * i + 3]), mean: means[i], rms: rms[i],
        indices: Array(indices[each * i..<each * (i + 1)]),
        values: Array(values[each * i..<each * (i + 1)]))
    }
  }
}

extension Tensor {
  /// The elements in the order of the goldens.
  package var channelsFirst: [Float] {
    (0..<shape.channels).flatMap { c in
      (0..<shape.rows).map { elements[$0 * shape.channels + c] }
    }
  }
}
