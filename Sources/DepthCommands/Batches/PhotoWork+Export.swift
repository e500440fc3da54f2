import DepthBase
import DepthGeometry
import DepthImages
import DepthPhotos
import MonocularDepth
import SystemEssentials

extension PhotoWork {
  /// The work of `depth export`.
  ///
  /// - Parameter options: The options of estimates.
  static func export(
    _ request: ExportRequest, of depths: DepthProvider, _ options: DepthOptions,
    as output: GeometryOutput
  ) -> PhotoWork {
    PhotoWork {
      try depths.read($0, for: request.work)
    } make: { source, run in
      let (image, photo) = (source.image, run.photo.path)
      var photoCamera = try namingFailures(of: photo) {
        try PhotoCamera(of: image, options.camera, training: depths.training(of: source))
      }
      try output.check(CameraFile(photoCamera.camera, source: photoCamera.sourceName), run)
      if request.exportFormat.geometry != nil, let note = image.noteOfUnknownProfile {
        run.log(note)
      }
      return try namingFailures(of: photo) {
        var (map, facts, estimate) = try depths.map(of: source, run)
        photoCamera = estimate?.camera ?? photoCamera
        // Users of --focal-length none chose not to correct the camera, and need no note.
        if options.camera != .uncorrected { run.tellOfAssumedFocalLength(photoCamera) }
        let camera = CameraFile(photoCamera.camera, source: photoCamera.sourceName)
        facts.focalLengthSource = photoCamera.sourceName
        if source.depth != nil {
          map = try options.sized(map, for: image, call: run.call)
        }
        run.begin(.shaping)
        let shaped = try request.shaped(
          // The texture of an .obj is its own picture file.
          request.exportFormat == .obj ? image.signed : image, depth: map,
          camera: photoCamera.camera,
          name: photo == "-" ? "photo.jpg" : URL(filePath: photo).lastPathComponent.spelledOut,
          facts: DepthPage.Facts(
            uncertainty: facts.uncertainty, errorFactor: facts.toldErrorFactor,
            focalLengthSource: photoCamera.sourceName),
          threads: run.call.threads)
        return PhotoProduct(shared: output.files(of: run.photo).last(where: output.isShared)) {
          try namingFailures(of: photo) { try output.contents(of: shaped, camera, run) }
        } record: { [map, facts, photoCamera] outputs in
          let range = try namingFailures(of: photo) { try map.inMetres().range() }
          return PhotoRecord(
            input: photo, request: request, outputs: outputs, range: range,
            milliseconds: run.milliseconds("geometry", .shaping), depth: facts,
            facts: [
              GeometryFacts(
                kind: shaped.kind, vertices: shaped.counts?.vertices, faces: shaped.counts?.faces,
                nearM: range?.low, farM: range?.high,
                focalLengthPx: photoCamera.camera.focalLength.rounded(toDigits: 1))
            ])
        }
      }
    }
  }
}

/// Keys of a record about geometry or a page.
private struct GeometryFacts: Encodable {
  let kind: String
  /// Points of a cloud, or vertices of a mesh.
  let vertices: Int?
  /// Triangles; 0 for a cloud.
  let faces: Int?
  let nearM, farM: Float?
  let focalLengthPx: Double
}
