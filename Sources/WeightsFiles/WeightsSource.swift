import DepthBase
import DepthErrors
import DepthNetworks
package import SystemEssentials

/// The weights of one network, before they are read.
package enum WeightsSource: Sendable, Hashable {
  case file(URL)
  /// The bytes of a file, and its name in errors.
  case memory(Data, name: String)

  package var name: String {
    switch self {
    case .file(let file): file.relativePath
    case .memory(_, let name): name
    }
  }

  /// Length in bytes; 0 for a missing file.
  package var bytes: Int {
    switch self {
    case .file(let file): FileFacts(of: file)?.bytes ?? 0
    case .memory(let data, _): data.count
    }
  }

  /// `nil` for weights in memory.
  package var file: URL? {
    guard case .file(let file) = self else { return nil }
    return file
  }

  /// Opens the file.
  ///
  /// - Parameter kind: The kind given by the user, for published weights whose file does not state the kind.
  /// - Throws: `DepthError` with the name of the invalid tensor or attribute.
  package func opened(kind: WeightsKind?, givesNormals: Bool = false) throws -> OpenedWeights {
    switch self {
    case .file(let file):
      let archive = try Self.archive(path: file.path(percentEncoded: false), kind: kind)
      let network = try DepthNetwork(archive, givesNormals: givesNormals)
      let digest = WeightsDigest(of: archive)
      // A published file does not state its digest, so a thread hashes the file while the weights are packed.
      if archive.isPublished { _ = OwnThread.start { _ = try? digest.hexadecimal() } }
      return OpenedWeights(name: name, archive: archive, digest: digest, network: network)
    case .memory(let data, let name):
      let archive = try Self.archive(bytes: data.span, name: name, kind: kind)
      // Hashes at once, because the copy in memory is not kept.
      let digest = WeightsDigest(try archive.sha256 ?? archive.digestOfAllBytes())
      return OpenedWeights(
        name: name, archive: archive, digest: digest,
        network: try DepthNetwork(archive, givesNormals: givesNormals))
    }
  }

  /// Opens a weights file in any format, detected by its content: published safetensors or `.pth`, else HDF5.
  ///
  /// - Throws: `DepthError`.
  package static func archive(path: String, kind: WeightsKind?) throws -> any WeightsFile {
    if let file = try? RandomAccessFile(path: path), let arrays = try ArrayFile(file) {
      return try published(arrays, kind: kind)
    }
    return try HDF5WeightArchive(path: path)
  }

  private static func published(_ arrays: ArrayFile, kind: WeightsKind?) throws -> any WeightsFile {
    let names = arrays.arrays.keys
    let isMoGe = MoGe2Layout.isLikely(names)
    guard isMoGe || ZipDepthLayout.isLikely(names) else {
      return try DepthAnythingArchive(arrays, kind: kind)
    }
    guard kind == nil || kind == .relative && !isMoGe else {
      throw DepthError(
        .weightsMismatch, file: arrays.file.name,
        "gives \(isMoGe ? "metres" : "relative disparity") of any photo, expected no kind",
        cause: SettingAtFault.needlessWeightsKind)
    }
    return isMoGe ? try MoGe2Archive(arrays) : try ZipDepthArchive(arrays)
  }

  /// Opens a copy of weights in memory.
  static func archive(
    bytes: Span<UInt8>, name: String, kind: WeightsKind?
  ) throws -> any WeightsFile {
    if let arrays = try ArrayFile(RandomAccessFile(bytes: bytes, name: name)) {
      return try published(arrays, kind: kind)
    }
    return try HDF5WeightArchive(bytes: bytes, name: name)
  }
}
