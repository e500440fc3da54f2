import DepthBase
import DepthErrors
import DepthNetworks
import NeuralEngine

/// The published weights of ZipDepth under the engine's names, read from a file of the authors.
///
/// Branches and batch norms are folded when a kernel is read.
struct ZipDepthArchive: PublishedArchive {
  let arrays: ArrayFile
  let shapes: [String: [Int]]
  let attributes: [String: PublishedAttribute]
  private let layout: ZipDepthLayout
  /// The file's arrays, keyed by the authors' names.
  private let stored: [String: (name: String, array: StoredArray)]

  /// ε of all batch norms.
  private static let epsilon = 1e-5

  /// - Throws: `DepthError` for a missing tensor, a tensor of another shape, and a tensor of another network.
  init(_ arrays: ArrayFile) throws {
    self.arrays = arrays
    let file = arrays.file.name
    var stored: [String: (name: String, array: StoredArray)] = [:]
    for (name, array) in arrays.arrays { stored[Self.withoutWrappers(name)] = (name, array) }
    let layout = ZipDepthLayout(Set(stored.keys))
    (self.stored, self.layout) = (stored, layout)
    let expected = layout.theirShapes
    for (name, shape) in expected.sorted(by: { $0.key < $1.key }) {
      guard let found = stored[name]?.array.shape else {
        throw DepthError(.weightsMismatch, file: file, "'\(name)' is missing")
      }
      guard found == shape else {
        throw DepthError.shapeMismatch(file: file, name: name, expected: shape, found: found)
      }
    }
    let others = stored.keys.filter {
      expected[$0] == nil && !$0.hasSuffix(".num_batches_tracked")
    }
    if let other = others.min() {
      throw DepthError(.weightsMismatch, file: file, "'\(other)' does not belong to ZipDepth")
    }
    shapes = layout.layers.reduce(into: [:]) { shapes, layer in
      let (name, layer) = layer
      shapes["\(name)/kernel"] = [layer.outputs, layer.inputs, layer.kernelSize, layer.kernelSize]
      shapes["\(name)/bias"] = [layer.outputs]
    }
    let mean = try Self.floats("mean", in: arrays, stored).map(Double.init)
    let deviation = try Self.floats("std", in: arrays, stored).map(Double.init)
    guard deviation.allSatisfy({ $0 > 1e-3 }) else {
      throw DepthError(
        .weightsMismatch, file: file, "'std' is \(deviation), expected positive numbers")
    }
    attributes = PublishedAttribute.common(
      architecture: ZipDepthConfiguration.architecture, form: arrays.form, mean: mean,
      deviation: deviation
    ).merging([
      "license": .text("MIT"), "output_unit": .text("relative disparity"),
      "upsampling": .text(layout.upsampling.rawValue),
    ]) { $1 }
  }

  /// The name without prefixes of training scripts.
  private static func withoutWrappers(_ name: String) -> String {
    var name = name[...]
    while let prefix = ["module.", "_orig_mod."].first(where: name.hasPrefix) {
      name = name.dropFirst(prefix.count)
    }
    return String(name)
  }

  func elements(of tensor: String) throws -> [Float] {
    let parts = tensor.split(separator: "/")
    guard parts.count == 2, let layer = layout.layers[String(parts[0])] else {
      throw DepthError(.weightsMismatch, file: name, "has no tensor '\(tensor)'")
    }
    let values = parts[1] == "bias" ? try bias(of: layer) : try kernel(of: layer)
    return try values.map { Float($0) }.requireFinite(tensor, in: name)
  }

  private func values(_ name: String) throws -> [Double] { try floats(name).map(Double.init) }

  /// The stored values; empty if the file lacks the tensor.
  private func floats(_ name: String) throws -> [Float] {
    try Self.floats(name, in: arrays, stored)
  }

  private static func floats(
    _ name: String, in arrays: ArrayFile, _ stored: [String: (name: String, array: StoredArray)]
  ) throws -> [Float] {
    guard let part = stored[name] else { return [] }
    return try arrays.floats(part.name, part.array)
  }

  /// Factor and offset per channel of a batch norm.
  private func folded(_ norm: String) throws -> (factors: [Double], offsets: [Double]) {
    let v = try ZipDepthLayout.statistics.map { try values("\(norm).\($0)") }
    let factors = zip(v[0], v[3]).map { $0 / ($1 + Self.epsilon).squareRoot() }
    return (factors, factors.indices.map { v[1][$0] - v[2][$0] * factors[$0] })
  }

  private func kernel(of layer: ZipDepthLayout.Layer) throws -> [Double] {
    let size = layer.kernelSize
    let row = layer.inputs * size * size
    var sum = [Double](repeating: 0, count: layer.outputs * row)
    for branch in layer.branches {
      let weights = try floats("\(branch.module).weight")
      let factors = try branch.norm.map { try folded($0).factors }
      let (side, first) = (branch.kernelSize, layer.part?.lowerBound ?? 0)
      let margin = (size - ((side - 1) * branch.dilation + 1)) / 2
      // Positions of the branch's taps in the kernel, computed once for all pairs of channels.
      let places = (0..<side * side).map { tap in
        (margin + tap / side * branch.dilation) * size + margin + tap % side * branch.dilation
      }
      for output in 0..<layer.outputs {
        let factor = (factors?[output] ?? 1) * layer.factor
        for input in 0..<layer.inputs {
          let read = (output * layer.storedInputs + first + input) * side * side
          let written = output * row + input * size * size
          for (tap, place) in places.enumerated() {
            sum[written + place] += factor * Double(weights[read + tap])
          }
        }
      }
    }
    if layer.identity != 0 {
      for output in 0..<layer.outputs {
        let input = layer.inputs == 1 ? 0 : output
        sum[output * row + input * size * size + size * size / 2] += layer.identity
      }
    }
    return sum
  }

  private func bias(of layer: ZipDepthLayout.Layer) throws -> [Double] {
    var sum = [Double](repeating: 0, count: layer.outputs)
    guard !layer.leavesBias else { return sum }
    // Branches may share a batch norm.
    var norms: Set<String> = []
    for branch in layer.branches {
      let bias = branch.hasBias ? try values("\(branch.module).bias") : []
      guard let norm = branch.norm else {
        for (channel, value) in bias.enumerated() { sum[channel] += value * layer.factor }
        continue
      }
      let (factors, offsets) = try folded(norm)
      for (channel, value) in bias.enumerated() { sum[channel] += value * factors[channel] }
      if norms.insert(norm).inserted {
        for channel in sum.indices { sum[channel] += offsets[channel] }
      }
    }
    return sum
  }
}
