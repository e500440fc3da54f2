import DepthBase
import DepthErrors
package import HDF5Files
import NeuralEngine
import SystemEssentials

/// Weights read from an HDF5 file: one group per layer, one dataset per parameter.
///
/// Datasets hold IEEE floats of 16, 32 or 64 bits in either byte order, contiguous or in chunks
/// with gzip and shuffle; chunks only with the package's trait HDF5. A `kernel` may also hold 8-bit integers; then a dataset `scale` in the
/// same group gives one factor per output channel, and the archive returns `kernel[o, …] ·
/// scale[o]`. The datasets `activation_scale` and `residual_scale` are the scales of the quantized maps
/// around the layer.
///
/// Opening a file reads and checks the description of all tensors; values are read on demand.
/// Several threads may read at the same time.
package struct HDF5WeightArchive: WeightArchive {
  package let name: String
  package let shapes: [String: [Int]]
  private let file: HDF5File
  private let tensors: [String: StoredTensor]
  /// Scales of maps by `<layer>/<dataset>`.
  private let mapScales: [String: HDF5Dataset]
  private let attributes: [String: HDF5Attribute]

  /// Attributes of a weights file, as `Documentation/Development/Weights-format.md` lists them.
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
  ///   - attributes: Names of the root's attributes to read; others are ignored.
  ///   - describer: Who describes the file's structure.
  /// - Throws: `DepthError`, naming the group, dataset or attribute at fault: with code
  ///   `unreadable` when the system cannot read the file, `unsupportedFormat` when its content is
  ///   not as described above, and `damaged` when its bytes differ from their checksum.
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

  /// Opens a file that is in memory, with the checks of a file on disk.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; not used after this call.
  ///   - name: What errors call it.
  ///   - describer: Who describes the file's structure.
  /// - Throws: `DepthError` as for a file with a path.
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
      // What looks like damage may be half of another file.
      try file.requireUnchanged()
      throw error
    }
    attributes = try file.attributes(in: description)
    let versions = attributes["format_version"]?.integers ?? []
    if block == nil, versions.contains(where: { $0 >= 2 }) { try Self.requireRewritten(file) }
    (tensors, mapScales) = try Self.tensors(of: file, in: description)
    shapes = tensors.mapValues(\.values.shape)
  }

  /// Checks that a file that once began with a block has lost it to a program that has rewritten the file, which copies
  /// the block, leaves it out or puts something else there. What nearly is a block is a damaged one.
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

  /// The SHA-256 that a file in this package's own layout states for everything behind its first 512 bytes, 64
  /// hexadecimal digits; `nil` for any other file.
  package let sha256: String?

  /// The SHA-256 of all bytes of the file, 64 hexadecimal digits.
  ///
  /// - Throws: `DepthError` with code `unreadable` when the file cannot be read, or somebody has written to it
  ///   since it was opened.
  package func digestOfAllBytes() throws -> String {
    var digest = SHA256()
    try WeightsBlock.forEachPiece(of: file.descriptor, from: 0, size: file.size, file: name) {
      digest.update(Array($0))
    }
    try file.requireUnchanged()
    return digest.hexadecimal
  }

  /// Compares the whole file with the SHA-256 that it states.
  ///
  /// - Throws: `DepthError` with code `damaged` when they differ, and `unreadable` when the file
  ///   cannot be read.
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
