import DepthBase
import DepthImages
import DepthPhotos
import MonocularDepth
import StereoPhotos

extension PhotoWork {
  static func stereo(
    _ request: StereoRequest, of depths: DepthProvider, as output: StereoPhotoOutput
  ) -> PhotoWork {
    PhotoWork {
      try depths.read(
        $0, for: { _ in request.work }, pixels: request.pixels(of:), check: request.check(photo:))
    } make: { source, run in
      let (map, facts, estimate) = try depths.map(of: source, run) {
        $0.background = request.background
        $0.fitForViews(of: source.image)
      }
      let photo = estimate?.camera.given(to: source.image) ?? source.image
      if request.stereoFormat == .wiggleGIF, let note = photo.noteOfUnknownProfile {
        run.log(note)
      }
      run.begin(.rendering)
      let files = try namingFailures(of: run.photo.path) {
        try request.files(of: photo.signed, depth: map, call: run.call)
      }
      let range = estimate?.geometryRange ?? map.rangeInMetres
      return PhotoProduct {
        output.contents(of: files, run.photo)
      } record: { outputs in
        PhotoRecord(
          input: run.photo.path, request: request, outputs: outputs, range: range,
          milliseconds: run.milliseconds("views", .rendering), depth: facts,
          facts: [["format": request.stereoFormat.name]])
      }
    }
  }
}
