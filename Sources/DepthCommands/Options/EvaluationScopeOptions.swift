import ArgumentParser
import DepthEvaluation

/// Frames and protocols of an evaluation.
struct EvaluationScopeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Measure sets of frames of several cameras, instead of DATASET.",
      discussion: """
        Each subfolder with rgb/, depth/ and camera.json is a set and makes a row. camera.json has focal_px, the \
        focal length in pixels of the photos, and may have depth_scale (values per metre in depth files; 1000 \
        otherwise) and rendered (true or false). Frames are measured as by per-image, where the true depth is between \
        0.1 and 10 m; scale is the median of ln(map / truth). Near sets, with a median distance below 1.2 m, and far \
        sets are summarized.
        """,
      valueName: "folder"),
    completion: .directory)
  var sets: String?

  @Option(
    help: ArgumentHelp(
      "With --sets: none withholds the focal lengths from the networks.", valueName: "none"),
    transform: FocalLengthWord.argument)
  var focalLength: FocalLengthWord?

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp(
      "Protocol; may be repeated.",
      discussion: EvaluationProtocol.allCases.map { "\($0.rawValue): \($0.summary)" }
        .joined(separator: "\n"),
      valueName: "name"))
  var protocols: [ProtocolChoice] = [.all]

  func validate() throws {
    if focalLength != nil, sets == nil { throw ValidationError("--focal-length requires --sets") }
    if let focalLength, focalLength.length != nil {
      throw ValidationError("--focal-length is \(focalLength.word), expected none")
    }
  }

  /// The protocols without duplicates.
  var chosenProtocols: [EvaluationProtocol] {
    var chosen: [EvaluationProtocol] = []
    for choice in protocols {
      for each in choice.protocols where !chosen.contains(each) { chosen.append(each) }
    }
    return chosen
  }
}

/// One protocol, or all of them.
struct ProtocolChoice: ExpressibleByArgument, Equatable {
  static var allValueStrings: [String] { EvaluationProtocol.allCases.map(\.rawValue) + ["all"] }

  let protocols: [EvaluationProtocol]

  static let all = ProtocolChoice(protocols: EvaluationProtocol.allCases)

  init(protocols: [EvaluationProtocol]) { self.protocols = protocols }

  init?(argument: String) {
    if argument == "all" {
      self = .all
    } else if let one = EvaluationProtocol(rawValue: argument) {
      self.init(protocols: [one])
    } else {
      return nil
    }
  }

  var defaultValueDescription: String {
    protocols.count > 1 ? "all" : protocols.first?.rawValue ?? ""
  }
}
