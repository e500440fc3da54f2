import DepthBase
import DepthErrors
import NeuralEngine

/// The published weights of Depth Anything V2 as the engine reads weights, straight from the file of the authors or of
/// transformers.
struct DepthAnythingArchive: PublishedArchive {
  let shapes: [String: [Int]]
  let arrays: ArrayFile
  let attributes: [String: PublishedAttribute]
  /// The file's arrays that make a tensor of the authors' name: one, or query, key and value.
  private let parts: [String: [(name: String, array: StoredArray)]]
  private let sources: [String: DepthAnythingLayout.Source]
  private let meaning: WeightsMeaning

  /// - Parameter kind: The kind that the user names; `nil` where the file says it.
  /// - Throws: `DepthError` for a file of another network, and for one whose kind is unknown or contradicts `kind`.
  init(_ arrays: ArrayFile, kind: WeightsKind?) throws {
    self.arrays = arrays
    let file = arrays.file.name
    let isHub = DepthAnythingNames.isHub(arrays.arrays.keys)
    let config = isHub && !arrays.file.isInMemory ? try HubConfig(besideWeights: file) : nil
    parts =
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
    sources = layout.sources
    shapes = sources.mapValues(\.engineShape)
    attributes = Self.attributes(of: layout, meaning, arrays.form)
    try Self.check(found, against: sources, width: layout.width, file: file)
  }

  /// The parts of tensors by the authors' names.
  private static func renamed(
    _ arrays: ArrayFile
  ) throws -> [String: [(name: String, array: StoredArray)]] {
    var joint: [String: [Int: (name: String, array: StoredArray)]] = [:]
    for (name, array) in arrays.arrays {
      switch DepthAnythingNames.renamed(name) {
      case .whole(let theirs): joint[theirs, default: [:]][0] = (name, array)
      case .part(let index, let theirs): joint[theirs, default: [:]][index] = (name, array)
      case nil: throw notATensor(name, arrays.file.name)
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

  private static func notATensor(_ name: String, _ file: String) -> DepthError {
    DepthError(.weightsMismatch, file: file, "'\(name)' does not belong to Depth Anything V2")
  }

  /// Checks that all tensors are there, of their shapes, and no other ones.
  private static func check(
    _ found: [String: [Int]], against sources: [String: DepthAnythingLayout.Source], width: Int,
    file: String
  ) throws {
    var expected = Dictionary(
      uniqueKeysWithValues: sources.values.map { ($0.name, theirShape($0)) })
    for case let factors? in sources.values.map(\.factors) { expected[factors] = [width] }
    for (name, shape) in expected.sorted(by: { $0.key < $1.key }) {
      guard let stored = found[name] else {
        throw DepthError(.weightsMismatch, file: file, "'\(name)' is missing")
      }
      guard stored == shape else {
        throw DepthError.shapeMismatch(file: file, name: name, expected: shape, found: stored)
      }
    }
    let others = found.keys.filter { expected[$0] == nil && !DepthAnythingNames.isUnused($0) }
    if let other = others.min() { throw notATensor(other, file) }
  }

  private static func theirShape(_ source: DepthAnythingLayout.Source) -> [Int] {
    guard source.isTransposed else { return source.shape }
    return [source.shape[1], source.shape[0]] + source.shape[2...]
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

  func readsRows(of tensor: String) -> Bool {
    sources[tensor].map { !$0.isTransposed && $0.shape.first == $0.engineShape.first } ?? false
  }

  func elements(of tensor: String) throws -> [Float] {
    let source = try source(of: tensor)
    guard readsRows(of: tensor) else {
      let values = try stored(source, rows: nil)
      return source.isTransposed ? exchanged(values, source.engineShape) : values
    }
    return try elements(of: tensor, rows: 0..<source.engineShape[0])
  }

  func elements(of tensor: String, rows: Range<Int>) throws -> [Float] {
    guard readsRows(of: tensor) else { return try elementsByReadingAll(of: tensor, rows: rows) }
    let source = try source(of: tensor)
    return try scaled(stored(source, rows: rows), source, rows: rows)
  }

  private func source(of tensor: String) throws -> DepthAnythingLayout.Source {
    guard let source = sources[tensor] else {
      throw DepthError(.weightsMismatch, file: name, "has no tensor '\(tensor)'")
    }
    return source
  }

  /// The values as the file has them; query, key and value one after the other.
  private func stored(_ source: DepthAnythingLayout.Source, rows: Range<Int>?) throws -> [Float] {
    let parts = parts[source.name] ?? []
    guard let rows else {
      return try parts.flatMap { try arrays.floats($0.name, $0.array) }
    }
    var (first, values): (Int, [Float]) = (0, [])
    for part in parts {
      let count = part.array.shape[0]
      let taken = rows.clamped(to: first..<first + count)
      if !taken.isEmpty {
        let own = taken.lowerBound - first..<taken.upperBound - first
        let floats = try arrays.floats(part.name, part.array, rows: own)
        if parts.count == 1 { return floats }
        values += floats
      }
      first += count
    }
    return values
  }

  /// Rows multiplied by their factors in 64 bits and rounded once.
  private func scaled(
    _ values: [Float], _ source: DepthAnythingLayout.Source, rows: Range<Int>
  ) throws -> [Float] {
    guard let name = source.factors, let part = parts[name]?.first else { return values }
    let factors = try arrays.floats(part.name, part.array)
    let width = values.count / max(rows.count, 1)
    return try values.indices.map { index in
      Float(Double(values[index]) * Double(factors[rows.lowerBound + index / width]))
    }.requireFinite(source.name, in: self.name)
  }

  /// Kernels of input × output as output × input.
  private func exchanged(_ values: [Float], _ shape: [Int]) -> [Float] {
    let (outputs, inputs, area) = (shape[0], shape[1], shape[2] * shape[3])
    return (0..<values.count).map { index in
      let (output, input, place) = (index / (inputs * area), index / area % inputs, index % area)
      return values[(input * outputs + output) * area + place]
    }
  }

  /// Part of the identifier behind the digest of the bytes.
  var identifierSuffix: String { meaning.isInFile ? "" : "+\(meaning.kind.rawValue)" }
}
