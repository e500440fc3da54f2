import DepthBase
import DepthErrors
package import DepthNetworks

/// The checked weights of one network and its graph. Kernels are read on demand.
package struct OpenedWeights: Sendable {
  /// Allowed numbers of networks in one estimate.
  package static let counts = 1...16

  /// The file's name in errors.
  package let name: String
  package let archive: any WeightsFile
  package let digest: WeightsDigest
  package let network: DepthNetwork

  /// Opens several files concurrently, and reads each file completely to verify the checksum.
  ///
  /// - Throws: `DepthError` for the first invalid file, with the name of the tensor or attribute; `DepthError` for a
  ///   `kind` that no file needs.
  package static func opened(
    _ sources: [WeightsSource], kind: WeightsKind?, givesNormals: Bool = false, threads: Int
  ) throws -> [OpenedWeights] {
    let opened = try parallelMap(sources.count, threads: threads) { index in
      Result { try sources[index].opened(kind: kind, givesNormals: givesNormals) }
    }.map { try $0.get() }
    guard let kind, !opened.contains(where: \.archive.isPublished) else { return opened }
    throw DepthError(
      .weightsMismatch, file: opened.first?.name,
      "records what it was trained on, but the kind \(kind.rawValue) is given",
      cause: SettingAtFault.needlessWeightsKind)
  }
}
