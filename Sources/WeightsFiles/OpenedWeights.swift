import DepthBase
import DepthErrors
package import DepthNetworks

/// The weights of one network, checked and described, and its graph; kernels are read when they are needed.
package struct OpenedWeights: Sendable {
  /// How many networks one estimate may combine.
  package static let counts = 1...16

  /// The file's name in errors.
  package let name: String
  package let archive: any WeightsFile
  package let digest: WeightsDigest
  package let network: DepthNetwork

  /// Opens several files at the same time: each is read to its end for its checksum.
  ///
  /// - Throws: `DepthError` of the first file at fault, naming the tensor or attribute; also for a kind that no file needs.
  package static func opened(
    _ sources: [WeightsSource], kind: WeightsKind?, givesNormals: Bool = false, threads: Int
  ) throws -> [OpenedWeights] {
    let opened = try parallelMap(sources.count, threads: threads) { index in
      Result { try sources[index].opened(kind: kind, givesNormals: givesNormals) }
    }.map { try $0.get() }
    guard let kind, !opened.contains(where: \.archive.isPublished) else { return opened }
    throw DepthError(
      .weightsMismatch, file: opened.first?.name,
      "states what it was trained on, but \(kind.rawValue) was asked for",
      cause: SettingAtFault.needlessWeightsKind)
  }
}
