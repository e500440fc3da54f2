import DepthBase
import DepthErrors
package import HDF5Files
import NeuralEngine
import SystemEssentials

/// Weights in an HDF5 file, with one group per layer and one dataset per parameter.
///
/// Datasets contain IEEE floats of 16, 32 or 64 bits in either byte order. They are contiguous or, with the package trait
/// HDF5, in chunks with gzip and shuffle. A `kernel` may also contain 8-bit integers. A dataset `scale` in the same group
/// then gives one factor per output channel, and the archive returns `kernel[o, …] · scale[o]`. The datasets
/// `activation_scale` and `residual_scale` are the scales of the quantized maps around the layer.
///
/// Opening a file checks the description of all tensors; values are read on demand, concurrently if needed.
package struct HDF5WeightArchive: WeightArchive {
  package let name: String
  package let shapes: [String: [Int]]
  private let file: HDF5File
  private let tensors: [String: StoredTensor]
  /// Scales of maps, keyed by `<layer>/<dataset>`.
  private let mapScales: [String: HDF5Dataset]
  private let attributes: [String: HDF5Attribute]

  /// Attributes of a weights file, as listed in `Documentation/Development/Weights-format.md`.
  package static let publishedAttributes = [
    "architecture", "bn_epsilon", "bn_folded", "channel_order", "content", "decoder_widths",
    "final_relu", "focal_exponent", "format_name", "format_version", "global_context", "heads",
    "input_height", "input_side", "input_width", "int8_delta1_loss", "kernel_layout", "kernel_type",
    "largest_depth", "license", "log_range_widening", "other_camera_error_factor",
    "output_activation", "output_unit", "outputs", "pixel_mean", "pixel_scale",
    "skip_connections", "source_format", "source_name", "source_sha256", "taken_blocks",
    "training_focal_length", "upproj_padding", "width_divisor",
  ]

  /// Opens the file at `path` and lists its tensors.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - attributes: Names of the root's attributes to read. All other attributes are ignored.
  ///   - describer: Describes the file's structure.
  /// - Throws: `DepthError` with the name of the invalid group, dataset or attribute. The error's code is `unreadable` if
  ///   the system cannot read the file, `unsupportedFormat` for content not described above, and `damaged` for bytes that
  ///   contradict the checksum.
  package init(
    path: String, attributes names: [String] = publishedAttributes,
    describer: HDF5Describer = .inThisBuild
  ) throws {
    var block: WeightsBlock?
    let file = try HDF5File(path: path, describer: describer) { descriptor, size in
      block = try WeightsBlock(of: descriptor, size: size, file: path)
      return block?.verification(of: descriptor, size: size, file: path)
    }
    try self.init(file, block: block, attributes: names)
  }

  /// Opens a file in memory, with the same checks as for a file on disk.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; not used after this call.
  ///   - name: The file's name in errors.
  ///   - describer: Describes the file's structure.
  /// - Throws: `DepthError`, as for a file on disk.
  package init(
    bytes: Span<UInt8>, name: String, describer: HDF5Describer = .inThisBuild
  ) throws {
    var block: WeightsBlock?
    let file = try unsafe bytes.withUnsafeBytes { bytes in
      try unsafe HDF5File(bytes: bytes, name: name, describer: describer) { descriptor, size in
        block = try WeightsBlock(of: descriptor, size: size, file: name)
        return block?.verification(of: descriptor, size: size, file: name)
      }
    }
    try self.init(file, block: block, attributes: Self.publishedAttributes)
  }

  private init(_ file: HDF5File, block: WeightsBlock?, attributes names: [String]) throws {
    self.file = file
    sha256 = block?.sha256
    name = file.name
    let description: HDF5Description
    do {
      description = try file.describe([.everything] + names.map { .attribute($0) })
    } catch {
      // Apparent damage may be due to a concurrent change of the file.
      try file.requireUnchanged()
      throw error
    }
    attributes = try file.attributes(in: description)
    let versions = attributes["format_version"]?.integers ?? []
    if block == nil, versions.contains(where: { $0 >= 2 }) { try Self.requireRewritten(file) }
    (tensors, mapScales) = try Self.tensors(of: file, in: description)
    shapes = tensors.mapValues(\.values.shape)
  }

  /// Checks that a file without a valid block was rewritten by a program that copies, omits or replaces the block.
  ///
  /// A start that nearly equals a block is a damaged block.
  ///
  /// - Throws: `DepthError` with code `damaged`.
  private static func requireRewritten(_ file: HDF5File) throws {
    guard file.start == WeightsBlock.count else { return }
    var start = [UInt8](repeating: 0, count: WeightsBlock.magic.count)
    guard unsafe pread(file.descriptor, &start, start.count, 0) == start.count else {
      throw DepthError.unreadable(file: file.name, reason: "cannot be read")
    }
    let equal = zip(start, WeightsBlock.magic).count { $0 == $1 }
    guard equal < start.count / 2 || equal == start.count else {
      throw file.invalid("is damaged: it is of version 2, but does not begin with its checksums")
    }
  }

  /// The SHA-256 that a file of this package states for all bytes after the first 512, as 64 hexadecimal digits; `nil` for
  /// other files.
  package let sha256: String?

  /// The SHA-256 of all bytes of the file, as 64 hexadecimal digits.
  ///
  /// - Throws: `DepthError` with code `unreadable` if the file is unreadable or was modified since it was opened.
  package func digestOfAllBytes() throws -> String {
    var digest = SHA256()
    try WeightsBlock.forEachPiece(of: file.descriptor, from: 0, size: file.size, file: name) {
      digest.update(Array($0))
    }
    try file.requireUnchanged()
    return digest.hexadecimal
  }

  /// Compares the file with its stated SHA-256.
  ///
  /// - Throws: `DepthError`: code `damaged` if the digests differ; code `unreadable` for an unreadable file.
  package func verifyDigest() throws {
    guard let sha256 else { return }
    var digest = SHA256()
    try WeightsBlock.forEachPiece(of: file.descriptor, size: file.size, file: name) {
      digest.update(Array($0))
    }
    guard digest.hexadecimal == sha256 else {
      throw file.invalid("is damaged: its bytes differ from their SHA-256")
    }
  }

  package func inputScale(of layer: String) throws -> Float? {
    try mapScales["\(layer)/activation_scale"]?.floats().first
  }

  package func residualScale(of layer: String) throws -> Float? {
    try mapScales["\(layer)/residual_scale"]?.floats().first
  }

  package func factors(of tensor: String) throws -> [Float]? {
    try stored(tensor).scale?.floats()
  }

  /// Length of the file in bytes.
  package var fileBytes: Int { file.size }

  /// Names of the attributes of the file's root.
  package var attributeNames: [String] { Array(attributes.keys) }

  package func text(_ attribute: String) -> String? { attributes[attribute]?.text }

  package func integers(_ attribute: String) -> [Int]? { attributes[attribute]?.integers }

  package func numbers(_ attribute: String) -> [Double]? { attributes[attribute]?.numbers }

  package func attributeDescription(_ attribute: String) -> String? {
    attributes[attribute]?.description
  }

  package func elements(of tensor: String) throws -> [Float] {
    let stored = try self.stored(tensor)
    return try stored.scaled(stored.values.floats(), rows: nil)
  }

  package func elements(of tensor: String, rows: Range<Int>) throws -> [Float] {
    guard readsRows(of: tensor) else {
      return try elementsByReadingAll(of: tensor, rows: rows)
    }
    let stored = try self.stored(tensor)
    return try stored.scaled(stored.values.floats(rows: rows), rows: rows)
  }

  package func integers(of tensor: String, rows: Range<Int>) throws -> [Int8]? {
    let stored = try self.stored(tensor)
    guard stored.scale != nil, stored.values.isContiguous else { return nil }
    return try stored.values.bytes(rows: rows)
  }

  package func readsRows(of tensor: String) -> Bool {
    tensors[tensor]?.values.isContiguous ?? false
  }

  private func stored(_ tensor: String) throws -> StoredTensor {
    guard let stored = tensors[tensor] else {
      throw DepthError(.weightsMismatch, file: name, "has no tensor '\(tensor)'")
    }
    return stored
  }
}
