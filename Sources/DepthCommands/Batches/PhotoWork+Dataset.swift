import DepthBase
import DepthErrors
import DepthGeometry
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles

extension PhotoWork {
  /// The work of `depth export` for folders of datasets.
  ///
  /// - Parameter options: The options of estimates.
  static func dataset(
    _ request: ExportRequest, of depths: DepthProvider, _ options: DepthOptions,
    as output: DatasetOutput
  ) -> PhotoWork {
    PhotoWork {
      try depths.read($0, for: request.work)
    } make: { source, run in
      let (image, photo) = (source.image, run.photo.path)
      return try namingFailures(of: photo) {
        // Standard input was already read.
        let file = photo == "-" ? nil : try PhotoFile(contentsOf: run.photo.url)
        let pose = try output.pose(
          of: run.photo, file, height: image.height, width: image.width)
        var choice = options.camera
        if let camera = pose?.camera {
          choice = .focalLength(.pixels((camera.fx + camera.fy) / 2))
        }
        var (map, facts, estimate) = try depths.map(of: source, run) { [choice] in
          $0.camera = choice
        }
        let known = try estimate?.camera ?? PhotoCamera(of: image, choice, training: .kinect)
        if choice != .uncorrected { run.tellOfAssumedFocalLength(known) }
        facts.focalLengthSource = known.sourceName
        run.begin(.shaping)
        if source.depth != nil { map = try options.sized(map, for: image, call: run.call) }
        map = try map.stretched(over: image, limits: options.limits, call: run.call)
        var fit: DepthCalibration.Fit?
        if let pose, let model = output.model {
          let sparse = model.depth(of: pose.photo, height: image.height, width: image.width)
          let calibration = try DepthCalibration(
            sparse: sparse, depth: map, refinement: options.refinement)
          (map, fit) = (try map.calibrated(by: calibration), calibration.fit)
        }
        map = try map.inMetres()
        let camera = pose?.camera ?? .init(id: 0, known.camera)
        return PhotoProduct { [map] in
          try output.contents(of: image, file, depth: map, focalLength: camera.fx, run)
        } record: { [map, facts, fit, camera, pose] outputs in
          output.add(pose?.photo, camera, of: run.photo)
          return PhotoRecord(
            input: photo, request: request, outputs: outputs, range: map.range(),
            milliseconds: run.milliseconds("geometry", .shaping), depth: facts,
            facts: [
              DatasetFacts(
                kind: output.format.rawValue, nearM: map.range()?.low, farM: map.range()?.high,
                focalLengthPx: camera.fx.rounded(toDigits: 1),
                fit: fit)
            ])
        }
      }
    }
  }
}

/// Keys of a record about a photo of a dataset.
private struct DatasetFacts: Encodable {
  let kind: String
  let nearM, farM: Float?
  let focalLengthPx: Double
  /// The fit of the depth to the points of a model, in the model's unit; `nil` without a model.
  let fit: DepthCalibration.Fit?
}

extension COLMAPModel {
  /// The depths of points that are visible in a photo, 0 elsewhere. A pixel with several points has the nearest depth.
  func depth(of photo: Photo, height: Int, width: Int) -> DepthMap {
    var values = [Float](repeating: 0, count: height * width)
    for place in photo.places {
      guard let point = points[place.point], place.x >= 0, place.y >= 0,
        place.x < Double(width), place.y < Double(height)
      else { continue }
      let (depth, pixel) = (Float(photo.depth(of: point)), Int(place.y) * width + Int(place.x))
      if depth > 0, values[pixel] == 0 || depth < values[pixel] { values[pixel] = depth }
    }
    return DepthMap(height: height, width: width, unit: .metres, values: values)
  }
}
