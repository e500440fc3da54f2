import DepthErrors
package import NeuralEngine

/// The attributes and shapes of weights of MoGe-2.
package struct MoGe2Configuration: Sendable, Equatable {
  /// The name in weights files.
  package static let architecture = "moge-2"
  /// Rows and columns of a patch, pixels.
  package static let patch = DINOv2.patch
  /// The supported numbers of patches, and the default.
  package static let tokenCounts = 400...3600
  package static let usualTokens = 1200
  /// Pixels of the finest level along each side of a patch.
  package static let finestScale = 16

  /// Channels of levels 1 to 3 of the neck and the heads. Level 0 has the encoder's channels.
  static let ladder = [256, 128, 64]
  private static let mostNeckBlocks = 8

  let encoder: DINOv2.Size
  /// Residual blocks at each of the neck's levels 1 to 3; a head has one block at each level.
  let neckBlocks: Int
  /// Whether the network has a head for normals.
  package let hasNormals: Bool
  /// Network input = pixel · scale − mean, pixel in 0…255, one value per channel, red first.
  package let pixelScale, pixelMean: [Float]

  /// Outputs of the finest level: a, b and ln z of the points, the mask, and the normals.
  var outputs: Int { hasNormals ? 7 : 4 }

  /// - Throws: `DepthError` with code `weightsMismatch` if an attribute or a tensor is missing or has an unsupported value.
  package init(_ archive: any WeightArchive) throws {
    let read = AttributeReader(archive: archive)
    try read.expectPublished(Self.architecture)
    try read.expect("output_unit", "metre")
    let shapes = ShapeReader(archive: archive)
    let width = try shapes.channels("patch_embed/kernel")
    let heads = try read.integer("heads", in: 1...64)
    guard width == heads * Attention.headWidth else {
      throw read.refused("heads", "one for each \(Attention.headWidth) of \(width) channels")
    }
    let blocks = try shapes.blocks(in: 1...64)
    let taken = try read.integers(
      "taken_blocks", count: archive.integers("taken_blocks")?.count ?? 0, in: 1...blocks)
    guard taken.last == blocks, zip(taken, taken.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw read.refused("taken_blocks", "ascending numbers that end with \(blocks)")
    }
    encoder = DINOv2.Size(
      width: width, heads: heads, hidden: try shapes.channels("blocks.0.mlp.fc1/kernel"),
      blocks: blocks, takenBlocks: taken,
      trainedSide: try read.integer("input_side", in: 252...1036) / Self.patch)
    neckBlocks =
      (0..<Self.mostNeckBlocks).prefix {
        archive.shapes["neck.res_blocks.1.\($0).layers.2/kernel"] != nil
      }.count
    hasNormals = archive.shapes["normal_head.input_blocks.0/kernel"] != nil
    pixelScale = try read.numbers("pixel_scale", count: 3, in: -1e6...1e6).map(Float.init)
    pixelMean = try read.numbers("pixel_mean", count: 3, in: -1e6...1e6).map(Float.init)
  }

  /// The grid of patches of a photo.
  ///
  /// - Parameter tokens: The requested number of patches, which the grid has only approximately.
  package static func patchGrid(
    height: Int, width: Int, tokens: Int
  ) -> (rows: Int, columns: Int) {
    let aspect = Double(width) / Double(height)
    // Halves are rounded to even, as in Python.
    func rounded(_ area: Double) -> Int { Int(area.squareRoot().rounded(.toNearestOrEven)) }
    return (max(1, rounded(Double(tokens) / aspect)), max(1, rounded(Double(tokens) * aspect)))
  }
}
