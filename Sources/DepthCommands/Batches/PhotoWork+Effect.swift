import DepthBase
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles

extension PhotoWork {
  static func effect(
    _ request: EffectRequest, of depths: DepthProvider, as output: EffectOutput
  ) -> PhotoWork {
    PhotoWork {
      try depths.read($0, for: { _ in .effect })
    } make: { source, run in
      let threads = run.call.threads
      return try namingFailures(of: run.photo.path) {
        var (map, facts, estimate) = try depths.map(of: source, run) { $0.background = .farthest }
        let photo = estimate?.camera.given(to: source.image) ?? source.image
        // Records of effects do not contain the calibration.
        facts.calibration = nil
        run.begin(.rendering)
        let depth = try request.depth(map, for: photo, threads: threads)
        if let hint = request.hint(for: depth) { run.log(hint) }
        let bytes = try request.encoded(
          photo.signed, depth: depth, as: output.format, call: run.call)
        let focus = try request.focusDistance(in: depth, for: photo, threads: threads)
        let range = depth.rangeInMetres
        return PhotoProduct {
          [(.bytes(bytes), output.files(of: run.photo)[0])]
        } record: { [facts] outputs in
          PhotoRecord(
            input: run.photo.path, request: request, outputs: outputs, range: range, focusM: focus,
            milliseconds: run.milliseconds("effect", .rendering), depth: facts,
            facts: [["effect": output.effect]])
        }
      }
    }
  }
}

extension DepthMap {
  /// Nearest and farthest depth of a map in metres; `nil` for other units.
  var rangeInMetres: (low: Float, high: Float)? { unit == .metres ? range() : nil }
}
