import DepthErrors
import SystemEssentials

/// The unit of a published network's output, its maximum and its training camera.
struct WeightsMeaning: Sendable, Equatable {
  let kind: WeightsKind
  /// Maximum depth in metres; `nil` for relative disparity.
  let largestDepth: Double?
  /// Whether the file's name or content determines the kind. Otherwise the user gives the kind.
  let isInFile: Bool

  private static func unsettled(_ file: String, _ reason: String) -> DepthError {
    DepthError(.weightsMismatch, file: file, reason, cause: SettingAtFault.weightsKind)
  }

  /// The meaning of an authors' file.
  ///
  /// - Parameters:
  ///   - path: The file's path; a published name determines the kind.
  ///   - width: Token width.
  ///   - asked: The kind given by the user.
  /// - Throws: `DepthError` for the name of weights of the first version, and for an unknown kind.
  static func ofAuthorsFile(
    _ path: String, width: Int, asked: WeightsKind?
  ) throws -> WeightsMeaning {
    let stem = URL(filePath: path).deletingPathExtension().lastPathComponent
    guard !["s", "b", "l"].contains(where: { stem == "depth_anything_vit\($0)14" }) else {
      throw DepthError(
        .unsupportedFormat, file: path,
        "has the name of the first version's weights, expected Depth Anything V2")
    }
    let named = PublishedNetwork.all.first { $0.file == "\(stem).pth" && $0.width == width }?.kind
    guard asked == nil || named == nil || asked == named else {
      throw unsettled(
        path,
        "has the name of the \(named?.rawValue ?? "") weights, but the kind \(asked?.rawValue ?? "") is given"
      )
    }
    guard let kind = named ?? asked else {
      throw unsettled(
        path,
        "does not record its kind, expected it to be given: "
          + "indoor, outdoor or relative")
    }
    return WeightsMeaning(
      kind: kind, largestDepth: kind.largestDepth, isInFile: named != nil)
  }

  /// The meaning of a file of transformers.
  ///
  /// - Parameter config: The content of `config.json` beside the file.
  /// - Throws: `DepthError` for an unknown kind, and for a contradiction.
  static func ofHubFile(
    _ path: String, config: HubConfig?, asked: WeightsKind?
  ) throws -> WeightsMeaning {
    guard let config else {
      guard let asked else {
        throw unsettled(
          path,
          "has no config.json with its kind beside it: fetch it, or give the kind: indoor, outdoor or relative"
        )
      }
      return WeightsMeaning(kind: asked, largestDepth: asked.largestDepth, isInFile: false)
    }
    if let found = WeightsKind.allCases.first(where: { $0.largestDepth == config.largestDepth }) {
      guard asked == nil || asked == found else {
        throw unsettled(
          path,
          "config.json describes \(found.rawValue) weights, but the kind \(asked?.rawValue ?? "") is given"
        )
      }
      return WeightsMeaning(kind: found, largestDepth: found.largestDepth, isInFile: true)
    }
    guard let asked, asked != .relative else {
      throw unsettled(
        path,
        "config.json has the largest depth \(config.largestDepth ?? 0) m, neither 20 (indoor) nor 80 (outdoor): "
          + "give indoor or outdoor for the camera that the network was trained on")
    }
    return WeightsMeaning(kind: asked, largestDepth: config.largestDepth, isInFile: false)
  }
}
