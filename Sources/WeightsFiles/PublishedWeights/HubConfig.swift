import DepthBase
import DepthErrors
import SystemEssentials

/// The `config.json` beside weights of transformers, which contains facts that the weights lack.
struct HubConfig: Equatable {
  /// Maximum depth in metres; `nil` for relative disparity.
  let largestDepth: Double?
  /// Blocks after which maps are taken; `nil` if not stated.
  let takenBlocks: [Int]?

  private static let longest = 1 << 20

  /// Reads the file beside weights; `nil` without such a file.
  ///
  /// - Throws: `DepthError` for the configuration of another network.
  init?(besideWeights path: String) throws {
    let file = URL(filePath: path).deletingLastPathComponent().appending(path: "config.json")
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
      return nil
    }
    let name = file.relativePath
    try InputFile.requireOrdinaryFile(file)
    let bytes = try InputFile.bytes(of: file, maximumBytes: Self.longest)
    do {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      try self.init(decoder.decode(Description.self, from: Data(bytes)))
    } catch let fault as Fault {
      throw DepthError(.weightsMismatch, file: name, fault.reason)
    } catch {
      throw DepthError(
        .damaged, file: name, "is damaged, expected the configuration of a Depth Anything in JSON")
    }
  }

  private init(_ description: Description) throws {
    guard description.modelType == "depth_anything" else {
      throw Fault(reason: "does not describe Depth Anything")
    }
    let backbone = description.backboneConfig ?? Description.Backbone()
    let facts: [(name: String, isExpected: Bool, expected: String)] = [
      ("patch_size", description.patchSize ?? 14 == 14 && backbone.patchSize ?? 14 == 14, "14"),
      (
        "reassemble_factors", description.reassembleFactors ?? [4, 2, 1, 0.5] == [4, 2, 1, 0.5],
        "4, 2, 1 and 0.5"
      ),
      ("head_in_index", description.headInIndex ?? -1 == -1, "-1"),
      ("model_type of its backbone", backbone.modelType ?? "dinov2" == "dinov2", "dinov2"),
      ("hidden_act", backbone.hiddenAct ?? "gelu" == "gelu", "gelu"),
      ("layer_norm_eps", backbone.layerNormEps ?? 1e-6 == 1e-6, "1e-06"),
      ("mlp_ratio", backbone.mlpRatio ?? 4 == 4, "4"),
      ("apply_layernorm", backbone.applyLayernorm ?? true, "true"),
      ("use_swiglu_ffn", backbone.useSwigluFfn != true, "false"),
      ("reshape_hidden_states", backbone.reshapeHiddenStates != true, "false"),
    ]
    if let other = facts.first(where: { !$0.isExpected }) {
      throw Fault(reason: "has an unsupported \(other.name), expected \(other.expected)")
    }
    switch description.depthEstimationType ?? "relative" {
    case "relative": largestDepth = nil
    case "metric":
      guard let depth = description.maxDepth, depth > 0, depth.isFinite else {
        throw Fault(reason: "has no max_depth in metres")
      }
      largestDepth = depth
    case let other:
      throw Fault(reason: "has the depth_estimation_type '\(other)', expected relative or metric")
    }
    // "stage3" follows the third block.
    takenBlocks = try backbone.outFeatures?.map { stage in
      guard stage.hasPrefix("stage"), let block = Int(stage.dropFirst(5)), (1...999).contains(block)
      else { throw Fault(reason: "has out_features that name no blocks") }
      return block
    }
  }

  private struct Fault: Error { let reason: String }

  private struct Description: Decodable {
    struct Backbone: Decodable {
      var modelType, hiddenAct: String?
      var patchSize, mlpRatio: Int?
      var layerNormEps: Double?
      var applyLayernorm, useSwigluFfn, reshapeHiddenStates: Bool?
      var outFeatures: [String]?

      init() {}
    }

    let modelType, depthEstimationType: String?
    let patchSize, headInIndex: Int?
    let reassembleFactors: [Double]?
    let maxDepth: Double?
    let backboneConfig: Backbone?
  }
}
