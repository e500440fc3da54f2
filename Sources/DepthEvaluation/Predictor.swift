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
  /// Whether the predictor's maps are in relative disparity, which only aligning protocols measure.
  package private(set) var isRelative = false
  /// Size of the landscape input for ``Framing``; by default the published size.
  private var inputSize = (height: 228, width: 304)
  private let prediction: @Sendable (EvaluationFrame, Framing) throws -> Prediction

  /// - Parameter prediction: Returns a map of any size in metres or disparity, for the part of the photo that the framing
  ///   selects.
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

  /// Returns whether a protocol can measure the predictor's maps. Relative disparity must be aligned.
  func isMeasured(by evaluation: EvaluationProtocol) -> Bool {
    !isRelative || evaluation.adjustment() == .disparityAlignment
  }

  /// Throws if no protocol can measure the predictor's maps.
  ///
  /// - Throws: `DepthError` with code `unknownUnit`.
  package func check(_ protocols: [EvaluationProtocol]) throws {
    guard !protocols.contains(where: isMeasured) else { return }
    throw DepthError(
      .unknownUnit, file: name,
      "gives relative disparity, which cannot be measured in metres, expected the protocol aligned",
      cause: SettingAtFault.evaluationProtocol)
  }

  /// The predictor, whose maps are refined by the selected part of the photo.
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

  /// Reads any predictor's maps from a folder of depth files. A file has the frame's name, optionally followed by `_depth` as
  /// from `depth predict`.
  ///
  /// Each frame has one file. Files are in metres or disparity, or in relative disparity for aligning protocols. Each map
  /// covers the part of the photo that the framing selects.
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
      // A network's map has its own proportions, such as 5:4 for a 4:3 photo, but the orientation of the photo.
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

  /// The map, with the network's expected error.
  func predicted(_ frame: EvaluationFrame, _ framing: Framing) throws -> Prediction {
    try prediction(frame, framing)
  }
}

/// A predictor's map of a frame.
package struct Prediction: Sendable {
  /// A map of any size in metres or disparity.
  let map: DepthMap
  /// The expected relative error of the frame, averaged over its pixels; `nil` if the predictor estimates no errors.
  let expectedError: Double?
}
