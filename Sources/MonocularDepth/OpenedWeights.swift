import DepthBase
import DepthNetworks
import NetworkWeights
import SystemEssentials

/// The weights of one network, not read yet.
enum WeightsSource: Sendable {
  case file(URL)
  /// The bytes of a file, and what errors call it.
  case memory(Data, name: String)

  var name: String {
    switch self {
    case .file(let file): file.relativePath
    case .memory(_, let name): name
    }
  }

  /// Opens the file.
  ///
  /// - Throws: `DepthError`, naming the tensor or attribute at fault.
  func opened() throws -> OpenedWeights {
    switch self {
    case .file(let file):
      let archive = try HDF5WeightArchive(path: file.path(percentEncoded: false))
      return OpenedWeights(
        name: name, archive: archive, digest: WeightsDigest(of: archive),
        network: try DepthNetwork(archive))
    case .memory(let data, let name):
      let archive = try HDF5WeightArchive(bytes: data.span, name: name)
      // At once: the copy in memory is not kept for it.
      let digest = WeightsDigest(try archive.sha256 ?? archive.digestOfAllBytes())
      return OpenedWeights(
        name: name, archive: archive, digest: digest, network: try DepthNetwork(archive))
    }
  }
}

/// The weights of one network, checked and described, and its graph; kernels are read when they are needed.
struct OpenedWeights: Sendable {
  /// What errors call the file.
  let name: String
  let archive: HDF5WeightArchive
  let digest: WeightsDigest
  let network: DepthNetwork

  /// Opens several files at the same time: each is read to its end for its checksum.
  ///
  /// - Throws: `DepthError` of the first file at fault, naming the tensor or attribute.
  static func opened(_ sources: [WeightsSource], threads: Int) throws -> [OpenedWeights] {
    let opened = Monitor<[Int: OpenedWeights]>([:])
    try ThreadTeam.run(threads: min(threads, sources.count)) { team in
      try team.forEachThrowing(sources.count) { index in
        let weights = try sources[index].opened()
        opened.update { $0[index] = weights }
      }
    }
    return opened.read { opened in sources.indices.compactMap { opened[$0] } }
  }
}
