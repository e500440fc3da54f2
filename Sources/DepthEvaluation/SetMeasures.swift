import DepthErrors
package import DepthImages
import SystemEssentials

/// Accuracy of one map, as predicted and after scaling to the true median.
///
/// The prediction is stretched bilinearly to the truth's size, as in ``EvaluationProtocol/perImage``.
package struct SetFrameMeasures: Sendable, Equatable {
  /// The mean of |map − truth| / truth, and the share of pixels with max(map/truth, truth/map) < 1.25.
  package let rel, delta1: Double
  /// The median of ln(map / truth), which is positive if depths are too large.
  package let scale: Double
  /// `delta1` of the map divided by eˢᶜᵃˡᵉ.
  package let scaledDelta1: Double
  /// The median of the truth, metres.
  package let distance: Double
  /// F1 of depth edges; see ``BoundaryCounts``.
  package let boundaryF1: Double
  /// The expected relative error of the frame; `nil` if the predictor estimates no errors.
  package let expectedError: Double?

  /// Exclusive limits of true depths in metres: the range of most sensors.
  private static let distances = (nearest: Float(0.1), farthest: Float(10))

  /// - Parameters:
  ///   - predicted: A map in metres or disparity, of any size.
  ///   - truth: True depths in metres; 0 or not finite for unmeasured pixels.
  ///   - name: The frame's name in errors.
  /// - Throws: `DepthError`: code `noDepth` if no true depth counts; code `unknownUnit`.
  package init(of predicted: Prediction, truth: DepthMap, name: String) throws {
    let prediction = try predicted.map.measured(after: .none, name: name)
    var rows = BilinearRows(
      prediction.values, height: prediction.height, width: prediction.width,
      toHeight: truth.height, width: truth.width)
    let region = DepthRegion(
      rows: 0..<truth.height, columns: 0..<truth.width, nearest: Self.distances.nearest,
      farthest: Self.distances.farthest)
    let (found, wanted) = rows.measuredDepths(of: truth, in: region)
    guard !found.isEmpty else {
      throw DepthError.noTruth(frame: name, protocol: EvaluationProtocol.perImage.rawValue)
    }
    let scale = median(of: zip(found, wanted).map { log($0 / $1) })
    func delta1(dividedBy factor: Double) -> Double {
      let within = zip(found, wanted).count { max($0 / factor / $1, $1 / ($0 / factor)) < 1.25 }
      return Double(within) / Double(found.count)
    }
    rel = zip(found, wanted).reduce(0) { $0 + abs($1.0 - $1.1) / $1.1 } / Double(found.count)
    self.delta1 = delta1(dividedBy: 1)
    self.scale = scale
    scaledDelta1 = delta1(dividedBy: exp(scale))
    distance = median(of: wanted)
    boundaryF1 = try FrameErrors(of: prediction, truth: truth, under: .perImage, name: name)
      .boundaryF1
    expectedError = predicted.expectedError
  }
}

/// Accuracy of a predictor on one set.
package struct SetMeasures: Sendable {
  package let name: String
  package let isRendered: Bool
  package let frames: Int
  /// Means over the frames.
  package let rel, delta1, scaledDelta1, boundaryF1: Double
  /// Mean over the frames; `nil` if the predictor estimates no errors.
  package let expectedError: Double?
  /// Medians over the frames of the scale, and of the true distance in metres.
  package let scale, distance: Double

  /// Whether the set contains near objects instead of rooms.
  package var isNear: Bool { distance < 1.2 }

  /// - Precondition: At least one frame.
  init(_ frames: [SetFrameMeasures], of set: CameraSet) {
    (name, isRendered, self.frames) = (set.name, set.isRendered, frames.count)
    (rel, delta1) = (frames.map(\.rel).mean, frames.map(\.delta1).mean)
    (scaledDelta1, boundaryF1) = (frames.map(\.scaledDelta1).mean, frames.map(\.boundaryF1).mean)
    expectedError = frames.map(\.expectedError).mean
    (scale, distance) = (median(of: frames.map(\.scale)), median(of: frames.map(\.distance)))
  }
}

/// Accuracy of a predictor on several sets, with equal weights.
package struct SetGroup: Sendable {
  package let sets: Int
  /// Means over the sets.
  package let rel, delta1, scaledDelta1, boundaryF1: Double
  /// The mean over the sets; `nil` if the predictor estimates no errors.
  package let expectedError: Double?
  /// Median of the scale, and of |scale|, over the sets.
  package let scale, scaleMagnitude: Double

  /// `nil` without sets.
  init?(_ sets: [SetMeasures]) {
    guard !sets.isEmpty else { return nil }
    self.sets = sets.count
    (rel, delta1) = (sets.map(\.rel).mean, sets.map(\.delta1).mean)
    (scaledDelta1, boundaryF1) = (sets.map(\.scaledDelta1).mean, sets.map(\.boundaryF1).mean)
    expectedError = sets.map(\.expectedError).mean
    scale = median(of: sets.map(\.scale))
    scaleMagnitude = median(of: sets.map { abs($0.scale) })
  }
}

/// Results of one predictor: the sets, and the groups of near and far sets.
package struct SetResults: Sendable {
  package let predictor: String
  package let rows: [SetMeasures]

  /// The groups of near and of far sets, without rendered sets.
  package var near: SetGroup? { group { $0.isNear } }
  package var far: SetGroup? { group { !$0.isNear } }

  private func group(_ belongs: (SetMeasures) -> Bool) -> SetGroup? {
    SetGroup(rows.filter { !$0.isRendered && belongs($0) })
  }
}

/// Accuracy of predictors on the sets of several cameras.
package struct SetEvaluation: Sendable {
  /// The results in the order of the predictors.
  package let results: [SetResults]
  package let skipped: [SkippedFrame]

  /// - Parameters:
  ///   - workers: Frames in progress at a time.
  ///   - report: Called after each frame with the number of completed frames, by one worker at a time.
  /// - Throws: `DepthError` if no frame can be measured. A frame is skipped if it cannot be read, or if its measurement
  ///   fails for any predictor. A set without frames has no row.
  package init(
    _ predictors: [Predictor], on dataset: CameraSets, workers: Int,
    report: @Sendable (_ done: Int, _ name: String) -> Void = { _, _ in }
  ) throws {
    let measured = try MeasuredFrames(of: dataset, workers: workers, report: report) { frame in
      try predictors.map {
        try SetFrameMeasures(of: $0.predicted(frame, .whole), truth: frame.truth, name: frame.name)
      }
    }
    skipped = measured.skipped
    results = predictors.enumerated().map { place, predictor in
      SetResults(
        predictor: predictor.name,
        rows: dataset.sets.enumerated().compactMap { index, set in
          let frames = measured.frames.filter { dataset.frames[$0.index].set == index }
            .map { $0.measures[place] }
          return frames.isEmpty ? nil : SetMeasures(frames, of: set)
        })
    }
  }
}
