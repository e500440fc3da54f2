import DepthBase
import DepthErrors
import NeuralEngine

/// A reader of the engine's tensors from the arrays of a published file.
struct TensorReader: Sendable {
  let arrays: ArrayFile
  /// The file's arrays for each of the authors' names: a single array, or the query, key and value arrays.
  let parts: [String: [(name: String, array: StoredArray)]]
  let sources: [String: TensorSource]

  /// Checks that all tensors are present with the expected shapes, and that there are no other tensors.
  ///
  /// - Parameters:
  ///   - found: The shapes of tensors, keyed by the authors' names.
  ///   - network: Returns the network that is named in the error for an additional tensor, or `nil` for an allowed tensor.
  /// - Throws: `DepthError` with code `weightsMismatch`.
  func check(_ found: [String: [Int]], network: (_ name: String) -> String?) throws {
    let file = arrays.file.name
    var expected: [String: [Int]] = [:]
    for source in sources.values {
      expected[source.name] = source.theirShape
      if let factors = source.factors { expected[factors] = [source.shape[0]] }
    }
    for (name, shape) in expected.sorted(by: { $0.key < $1.key }) {
      guard let stored = found[name] else {
        throw DepthError(.weightsMismatch, file: file, "'\(name)' is missing")
      }
      guard stored == shape else {
        throw DepthError.shapeMismatch(file: file, name: name, expected: shape, found: stored)
      }
    }
    for name in found.keys.sorted() where expected[name] == nil {
      if let network = network(name) { throw Self.foreign(name, to: network, file: file) }
    }
  }

  static func foreign(_ name: String, to network: String, file: String) -> DepthError {
    DepthError(.weightsMismatch, file: file, "'\(name)' does not belong to \(network)")
  }

  /// Whether ``elements(of:rows:)`` reads only the requested rows.
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

  /// - Precondition: ``readsRows(of:)``.
  func elements(of tensor: String, rows: Range<Int>) throws -> [Float] {
    let source = try source(of: tensor)
    return try scaled(stored(source, rows: rows), source, rows: rows)
  }

  private func source(of tensor: String) throws -> TensorSource {
    guard let source = sources[tensor] else {
      throw DepthError(.weightsMismatch, file: arrays.file.name, "has no tensor '\(tensor)'")
    }
    return source
  }

  /// The stored values; query, key and value are concatenated.
  private func stored(_ source: TensorSource, rows: Range<Int>?) throws -> [Float] {
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

  /// Multiplies each row by a factor in 64-bit arithmetic, and rounds once.
  private func scaled(
    _ values: [Float], _ source: TensorSource, rows: Range<Int>
  ) throws -> [Float] {
    guard let name = source.factors, let part = parts[name]?.first else { return values }
    let factors = try arrays.floats(part.name, part.array)
    let width = values.count / max(rows.count, 1)
    return try values.indices.map { index in
      Float(Double(values[index]) * Double(factors[rows.lowerBound + index / width]))
    }.requireFinite(source.name, in: arrays.file.name)
  }

  /// Transposes kernels from input × output to output × input.
  private func exchanged(_ values: [Float], _ shape: [Int]) -> [Float] {
    let (outputs, inputs, area) = (shape[0], shape[1], shape[2] * shape[3])
    return (0..<values.count).map { index in
      let (output, input, place) = (index / (inputs * area), index / area % inputs, index % area)
      return values[(input * outputs + output) * area + place]
    }
  }
}
