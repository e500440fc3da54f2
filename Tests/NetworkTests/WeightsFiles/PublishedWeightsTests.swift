import DepthErrors
import Foundation
import NeuralEngine
import Testing
import _TestSupport

@testable import WeightsFiles

/// Depth Anything V2, read directly from published files.
@Suite struct PublishedWeightsTests {
  private static let weights = GeneratedWeights.depthAnything(PublishedWeights.sizes)

  private func opened(
    _ bytes: [UInt8], as name: String = "weights.bin", kind: WeightsKind? = .indoor,
    config: String? = nil
  ) throws -> any WeightsFile {
    let folder = try TemporaryFolder()
    let file = try folder.write(bytes, to: name)
    if let config { _ = try folder.write(Array(config.utf8), to: "config.json") }
    return try WeightsSource.archive(path: file, kind: kind)
  }

  /// Files with both naming schemes, in both containers, with and without ZIP64.
  private static func files(_ number: PublishedWeights.Number) throws -> [[UInt8]] {
    let authors = try PublishedWeights(weights)
    let hub = authors.ofTransformers
    return [
      authors.safetensors(number), hub.safetensors(number), authors.torchFile(number),
      hub.torchFile(number, hasByteOrder: false), authors.torchFile(number, isZIP64: true),
    ]
  }

  @Test(
    "safetensors and PyTorch files of both naming schemes have equal values",
    arguments: PublishedWeights.Number.allCases)
  func everyFormHoldsTheSameNumbers(number: PublishedWeights.Number) throws {
    for bytes in try Self.files(number) {
      let archive = try opened(bytes)
      #expect(archive.shapes == Self.weights.shapes)
      for (name, shape) in Self.weights.shapes {
        let factor = PublishedWeights.factor(of: name)
        let expected = try Self.weights.elements(of: name)
          .map { number.rounded($0 / factor) * factor }
        #expect(try archive.elements(of: name) == expected, "\(name)")
        let rows = shape[0] / 3..<shape[0]
        let row = expected.count / shape[0]
        #expect(
          try archive.elements(of: name, rows: rows) == Array(expected[(rows.lowerBound * row)...]),
          "rows of \(name)")
      }
    }
  }

  @Test("attributes of published weights follow from their kind")
  func attributesAreThoseOfTheKind() throws {
    let file = try PublishedWeights(Self.weights).ofTransformers.safetensors()
    let config = #"{"model_type":"depth_anything","depth_estimation_type":"metric","max_depth":80}"#
    let outdoor = try opened(file, kind: nil, config: config)
    #expect(outdoor.text("output_unit") == "metre" && outdoor.numbers("largest_depth") == [80])
    let length = try #require(outdoor.numbers("training_focal_length")?.first)
    #expect(abs(length - 725.0 / 1242) < 1e-6)
    let relative = try opened(file, kind: .relative)
    #expect(relative.text("output_unit") == "relative disparity")
    #expect(relative.numbers("largest_depth") == nil)
    #expect(relative.integers("taken_blocks") == [3, 6, 9, 12])
    #expect(try relative.digestOfAllBytes().hasSuffix("+relative"))
    #expect(try outdoor.digestOfAllBytes().count == 64)
  }

  private func expectRefusal(
    _ words: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ open: () throws -> any WeightsFile
  ) {
    do {
      _ = try open()
      Issue.record("not refused, expected: \(words)", sourceLocation: sourceLocation)
    } catch {
      #expect("\(error)".contains(words), "\(error)", sourceLocation: sourceLocation)
    }
  }

  /// A read from the pipe would wait forever for a writer.
  @Test("a named pipe as config.json is refused unread") func aPipeBesideWeightsIsNotRead() throws {
    let folder = try TemporaryFolder()
    let hub = try PublishedWeights(Self.weights).ofTransformers
    let file = try folder.write(hub.safetensors(), to: "model.safetensors")
    try #require(mkfifo(folder.path("config.json"), 0o600) == 0)
    expectRefusal("config.json: is a named pipe, expected a file") {
      try WeightsSource.archive(path: file, kind: .indoor)
    }
  }

  @Test("published weights of unknown or contradictory kind are refused")
  func unknownOrContradictoryKindIsRefused() throws {
    let authors = try PublishedWeights(Self.weights)
    let hub = authors.ofTransformers.safetensors()
    expectRefusal("expected it to be given: indoor, outdoor or relative") {
      try opened(authors.torchFile(), kind: nil)
    }
    expectRefusal("no config.json") { try opened(hub, kind: nil) }
    expectRefusal("first version's") {
      try opened(authors.torchFile(), as: "depth_anything_vits14.pth")
    }
    let metric = #"{"model_type":"depth_anything","depth_estimation_type":"metric","max_depth":20}"#
    expectRefusal("describes indoor weights, but the kind outdoor is given") {
      try opened(hub, kind: .outdoor, config: metric)
    }
    for (words, config) in [
      ("does not describe Depth Anything", #"{"model_type":"dpt"}"#), ("is damaged", "["),
      ("an unsupported patch_size", #"{"model_type":"depth_anything","patch_size":16}"#),
      ("no max_depth", #"{"model_type":"depth_anything","depth_estimation_type":"metric"}"#),
      ("neither 20 (indoor) nor 80", metric.replacing("20", with: "30")),
      (
        "name no blocks",
        #"{"model_type":"depth_anything","backbone_config":{"out_features":["stem"]}}"#
      ),
      (
        "takes maps after blocks [2, 5, 8, 11], Depth Anything V2 after [3, 6, 9, 12]",
        Self.config(taken: [2, 5, 8, 11])
      ),
    ] {
      expectRefusal(words) { try opened(hub, kind: nil, config: config) }
    }
    for (name, value) in [
      ("hidden_act", #""relu""#), ("use_swiglu_ffn", "true"), ("reshape_hidden_states", "true"),
      ("apply_layernorm", "false"), ("mlp_ratio", "5"), ("layer_norm_eps", "0.1"),
    ] {
      let config = #"{"model_type":"depth_anything","backbone_config":{"\#(name)":\#(value)}}"#
      expectRefusal("an unsupported \(name)") { try opened(hub, kind: nil, config: config) }
    }
  }

  @Test(
    "a kind that contradicts the file's name is refused",
    arguments: WeightsKind.allCases)
  func namesSettleTheKind(asked: WeightsKind) throws {
    let file = "depth_anything_v2_metric_hypersim_vits.pth"
    guard asked != .indoor else {
      #expect(try WeightsMeaning.ofAuthorsFile(file, width: 384, asked: asked).isInFile)
      return
    }
    let error = #expect(throws: DepthError.self) {
      try WeightsMeaning.ofAuthorsFile(file, width: 384, asked: asked)
    }
    let words = "has the name of the indoor weights, but the kind \(asked.rawValue) is given"
    #expect(error?.description.contains(words) == true)
  }

  private static func config(taken: [Int]) -> String {
    let stages = taken.map { "\"stage\($0)\"" }.joined(separator: ",")
    return #"{"model_type":"depth_anything","backbone_config":{"out_features":[\#(stages)]}}"#
  }

  @Test("an unpublished number of blocks needs a configuration")
  func otherNumbersOfBlocksNeedAConfiguration() throws {
    var sizes = PublishedWeights.sizes
    (sizes.blocks, sizes.takenBlocks) = (4, [1, 2, 3, 4])
    let authors = try PublishedWeights(.depthAnything(sizes))
    let hub = authors.ofTransformers.safetensors()
    let archive = try opened(hub, kind: nil, config: Self.config(taken: [1, 2, 3, 4]))
    #expect(archive.integers("taken_blocks") == [1, 2, 3, 4])
    expectRefusal("cannot be taken after blocks [2, 1, 3, 4] of 4") {
      try opened(hub, kind: nil, config: Self.config(taken: [2, 1, 3, 4]))
    }
    expectRefusal("has 4 blocks, and does not record") { try opened(authors.torchFile()) }
  }

  @Test("a missing, foreign or misshapen published tensor is named")
  func networksThatAreNotWholeAreRefused() throws {
    let authors = try PublishedWeights(Self.weights)
    let projection = "depth_head.projects.1.weight"
    for (words, name, change) in [
      ("'\(projection)' is missing", projection, { $0 = nil }),
      ("expected 5×64×1×1", projection, { $0?.shape = [5, 32, 2, 1] }),
      ("expected 4", projection, { $0?.shape = [5, 64] }),
      ("not finite", projection, { $0?.values[7] = .nan }),
      ("'pretrained.pos_embed' is missing", "pretrained.pos_embed", { $0 = nil }),
      (
        "'pretrained.blocks.2.ls1.gamma' is missing", "pretrained.blocks.2.ls1.gamma", { $0 = nil }
      ),
      (
        "does not belong to Depth Anything V2", "depth_head.scratch.refinenet5.out_conv.weight",
        { $0 = .init(shape: [1], values: [0]) }
      ),
    ] as [(String, String, (inout PublishedWeights.Tensor?) -> Void)] {
      var changed = authors
      change(&changed.tensors[name])
      for bytes in [changed.safetensors(), changed.torchFile()] {
        expectRefusal(words) {
          let archive = try opened(bytes)
          for tensor in archive.shapes.keys { _ = try archive.elements(of: tensor) }
          return archive
        }
      }
    }
    var hub = authors.ofTransformers
    hub.tensors["backbone.encoder.layer.0.attention.attention.key.bias"] = nil
    expectRefusal("the key of") { try opened(hub.safetensors()) }
    hub = authors.ofTransformers
    hub.tensors["neck.readout"] = .init(shape: [1], values: [0])
    expectRefusal("'neck.readout' does not belong") { try opened(hub.safetensors()) }
  }
}
