import DepthBase
import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import WeightsFiles

/// Configuration and tensors of MoGe-2 files.
@Suite struct MoGe2ArchiveTests {
  /// The error for a file with few tensors and the given configuration.
  private func fault(
    _ config: PickledConfig?, tensors: [String: PublishedWeights.Tensor]? = nil
  ) -> String {
    let weights = PublishedWeights(
      tensors: tensors ?? ["encoder.backbone.cls_token": .init(shape: [1], values: [0])])
    do {
      _ = try WeightsSource.archive(
        bytes: weights.torchFile(config: config).span, name: "m.pt", kind: nil)
      return ""
    } catch { return "\(error)" }
  }

  @Test("published configurations of MoGe-2 give the network's layout")
  func publishedConfigurationsAreRead() throws {
    let layout = try MoGe2Layout(config(PublishedWeights.moGe2Config()), file: "m.pt")
    #expect((layout.width, layout.blocks, layout.neckBlocks) == (384, 12, 1))
    #expect(layout.takenBlocks == [6, 12] && layout.hasNormals && layout.outputs == 7)
    // The layout omits channel means, channel deviations and the mask token.
    #expect(tensors(of: layout) == 337 - 3)
    let large = PublishedWeights.moGe2Config(
      backbone: "dinov2_vitl14", width: 1024, layers: [5, 11, 17, 23], neckBlocks: 2)
    #expect(tensors(of: try MoGe2Layout(config(large), file: "m.pt")) == 521 - 3)
    let plain = try MoGe2Layout(
      config(
        PublishedWeights.moGe2Config(
          backbone: "dinov2_vitl14", width: 1024, layers: [5, 11, 17, 23], neckBlocks: 2,
          hasNormals: false)), file: "m.pt")
    #expect(!plain.hasNormals && plain.outputs == 4 && plain.takenBlocks == [6, 12, 18, 24])
  }

  /// The number of the authors' tensors that a layout reads.
  private func tensors(of layout: MoGe2Layout) -> Int {
    let sources = layout.sources.values
    return Set(sources.map(\.name)).union(sources.compactMap(\.factors)).count
  }

  private func config(_ pickled: PickledConfig) throws -> ModelConfig? {
    let weights = PublishedWeights(tensors: ["t": .init(shape: [1], values: [0])])
    let bytes = weights.torchFile(config: pickled)
    return try ArrayFile(RandomAccessFile(bytes: bytes.span, name: "m.pt"))?.config
  }

  @Test(
    "an unknown or missing setting of MoGe-2 is named",
    arguments: [
      (
        "encoder.backbone", PickledConfig.text("dinov2_vitg14"),
        "model_config.encoder.backbone is 'dinov2_vitg14'"
      ),
      (
        "encoder.intermediate_layers", .integers([11, 5]),
        "expected ascending numbers that end with 11"
      ),
      (
        "encoder.intermediate_layers", .integers([]),
        "model_config.encoder.intermediate_layers is []"
      ),
      ("encoder.dim_out", .integer(256), "model_config.encoder.dim_out is 256, expected 384"),
      (
        "neck.dim_res_blocks", .integers([384, 128, 128, 64, 32]),
        "expected [384, 256, 128, 64, 32]"
      ),
      ("neck.num_res_blocks", .integers([0, 1 << 30, 1 << 30, 1 << 30, 0]), "n of 1 to 8"),
      ("neck.res_block_in_norm", .text("group_norm"), "is 'group_norm', expected 'none'"),
      ("points_head.num_res_blocks", .integers([0, 2, 2, 2, 0]), "expected [0, 1, 1, 1, 0]"),
      ("mask_head.resamplers", .list([.text("pixel_shuffle")]), "is ['pixel_shuffle']"),
      (
        "remap_output", .text("sinh_exp"), "model_config.remap_output is 'sinh_exp', expected 'exp'"
      ),
    ])
  func otherConfigurationsAreRefusedByName(
    path: String, value: PickledConfig, words: String
  ) {
    let found = fault(PublishedWeights.moGe2Config(changes: [path: value]))
    #expect(found.contains(words), "\(found)")
    let missing = fault(PublishedWeights.moGe2Config(changes: [path: Optional<PickledConfig>.none]))
    #expect(missing.contains("model_config.\(path) is missing"), "\(missing)")
  }

  @Test("MoGe-2 without model_config is refused") func filesWithoutAConfigurationAreRefused() {
    #expect(fault(nil).contains("has no dictionary 'model_config'"))
    #expect(fault(.text("vits")).contains("has no dictionary 'model_config'"))
  }

  @Test("a missing tensor of MoGe-2 is named") func everyTensorIsRequired() {
    let found = fault(PublishedWeights.moGe2Config())
    #expect(found.contains("'encoder.backbone.blocks.0.attn.proj.bias' is missing"), "\(found)")
  }

  /// Each nested list holds one list ten times, so the file describes more values than its bytes.
  @Test("a configuration of more than 10000 values is refused") func repeatedListsAreBounded() {
    func nested(_ depth: Int) -> PickledConfig {
      depth == 0
        ? .integer(1) : .list([PickledConfig](repeating: nested(depth - 1), count: 10))
    }
    let found = fault(.dictionary([("encoder", nested(5))]))
    #expect(found.contains("a configuration of more than 10000 values"), "\(found)")
  }

  @Test("indoor weights cannot be MoGe-2") func otherKindsAreRefused() throws {
    let weights = PublishedWeights(
      tensors: ["encoder.backbone.cls_token": .init(shape: [1], values: [0])])
    #expect(throws: DepthError.self) {
      try WeightsSource.archive(
        bytes: weights.torchFile(config: PublishedWeights.moGe2Config()).span, name: "m.pt",
        kind: .indoor)
    }
  }
}
