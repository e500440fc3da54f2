import DepthErrors
import DepthImages
package import DepthNetworks
package import NeuralEngine
package import SystemEssentials
package import WeightsFiles

/// The description of a weights file, with a check of its content.
package struct WeightsReport: Sendable {
  package let configuration: DepthNetwork.Configuration
  package let fileBytes: Int
  /// The file's identifier, 64 hexadecimal digits. See ``DepthEstimator/weightsIdentifier()``.
  package let sha256: String
  /// Whether the file has its published form, which stores no digest.
  package let isPublished: Bool
  /// The published network whose digest a verified file has.
  package private(set) var published: PublishedNetwork?
  /// Whether a verified file matches the SHA-256 recorded when it was fetched.
  package private(set) var isAsKept = false
  package let tensors: Int
  /// Number of values in all tensors.
  package let parameters: Int
  /// The network's layers for the input size of its training.
  package let structure: NetworkStructure
  /// Attributes of the file's root by name, as text.
  package let attributes: [(name: String, value: String)]

  /// Opens a file, reads its attributes and checks every name and shape.
  ///
  /// - Parameter kind: The kind of published weights, as given by the user; used if the file
  ///   records none.
  /// - Throws: `DepthError` that names the faulty tensor or attribute.
  package init(_ file: URL, kind: WeightsKind? = nil) throws {
    try self.init(WeightsSource.archive(path: file.path(percentEncoded: false), kind: kind))
  }

  private init(_ archive: any WeightsFile) throws {
    let network = try DepthNetwork(archive, givesNormals: true)
    configuration = network.configuration
    structure = network.output.structure(forInput: network.inputShape)
    (fileBytes, isPublished) = (archive.fileBytes, archive.isPublished)
    sha256 = try WeightsDigest(of: archive).hexadecimal()
    tensors = archive.shapes.count
    parameters = archive.shapes.values.reduce(0) { $0 + $1.reduce(1, *) }
    attributes = archive.attributeNames.sorted().map { name in
      (name, archive.attributeDescription(name) ?? "")
    }
  }

  package var architecture: String { configuration.architecture }

  /// The size of the network's input and the scale of its values.
  package var input: String {
    switch configuration {
    case .fcrn(let c):
      "\(c.inputWidth)×\(c.inputHeight) RGB 0…255 · \(c.pixelScale) − \(c.pixelMean)"
    case .zipDepth(let c):
      "shorter side \(ZipDepthConfiguration.inputSide) RGB 0…255 · \(c.pixelScale) − \(c.pixelMean)"
    case .moGe2(let c):
      "\(MoGe2Configuration.usualTokens) patches of 14×14 RGB 0…255 · \(c.pixelScale) − \(c.pixelMean)"
    case .depthAnything(let c):
      "sides from \(c.trainedSide * DepthAnythingConfiguration.patch) on RGB 0…255 · \(c.pixelScale) − \(c.pixelMean)"
    }
  }

  /// The unit and the size of the network's output.
  package var output: String {
    switch configuration {
    case .fcrn(let c): "metres, \(c.outputSize.width)×\(c.outputSize.height)"
    case .zipDepth: "relative disparity, of the input's size"
    case .moGe2(let c):
      "metres, mask and field of view\(c.hasNormals ? ", normals" : ""), of the photo's size"
    case .depthAnything(let c):
      switch c.output {
      case .metres(let largest): "metres up to \(largest), of the input's size"
      case .relativeDisparity: "relative disparity, of the input's size"
      }
    }
  }

  /// Verifies the file's SHA-256, reads every value of every tensor and runs the network once.
  ///
  /// - Parameter networks: Networks with whose digests a published file is compared.
  /// - Throws: `DepthError` if the SHA-256 differs, if a value cannot be read, or if a value is not
  ///   finite.
  package static func verify(
    _ file: URL, kind: WeightsKind? = nil, among networks: [PublishedNetwork] = PublishedNetwork.all
  ) throws -> WeightsReport {
    let archive = try WeightsSource.archive(path: file.path(percentEncoded: false), kind: kind)
    var report = try WeightsReport(archive)
    try archive.verifyDigest()
    report.published = try archive.network(among: networks)
    report.isAsKept = archive.keptSHA256 != nil
    let estimator = try DepthEstimator(WeightsSelection(files: [file], kind: kind))
    let (height, width) = estimator.inputSize
    let gray = Image(
      height: height, width: width, pixels: [UInt8](repeating: 128, count: height * width * 3))
    let depth = try estimator.depth(of: gray, options: .unrefined)
    if let index = depth.values.firstIndex(where: { !$0.isFinite }) {
      throw DepthError.nonFinite(file: file.relativePath, name: "the output", index: index)
    }
    return report
  }
}
