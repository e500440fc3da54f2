import SystemEssentials

/// A network as published by its authors.
package struct PublishedNetwork: Sendable {
  /// The name, such as `depth-anything-v2-metric-indoor-small`.
  package let name: String
  /// The file name, such as `depth_anything_v2_metric_hypersim_vits.pth`.
  package let file: String
  /// The base URL of the authors' repositories.
  package let address: String
  /// The path of the file below ``address``.
  package let path: String
  package let content: PublishedContent
  package let license: String
  /// The teacher network and its license; `nil` for none.
  package let teacher: String?
  /// The training data of Depth Anything V2, `relative` for ZipDepth, and `nil` for other networks.
  package let kind: WeightsKind?
  /// The estimated quantities and their units, in a few words.
  package let unit: String
  /// Token width of a Depth Anything V2 network.
  let width: Int?

  package init(
    name: String, file: String, address: String, path: String, content: PublishedContent,
    license: String, teacher: String? = nil, kind: WeightsKind?, unit: String? = nil,
    width: Int? = nil
  ) {
    (self.name, self.file, self.address, self.path) = (name, file, address, path)
    (self.content, self.license, self.teacher) = (content, license, teacher)
    (self.kind, self.width) = (kind, width)
    self.unit = unit ?? kind?.unit ?? "depth"
  }

  /// The base URL of the repositories of Depth Anything's authors.
  package static let depthAnything = "https://huggingface.co/depth-anything"

  package static let all =
    depthAnythingV2 + [
      zipDepth("zipdepth", "zipdepth_base.pth", "bc629a21c3e975fcbfc8cfc29b5179ca2cec8b06"),
      zipDepth("zipdepth-npu", "zipdepth_base_npu.pth", "5dbd1715b30f76d50c12db41e19e526fa3d7cdc7"),
      moGe2(
        "small", "vits-normal", "679230677b4d282c6f304189a93e98e14f085902", 140_550_416,
        "79a16621928c2bf0ed04659218c55c01075e950507f40bb3332fb4c873d3e1dc"),
      moGe2(
        "base", "vitb-normal", "54ad3a693e61907ea4633d13dec6ee682fa09419", 419_110_160,
        "16b8110e86d5dc5a849db120ca96ef3a223fd30b0c9146d1d81db504073da5f6"),
      moGe2(
        "large", "vitl-normal", "b135031bae30b5ac2ae141a0e68717795ce38340", 1_323_815_904,
        "280741fd09bc3f403ccff9967784c2a391b52d2c0742ae3efdb21d9f90cc1a01"),
      moGe2(
        "large-plain", "vitl", "39c4d5e957afe587e04eec59dc2bcc3be5ecd968", 1_305_030_700,
        "3eefd4abb2102f38f12b2d1992e5ff15e4923e5431c67dd494afe157e0111cd5"),
    ]

  /// Sizes and digests, each confirmed by at least two public lists.
  private static let depthAnythingV2 = [
    small(
      .relative, 99_218_434, "715fade13be8f229f8a70cc02066f656f2423a59effd0579197bbf57860e1378"),
    small(.indoor, 99_222_290, "b782898d8a3e8be1f639de33837ed85e9b4b73e40f8f5e5cd99067588d722545"),
    small(.outdoor, 99_221_808, "9203e538d35255c90dda4b7fedb47ff33fe725497bcca3b1e53b3a65ee63f0cb"),
    base(
      .relative, 389_961_218, "0d2b7002e62d39d655571c371333340bd88f67ab95050c03591555aa05645328"),
    base(.indoor, 389_965_138, "9dc9e274c5eff55c6daf27b660c0ced0eca4e8593a6da90cdcb04d2b4d3f3fa2"),
    base(.outdoor, 389_964_656, "4dad67a7cc10b462bca48e6b8569c762b8eb3c1adada170a3851a6d3ba37bb3e"),
    large(
      .relative, 1_341_395_338, "a7ea19fa0ed99244e67b624c72b8580b7e9553043245905be58796a608eb9345"),
    large(
      .indoor, 1_341_401_882, "6f82ff2bc543ac02ddff4aa31fa363676a8305dd3ccf04e80e2af115a044cb6d"),
    large(
      .outdoor, 1_341_401_064, "239b1054a369e66da2576e9a118d6d7c12d90dc8ebe609579a9a09cd8e05fe38"),
  ]

  /// The network with this name; `nil` for other names.
  package static func named(_ name: String) -> PublishedNetwork? { all.first { $0.name == name } }

  /// A summary such as "99 MB, Apache-2.0, metres up to 20".
  package var summary: String {
    let limit = content.limit
    let size = limit < 1_000_000_000 ? "\(limit / 1_000_000) MB" : "1.3 GB"
    let terms = license.contains("-NC-") ? "\(license): not for commercial use" : license
    return [
      content.bytes == nil ? "at most \(size)" : size, terms, teacher.map { "taught by \($0)" },
      unit,
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// Notes below the list: the training data of ZipDepth, and the meaning of its checksum.
  package static let notes = """
    ZipDepth learned from maps of Depth Anything V2 Large, whose weights are licensed under CC-BY-NC-4.0. Its authors publish its weights \
    under MIT without mentioning this.
    Its files are checked by git's SHA-1, which shows that a file is the one in the authors' repository at revision \
    \(zipDepthRevision.prefix(7)).
    Only one public list gives the size and the checksum of moge-2-large-plain.

    """

  private static let zipDepthRevision = "a302e5437bc58f15c4efd41d3e8222bf24f7d470"

  private static func zipDepth(_ name: String, _ file: String, _ blob: String) -> Self {
    Self(
      name: name, file: file, address: "https://github.com/fabiotosi92",
      path: "ZipDepth/raw/\(zipDepthRevision)/checkpoints/\(file)",
      content: .gitBlob(blob, atMost: 28_000_000), license: "MIT",
      teacher: "Depth Anything V2 Large (CC-BY-NC-4.0)", kind: .relative)
  }

  private static func moGe2(
    _ size: String, _ repository: String, _ revision: String, _ bytes: Int, _ digest: String
  ) -> Self {
    let hasNormals = repository.hasSuffix("normal")
    return Self(
      name: "moge-2-\(size)", file: "moge-2-\(repository).pt",
      address: "https://huggingface.co/Ruicheng",
      path: "moge-2-\(repository)/resolve/\(revision)/model.pt",
      content: .sha256(digest, bytes: bytes), license: "MIT", kind: nil,
      unit: "metres\(hasNormals ? ", normals" : ""), mask and field of view of any photo")
  }

  private static func small(_ kind: WeightsKind, _ bytes: Int, _ digest: String) -> Self {
    Self(kind, "small", "vits", 384, bytes, digest, license: "Apache-2.0")
  }
  private static func base(_ kind: WeightsKind, _ bytes: Int, _ digest: String) -> Self {
    Self(kind, "base", "vitb", 768, bytes, digest, license: "CC-BY-NC-4.0")
  }
  private static func large(_ kind: WeightsKind, _ bytes: Int, _ digest: String) -> Self {
    Self(kind, "large", "vitl", 1024, bytes, digest, license: "CC-BY-NC-4.0")
  }

  private init(
    _ kind: WeightsKind, _ size: String, _ encoder: String, _ width: Int, _ bytes: Int,
    _ digest: String, license: String
  ) {
    let data =
      switch kind {
      case .relative: ""
      case .indoor: "hypersim_"
      case .outdoor: "vkitti_"
      }
    let repository =
      switch kind {
      case .relative: ""
      case .indoor: "Metric-Hypersim-"
      case .outdoor: "Metric-VKITTI-"
      }
    let isMetric = kind != .relative
    let file = "depth_anything_v2_\(isMetric ? "metric_" : "")\(data)\(encoder).pth"
    self.init(
      name: "depth-anything-v2-\(isMetric ? "metric-\(kind.rawValue)-" : "")\(size)", file: file,
      address: Self.depthAnything,
      path: "Depth-Anything-V2-\(repository)\(size.capitalized)/resolve/main/\(file)",
      content: .sha256(digest, bytes: bytes), license: license, kind: kind, width: width)
  }
}
