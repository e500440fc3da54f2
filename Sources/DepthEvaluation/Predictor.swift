import DepthBase
import DepthErrors
package import DepthImages
import DepthNetworks
package import DepthRefinement
package import MonocularDepth
import PictureFiles
package import SystemEssentials

/// A source of predicted maps.
package struct Predictor: Sendable {
  /// The name in tables.
  package let name: String
  /// Whether its maps are relative disparity, which only aligning protocols measure.
  package private(set) var isRelative = false
  /// Size of the landscape input for ``Framing``; the published one by default.
  private var inputSize = (height: 228, width: 304)
  private let prediction: @Sendable (EvaluationFrame, Framing) throws -> Prediction

  /// - Parameter prediction: Returns the map for the part of the frame's photo that the framing selects, in metres or disparity
  ///   and of any size.
  package init(
    name: String, prediction: @escaping @Sendable (EvaluationFrame, Framing) throws -> DepthMap
  ) {
    self.init(name: name, estimate: { Prediction(map: try prediction($0, $1), expectedError: nil) })
  }

  private init(
    name: String, estimate: @escaping @Sendable (EvaluationFrame, Framing) throws -> Prediction
  ) {
    (self.name, prediction) = (name, estimate)
  }

  /// Creates a predictor from a network.
  package init(_ estimator: DepthEstimator, name: String) {
    let size = estimator.inputSize
    self.init(name: name) { frame, framing -> Prediction in
      let photo = framing.photo(frame.photo, inputHeight: size.height, inputWidth: size.width)
      var options = DepthOptions.unrefined
      options.camera =
        switch frame.camera {
        case .unsaid: .automatic
        case .given(let camera): .given(camera)
        case .uncorrected: .uncorrected
        }
      let estimate = try estimator.estimate(of: photo, options: options)
      return Prediction(map: estimate.depth, expectedError: estimate.cameraUncertainty)
    }
    inputSize = size
    isRelative = estimator.unit == .relativeDisparity
  }

  /// Returns whether a protocol can measure its maps: relative disparity must be aligned.
  func isMeasured(by evaluation: EvaluationProtocol) -> Bool {
    !isRelative || evaluation.adjustment() == .disparityAlignment
  }

  /// Throws if no protocol can measure its maps.
  ///
  /// - Throws: `DepthError` with code `unknownUnit`.
  package func check(_ protocols: [EvaluationProtocol]) throws {
    guard !protocols.contains(where: isMeasured) else { return }
    throw DepthError(
      .unknownUnit, file: name,
      "gives relative disparity, which cannot be measured in metres, expected the protocol aligned",
      cause: SettingAtFault.evaluationProtocol)
  }

  /// The predictor with its maps refined by its part of the photo.
  package func refined(by method: RefinementMethod.Name) -> Predictor {
    let size = inputSize
    var refined = Predictor(name: "\(name) + \(method.rawValue)") { frame, framing -> Prediction in
      let guide = framing.photo(frame.photo, inputHeight: size.height, inputWidth: size.width)
      let coarse = try prediction(frame, framing)
      let map = coarse.map.unit == .disparity ? try coarse.map.inMetres() : coarse.map
      return Prediction(
        map: try map.refined(guidedBy: guide, method: RefinementMethod(method), threads: 1),
        expectedError: coarse.expectedError)
    }
    refined.inputSize = size
    refined.isRelative = isRelative
    return refined
  }

  /// Reads a folder of depth files with the frames' names, optionally followed by `_depth` as from `depth predict`: maps of any
  /// predictor.
  ///
  /// A frame has one file. Files are in metres or disparity, or in relative disparity for aligning protocols. Each covers the
  /// part of the photo that its framing selects.
  ///
  /// - Parameter depthScale: Values per metre in files that do not record their unit.
  package init(folder: URL, depthScale: Double? = nil) {
    self.init(name: folder.lastPathComponent) { frame, _ in
      let files = ["", "_depth"].flatMap { ending in
        DepthFileFormat.extensions.map {
          folder.appending(path: "\(frame.name)\(ending).\($0)")
        }
      }
      let found = files.filter {
        FileManager.default.fileExists(atPath: $0.path(percentEncoded: false))
      }
      guard found.count < 2 else {
        throw DepthError.severalPartners(file: frame.name, found: found.map(\.relativePath))
      }
      guard let file = found.first else {
        throw DepthError.missingPair(
          file: frame.name,
          expected: "\(folder.relativePath)/\(frame.name) or \(frame.name)_depth, "
            + "each \(DepthFileFormat.anyExtension)")
      }
      try InputFile.requireOrdinaryFile(file)
      let map = try Self.map(file, depthScale: depthScale)
      if case .normalized = map.unit {
        throw DepthError.notMetric(file: file.relativePath)
      }
      // Networks' maps have their own proportions, 5:4 for a 4:3 photo, but the photo's orientation.
      let truth = frame.truth
      guard (map.height - map.width) * (truth.height - truth.width) >= 0 else {
        throw DepthError.liesOnItsSide(
          file: file.relativePath, found: "\(map.width)×\(map.height)",
          truth: "\(truth.width)×\(truth.height)")
      }
      return map
    }
  }

  private static func map(_ file: URL, depthScale: Double?) throws -> DepthMap {
    do { return try DepthMap(contentsOf: file) } catch let error as DepthError
      where error.code == .unknownUnit
    {
      guard let depthScale else { throw DepthError.unknownScale(file: file.relativePath) }
      return try DepthMap(contentsOf: file, unit: .metres, scale: 1 / depthScale)
    }
  }

  package func callAsFunction(_ frame: EvaluationFrame, _ framing: Framing) throws -> DepthMap {
    try prediction(frame, framing).map
  }

  /// The map with its network's expected error.
  func predicted(_ frame: EvaluationFrame, _ framing: Framing) throws -> Prediction {
    try prediction(frame, framing)
  }
}

/// A predictor's map of a frame.
package struct Prediction: Sendable {
  /// Metres or disparity, of any size.
  let map: DepthMap
  /// The expected relative error of the frame, a mean over its pixels; `nil` if the predictor has none.
  let expectedError: Double?
}
