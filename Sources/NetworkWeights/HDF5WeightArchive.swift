import DepthErrors
import HDF5Files
public import NeuralEngine

/// Weights read from an HDF5 file: one group per layer, one dataset per parameter.
///
/// Datasets hold IEEE floats of 16, 32 or 64 bits in either byte order, contiguous or in chunks with
/// gzip and shuffle. A `kernel` may also hold 8-bit integers; then a dataset `scale` beside
/// it gives one factor per output channel, `kernel[o, …] · scale[o]` is what the archive hands out, and
/// `scale` is no tensor of its own. A dataset `activation_scale` beside a kernel is checked and otherwise
/// left alone: see ``activationScale(of:)``.
///
/// Everything the file says about its tensors is read and checked when it is opened; the values are
/// read when they are asked for. Several threads may read at once.
public struct HDF5WeightArchive: WeightArchive {
  public let name: String
  public let shapes: [String: [Int]]
  private let file: HDF5File
  private let tensors: [String: StoredTensor]
  private let activationScales: [String: HDF5Dataset]
  private let attributes: [String: HDF5Attribute]

  /// Attributes of a weights file, as `Weights/README.md` lists them.
  public static let publishedAttributes = [
    "architecture", "bn_epsilon", "bn_folded", "channel_order", "content", "decoder_widths",
    "final_relu", "format_name", "format_version", "input_height", "input_width", "kernel_layout",
    "kernel_type", "output_unit", "pixel_mean", "pixel_scale", "source_format", "source_name",
    "source_sha256", "upproj_padding", "width_divisor",
  ]

  /// Opens the file at `path` and lists its tensors.
  ///
  /// - Parameter attributes: Names of the root's attributes to read; others are never looked at.
  /// - Throws: ``DepthError`` with code `unreadable` when the file cannot be read as described
  ///   above, naming the group, dataset or attribute at fault; when its bytes differ from the checksum
  ///   at its beginning; and when a file of version 2 does not begin with one.
  public init(path: String, attributes names: [String] = publishedAttributes) throws {
    var block: WeightsBlock?
    file = try HDF5File(path: path) { descriptor, size in
      block = try WeightsBlock(of: descriptor, size: size, file: path)
      return block != nil
    }
    sha256 = block?.sha256
    name = file.name
    let description = try file.describe([.everything] + names.map { .attribute($0) })
    attributes = try file.attributes(in: description)
    let versions = attributes["format_version"]?.integers ?? []
    guard block != nil || !versions.contains(where: { $0 >= 2 }) else {
      throw file.invalid("is damaged: it is of version 2 and does not begin with its checksums")
    }
    (tensors, activationScales) = try Self.tensors(of: file, in: description)
    shapes = tensors.mapValues(\.values.shape)
  }

  /// What identifies a file of version 2: the SHA-256 of everything behind its first 512 bytes, 64
  /// hexadecimal digits, as the file says it. `nil` for a file of version 1.
  public let sha256: String?

  /// Compares the whole file with the SHA-256 that it says.
  ///
  /// - Throws: ``DepthError`` with code `unreadable` when they differ or the file cannot be read.
  public func verifyDigest() throws {
    guard let sha256 else { return }
    var digest = SHA256()
    try WeightsBlock.forEachPiece(of: file.descriptor, size: file.size, file: name) {
      digest.update($0)
    }
    guard digest.hexadecimal == sha256 else {
      throw file.invalid("is damaged: its bytes differ from their SHA-256")
    }
  }

  /// The scale of a convolution's input in 8 bits, where the file has one: `real = code · scale`.
  ///
  /// - Throws: ``DepthError`` with code `unreadable` when it cannot be read.
  public func activationScale(of layer: String) throws -> Float? {
    try activationScales[layer]?.floats().first
  }

  /// Length of the file.
  public var fileBytes: Int { file.size }

  /// Names of the attributes of the file's root.
  public var attributeNames: [String] { Array(attributes.keys) }

  public func text(_ attribute: String) -> String? { attributes[attribute]?.text }

  public func integers(_ attribute: String) -> [Int]? { attributes[attribute]?.integers }

  public func numbers(_ attribute: String) -> [Double]? { attributes[attribute]?.numbers }

  public func attributeDescription(_ attribute: String) -> String? {
    attributes[attribute]?.description
  }

  public func elements(of tensor: String) throws -> [Float] {
    let stored = try self.stored(tensor)
    return try [Float](unsafeUninitializedCapacity: stored.values.count) { buffer, initialized in
      try stored.read(
        into: UnsafeMutableBufferPointer(rebasing: buffer[..<stored.values.count]))
      initialized = stored.values.count
    }
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
      throw DepthError(.weightsMismatch, file: name, "there is no tensor '\(tensor)'")
    }
    return stored
  }
}

/// One tensor as it is in the file.
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
