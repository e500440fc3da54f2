import DepthBase
import DepthErrors
import DepthNetworks
import NeuralEngine

/// The published weights of MoGe-2 under the engine's names, read from a file of the authors.
///
/// The finest level is linear and is folded when the file is opened.
struct MoGe2Archive: PublishedArchive {
  let arrays: ArrayFile
  let shapes: [String: [Int]]
  let attributes: [String: PublishedAttribute]
  private let reader: TensorReader
  /// Tensors computed from the file's tensors.
  private let computed: [String: [Float]]

  /// Tensors of the file that do not belong to layers.
  private static let (mean, deviation, unused) = (
    "encoder.image_mean", "encoder.image_std", ["\(MoGe2Layout.encoder)mask_token"]
  )

  /// - Throws: `DepthError` for a missing or invalid configuration or tensor, and for a file of another network.
  init(_ arrays: ArrayFile) throws {
    try self.init(arrays, MoGe2Layout(arrays.config, file: arrays.file.name))
  }

  init(_ arrays: ArrayFile, _ layout: MoGe2Layout) throws {
    self.arrays = arrays
    reader = TensorReader(
      arrays: arrays,
      parts: arrays.arrays.reduce(into: [:]) { $0[$1.key] = [(name: $1.key, array: $1.value)] },
      sources: layout.sources)
    let statistics = [Self.mean, Self.deviation]
    try reader.check(arrays.arrays.mapValues(\.shape)) {
      statistics.contains($0) || Self.unused.contains($0) ? nil : "MoGe-2"
    }
    let normalization = try statistics.map { name in
      guard let array = arrays.arrays[name], array.shape == [1, 3, 1, 1] else {
        throw DepthError(
          .weightsMismatch, file: arrays.file.name, "'\(name)' is not 1×3×1×1, or is missing")
      }
      return try arrays.floats(name, array).map(Double.init)
    }
    guard normalization[1].allSatisfy({ $0 > 1e-3 }) else {
      throw DepthError(
        .weightsMismatch, file: arrays.file.name,
        "'\(Self.deviation)' is \(normalization[1]), expected positive numbers")
    }
    let folding = MoGe2Folding(layout: layout) { [reader] in
      try reader.elements(of: $0).map(Double.init)
    }
    let tensors = try folding.tensors()
    computed = tensors.mapValues { $0.values.map { Float($0) } }
    var shapes = layout.sources.filter { !MoGe2Folding.isFolded($0.key) }.mapValues(\.engineShape)
    for (name, tensor) in tensors { shapes[name] = tensor.shape }
    self.shapes = shapes
    attributes = PublishedAttribute.common(
      architecture: MoGe2Configuration.architecture, form: arrays.form, mean: normalization[0],
      deviation: normalization[1]
    ).merging([
      "license": .text("MIT"), "output_unit": .text("metre"),
      "heads": .integers([layout.width / 64]), "input_side": .integers([MoGe2Layout.inputSide]),
      "taken_blocks": .integers(layout.takenBlocks),
    ]) { $1 }
  }

  func readsRows(of tensor: String) -> Bool {
    computed[tensor] == nil && reader.readsRows(of: tensor)
  }

  func elements(of tensor: String) throws -> [Float] {
    try computed[tensor] ?? reader.elements(of: tensor)
  }

  func elements(of tensor: String, rows: Range<Int>) throws -> [Float] {
    guard readsRows(of: tensor) else { return try elementsByReadingAll(of: tensor, rows: rows) }
    return try reader.elements(of: tensor, rows: rows)
  }
}
