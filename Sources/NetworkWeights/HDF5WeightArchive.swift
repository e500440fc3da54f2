import HDF5Files
public import NeuralEngine

/// Weights read from an HDF5 file: one group per layer, one dataset per parameter.
///
/// Datasets hold IEEE floats of 16, 32 or 64 bits in either byte order, contiguous or in chunks with
/// gzip and shuffle. A `kernel` may also hold 8-bit integers; then a dataset `scale` beside
/// it gives one factor per output channel, `kernel[o, …] · scale[o]` is what the archive hands out, and
/// `scale` is no tensor of its own.
///
/// Everything the file says about its tensors is read and checked when it is opened; the values are
/// read when they are asked for. Several threads may read at once.
public struct HDF5WeightArchive: WeightArchive {
  public let name: String
  public let shapes: [String: [Int]]
  private let file: HDF5File
  private let tensors: [String: StoredTensor]
  private let attributes: [String: WeightAttribute]

  /// Opens the file at `path` and lists its tensors.
  ///
  /// - Throws: ``WeightsError/unreadable(file:reason:)`` when the file cannot be read as described
  ///   above, naming the group, dataset or attribute at fault.
  public init(path: String) throws {
    file = try HDF5File(path: path)
    name = file.name
    attributes = try file.attributes()
    tensors = try Self.tensors(of: file)
    shapes = tensors.mapValues(\.values.shape)
  }

  /// Length of the file.
  public var fileBytes: Int { file.size }

  /// Names of the attributes of the file's root.
  public var attributeNames: [String] { Array(attributes.keys) }

  public func attribute(_ name: String) -> WeightAttribute? { attributes[name] }

  public func elements(of tensor: String) throws -> [Float] {
    let stored = try self.stored(tensor)
    return try [Float](unsafeUninitializedCapacity: stored.values.count) { buffer, initialized in
      try stored.read(
        into: UnsafeMutableBufferPointer(rebasing: buffer[..<stored.values.count]))
      initialized = stored.values.count
    }
  }

  public func read(_ tensor: String, into elements: inout MutableSpan<Float>) throws {
    let stored = try self.stored(tensor)
    precondition(
      elements.count == stored.values.count,
      "room for \(elements.count) values of \(tensor), expected \(stored.values.count)")
    try elements.withUnsafeMutableBufferPointer { try stored.read(into: $0) }
  }

  public func elements(of tensor: String, rows: Range<Int>) throws -> [Float] {
    readsRows(of: tensor)
      ? try stored(tensor).values.floats(rows: rows)
      : try elementsByReadingAll(of: tensor, rows: rows)
  }

  public func readsRows(of tensor: String) -> Bool {
    tensors[tensor].map { $0.scale == nil && $0.values.floatOffset != nil } ?? false
  }

  private func stored(_ tensor: String) throws -> StoredTensor {
    guard let stored = tensors[tensor] else {
      throw WeightsError.unreadable(file: name, reason: "there is no tensor '\(tensor)'")
    }
    return stored
  }
}

/// One tensor as it stands in the file.
struct StoredTensor: Sendable {
  /// The values, or the integers that `scale` multiplies.
  let values: HDF5Dataset
  /// One factor per outermost index; only with integers.
  let scale: HDF5Dataset?

  /// Writes the values, scaled where the file says so, into `buffer`.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) throws {
    guard let scale else { return try values.read(into: buffer) }
    let factors = try scale.floats()
    try values.storedBytes().withUnsafeBytes {
      values.decode($0, as: Int8.self, into: buffer, Float.init)
    }
    guard !factors.isEmpty else { return }
    let stride = buffer.count / factors.count
    for (o, factor) in factors.enumerated() {
      for i in o * stride..<(o + 1) * stride { buffer[i] *= factor }
    }
  }
}
