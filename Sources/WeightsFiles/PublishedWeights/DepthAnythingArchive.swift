import DepthBase
import DepthErrors
import NeuralEngine

/// The published weights of Depth Anything V2 under the engine's names, read from a file of the authors or of transformers.
struct DepthAnythingArchive: PublishedArchive {
  let shapes: [String: [Int]]
  let arrays: ArrayFile
  let attributes: [String: PublishedAttribute]
  private let reader: TensorReader
  private let meaning: WeightsMeaning

  /// - Parameter kind: The kind given by the user; `nil` if the file states it.
  /// - Throws: `DepthError` for a file of another network, and for a file whose kind is unknown or contradicts `kind`.
  init(_ arrays: ArrayFile, kind: WeightsKind?) throws {
    self.arrays = arrays
    let file = arrays.file.name
    let isHub = DepthAnythingNames.isHub(arrays.arrays.keys)
    let config = isHub && !arrays.file.isInMemory ? try HubConfig(besideWeights: file) : nil
    let parts =
      try isHub
      ? Self.renamed(arrays)
      : Dictionary(
        uniqueKeysWithValues: arrays.arrays.map { ($0.key, [(name: $0.key, array: $0.value)]) })
    let found = parts.mapValues { parts in
      [parts.reduce(0) { $0 + ($1.array.shape.first ?? 0) }] + parts[0].array.shape.dropFirst()
    }
    let layout = try DepthAnythingLayout(found, config: config, file: file)
    meaning =
      try isHub
      ? .ofHubFile(file, config: config, asked: kind)
      : .ofAuthorsFile(file, width: layout.width, asked: kind)
    reader = TensorReader(arrays: arrays, parts: parts, sources: layout.sources)
    shapes = layout.sources.mapValues(\.engineShape)
    attributes = Self.attributes(of: layout, meaning, arrays.form)
    try reader.check(found) { DepthAnythingNames.isUnused($0) ? nil : "Depth Anything V2" }
  }

  /// The parts of tensors, keyed by the authors' names.
  private static func renamed(
    _ arrays: ArrayFile
  ) throws -> [String: [(name: String, array: StoredArray)]] {
    var joint: [String: [Int: (name: String, array: StoredArray)]] = [:]
    for (name, array) in arrays.arrays {
      switch DepthAnythingNames.renamed(name) {
      case .whole(let theirs): joint[theirs, default: [:]][0] = (name, array)
      case .part(let index, let theirs): joint[theirs, default: [:]][index] = (name, array)
      case nil:
        throw TensorReader.foreign(name, to: "Depth Anything V2", file: arrays.file.name)
      }
    }
    return try joint.reduce(into: [:]) { result, entry in
      let (name, found) = entry
      let isJoint = name.contains(".attn.qkv.")
      let parts = (0..<(isJoint ? 3 : 1)).compactMap { found[$0] }
      guard !isJoint || parts.count == 3 else {
        let missing = ["query", "key", "value"][(0..<3).first { found[$0] == nil } ?? 0]
        throw DepthError(
          .weightsMismatch, file: arrays.file.name, "the \(missing) of '\(name)' is missing")
      }
      guard parts.allSatisfy({ $0.array.shape == parts[0].array.shape }) else {
        throw DepthError(
          .weightsMismatch, file: arrays.file.name,
          "query, key and value of '\(name)' differ in their shapes")
      }
      result[name] = parts
    }
  }

  private static func attributes(
    of layout: DepthAnythingLayout, _ meaning: WeightsMeaning, _ form: String
  ) -> [String: PublishedAttribute] {
    var attributes: [String: PublishedAttribute] = [
      "license": .text(layout.license),
      "heads": .integers([layout.heads]), "input_side": .integers([DepthAnythingLayout.inputSide]),
      "taken_blocks": .integers(layout.takenBlocks),
      "output_unit": .text(meaning.largestDepth == nil ? "relative disparity" : "metre"),
    ]
    attributes.merge(
      PublishedAttribute.common(
        architecture: "depth-anything-v2", form: form, mean: [0.485, 0.456, 0.406],
        deviation: [0.229, 0.224, 0.225])
    ) { $1 }
    if let depth = meaning.largestDepth, let length = meaning.kind.focalLength {
      attributes["largest_depth"] = .numbers([Double(Float(depth))])
      attributes["training_focal_length"] = .numbers([Double(Float(length))])
    }
    return attributes
  }

  // MARK: - Values

  func readsRows(of tensor: String) -> Bool { reader.readsRows(of: tensor) }

  func elements(of tensor: String) throws -> [Float] { try reader.elements(of: tensor) }

  func elements(of tensor: String, rows: Range<Int>) throws -> [Float] {
    guard readsRows(of: tensor) else { return try elementsByReadingAll(of: tensor, rows: rows) }
    return try reader.elements(of: tensor, rows: rows)
  }

  /// The part of the identifier after the digest of the bytes.
  var identifierSuffix: String { meaning.isInFile ? "" : "+\(meaning.kind.rawValue)" }
}
