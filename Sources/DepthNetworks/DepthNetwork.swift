package import NeuralEngine

/// The network of a weights file, of any architecture.
package struct DepthNetwork: Sendable {
  /// The network's attributes in the weights file.
  package enum Configuration: Sendable, Equatable {
    case fcrn(FCRNConfiguration)
    case depthAnything(DepthAnythingConfiguration)
    case zipDepth(ZipDepthConfiguration)
    case moGe2(MoGe2Configuration)
  }

  package let configuration: Configuration
  /// The last node of the network's graph.
  package let output: Node
  /// The network's training shape, for one image.
  package let inputShape: Tensor.Shape

  /// Builds the network described by an archive, and checks that the archive contains exactly its weights.
  ///
  /// - Parameter givesNormals: Whether a network with a head for normals also outputs normals, which takes more
  ///   time.
  /// - Throws: `DepthError` that names the faulty tensor or attribute.
  package init(_ archive: any WeightArchive, givesNormals: Bool = false) throws {
    switch archive.text("architecture") {
    case DepthAnythingConfiguration.architecture:
      let network = try DepthAnythingV2(archive)
      configuration = .depthAnything(network.configuration)
      (output, inputShape) = (network.output, network.inputShape)
    case ZipDepthConfiguration.architecture:
      let network = try ZipDepth(archive)
      configuration = .zipDepth(network.configuration)
      (output, inputShape) = (network.output, network.inputShape)
    case MoGe2Configuration.architecture:
      let network = try MoGe2(archive, givesNormals: givesNormals)
      configuration = .moGe2(network.configuration)
      (output, inputShape) = (network.output, network.inputShape)
    default:
      let network = try FCRN(archive)
      configuration = .fcrn(network.configuration)
      (output, inputShape) = (network.output, network.inputShape)
    }
  }
}

extension DepthNetwork.Configuration {
  /// The network's name in its weights file.
  package var architecture: String {
    switch self {
    case .fcrn(let configuration): configuration.architecture.rawValue
    case .depthAnything: DepthAnythingConfiguration.architecture
    case .zipDepth: ZipDepthConfiguration.architecture
    case .moGe2: MoGe2Configuration.architecture
    }
  }
}
