import DepthBase
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles
import SystemEssentials

/// A photo that is read on its own thread while weights are loaded.
///
/// The image is `nil` for a photo whose memory must be reserved before decoding.
typealias PhotoAhead = (file: PhotoFile, image: Result<Image, any Error>?, time: Duration)

extension PhotoWork {
  /// The work of `depth predict`.
  ///
  /// - Parameter ahead: Delivers the run's only photo, if reading it has already begun.
  static func prediction(
    _ request: DepthRequest, by estimation: MapEstimation, as outputs: MapOutputs,
    _ ahead: Channel<PhotoAhead>?
  ) -> PhotoWork {
    PhotoWork { run in
      try outputs.check(estimation.unit, of: run.photo.path)
      if outputs.needsErrors { try estimation.estimator.requireErrors() }
      if outputs.needsMask { try estimation.estimator.requireMask() }
      let opened = try ahead?.receive()
      let file =
        try opened?.file
        ?? PhotoFile(contentsOf: run.photo.url, limits: estimation.options.limits)
      let need = try namingFailures(of: run.photo.path) {
        try estimation.memoryNeed(outputs.work, of: file, size: "--resolution")
      }
      try run.admit(need, of: file)
      if let opened { run.restart(after: opened.time) }
      let image = try opened?.image?.get() ?? file.decoded()
      run.tellOfColors(image)
      return PhotoWithDepth(image)
    } make: { source, run in
      let (photo, threads, estimator) = (run.photo, run.call.threads, estimation.estimator)
      var (watch, times) = (Stopwatch(), [Duration]())
      let estimate = try estimation.estimate(of: source.image, named: photo.path, call: run.call) {
        if $0 != .resizing { times.append(watch.lap()) }
        if $0 == .refining { run.begin(.refining) }
      }
      times.append(watch.lap())
      if let doubt = estimate.networkMap.doubt { run.log(doubt) }
      run.tell(of: estimate, by: estimation, usesMetres: true)
      let (depth, identifier) = (
        estimate.depth, try estimator.weightsIdentifier(estimation.options)
      )
      let normals: @Sendable () throws -> NormalMap = {
        try estimate.finishedNormals(threads: threads)
      }
      let finished = FinishedMap(
        depth: depth, photo: source.image, camera: estimate.camera.known,
        errors: estimate.expectedError,
        mask: outputs.needsMask
          ? estimate.mask(height: depth.height, width: depth.width, threads: threads) : nil,
        normals: outputs.needsNormals ? normals : nil,
        weightsIdentifier: identifier,
        clipped: outputs.depth.clippedShare(of: depth, photo: photo, threads: threads))
      return PhotoProduct {
        try outputs.contents(of: finished, run)
      } record: { [times] written in
        let parts = [
          "decode": run.time(.reading), "resize": times[0], "network": times[1],
          "refine": times[2], "encode": run.time(.writing),
        ]
        let total = parts.values.reduce(.zero, +)
        return PhotoRecord(
          of: MapFacts(finished, threads: threads), input: photo.path, request: request,
          outputs: written,
          milliseconds: parts.merging(["load": .zero, "total": total]) { $1 }
            .mapValues(\.milliseconds),
          of: estimate, by: estimation,
          weights: estimator.weights.map { $0.path(percentEncoded: false) },
          weightsID: identifier, hint: outputs.hint(for: photo, unit: depth.unit))
      }
    }
  }
}
