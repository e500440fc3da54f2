import DepthBase
import DepthErrors
import DepthGeometry
import DepthImages
import DepthPhotos
import DepthRefinement
import MonocularDepth
import PictureFiles
import SystemEssentials

extension PhotoWork {
  /// The work of `depth refine`, which refines a given map instead of estimating one.
  ///
  /// - Parameters:
  ///   - points: Known distances with which the maps are aligned.
  ///   - stretches: Whether maps whose proportions differ from the photo's are stretched.
  static func refinement(
    of depths: DepthProvider, movedTo points: KnownPoints?, stretches: Bool,
    _ options: DepthOptions, as outputs: MapOutputs
  ) -> PhotoWork {
    PhotoWork { run in
      let photo = run.photo.path
      let path = try depths.choice.file(of: run.photo)
      // The map is read before the photo, whose memory need depends on the map's size.
      let given = try path.map {
        try GivenDepth(
          contentsOf: DepthChoice.url(of: $0), depths.hints, limits: options.limits)
      }
      let sparseBytes = try points?.read(run) ?? 0
      var source = try PhotoWithDepth(
        contentsOf: run.photo.url, name: photo, given == nil ? .embedded : .network,
        stretches: true, limits: options.limits
      ) { file, _ in
        // The memory for embedded depth is computed for the photo's size.
        let size = given.map { ($0.map.height, $0.map.width) } ?? (file.height, file.width)
        let network = try namingFailures(of: photo) { try depths.fit?.networkBytes(of: file) ?? 0 }
        let need = try options.memoryNeed(outputs.work, of: file, map: size)
        try run.admit(MemoryNeed(bytes: need.bytes + network + sparseBytes), of: file)
      }
      if let given { source = PhotoWithDepth(source.image, given) }
      guard let map = source.depth else {
        throw DepthError(.noDepth, file: photo, "holds no depth")
      }
      if !stretches { try map.checkAspect(path ?? photo, of: source.image) }
      run.tellOfColors(source.image)
      if let note = source.note { run.log(note) }
      try map.requireValues(of: path ?? photo)
      try depths.fit?.check(map.unit, of: path ?? photo)
      // Points determine a map's scale, so its unit is not checked.
      if let path, points == nil { depths.doubts.tell(of: source, path, run) }
      return source
    } make: { source, run in
      let (photo, threads) = (run.photo, run.call.threads)
      var (map, facts, _) = try depths.map(of: source, run)
      let unit = points == nil ? map.unit : .metres
      try outputs.depth.check(unit == .disparity ? .metres : unit, of: photo)
      try outputs.check(unit, of: photo.path)
      if outputs.needsNormals {
        try namingFailures(of: photo.path) { try unit.requireMetric(for: NormalsOutput.purpose) }
      }
      run.begin(.refining)
      if let width = options.sharpEdgeWidth(of: map) {
        let name = try depths.choice.file(of: photo) ?? "the depth inside \(photo.path)"
        run.log(
          "the edges of \(name) are only "
            + "\(width.rounded(toDigits: 1)) of its pixels wide; --refine none, which keeps them, may be more accurate"
        )
      }
      var refined = try options.refined(map, guidedBy: source.image, call: run.call)
      if let points {
        let moved = try points.align(refined, of: source.image, run)
        if let doubt = moved.calibration.doubt(about: refined) { run.log(doubt) }
        (refined, facts.sparse) = (moved.map, moved.calibration.fit)
      }
      try refined.requireValues(of: photo.path)
      refined = try outputs.depth.storable(refined, of: photo)
      let camera = try PhotoCamera(of: source.image, options.camera, training: .kinect)
      var normals: (@Sendable () throws -> NormalMap)?
      if outputs.needsNormals {
        // Users of --focal-length none chose not to correct the camera, and need no note.
        if options.camera != .uncorrected { run.tellOfAssumedFocalLength(camera) }
        normals = { [refined] in try refined.normals(camera: camera.camera, threads: threads) }
      }
      let finished = FinishedMap(
        depth: refined, photo: source.image,
        camera: camera.known, normals: normals,
        clipped: outputs.depth.clippedShare(of: refined, photo: photo, threads: threads))
      return PhotoProduct {
        try outputs.contents(of: finished, run)
      } record: { written in
        let (decode, fit) = (
          run.time(.reading), facts.metres == nil ? .zero : run.time(.estimating)
        )
        let (refine, encode) = (run.time(.refining), run.time(.writing))
        return PhotoRecord(
          of: MapFacts(finished, threads: threads), input: photo.path, outputs: written,
          milliseconds: [
            "load": Duration.zero, "decode": decode, "resize": .zero, "network": fit,
            "refine": refine, "encode": encode, "total": decode + fit + refine + encode,
          ].mapValues(\.milliseconds),
          depth: DepthFacts(metres: facts.metres, sparse: facts.sparse),
          hint: outputs.hint(for: photo, unit: finished.depth.unit))
      }
    }
  }
}

extension DepthOptions {
  /// The memory for a photo and the refinement of its map.
  fileprivate func memoryNeed(
    _ work: MemoryNeed.Work, of file: PhotoFile, map: (height: Int, width: Int)
  ) throws -> MemoryNeed {
    let result = try size(photo: (file.height, file.width), map: map, named: "--resolution")
    return MemoryNeed(
      work, pixels: max(file.height * file.width, result.height * result.width),
      mapPixels: refinement.name == .joint ? map.height * map.width : 0,
      decodingBytesPerPixel: file.decodingBytesPerPixel)
  }
}

extension DepthMap {
  fileprivate func checkAspect(_ path: String, of image: Image) throws {
    do { try checkAspect(of: image) } catch let error as DepthError
      where error.code == .sizeMismatch
    {
      // Stretching would match a rotated map with the wrong axes of the photo.
      let hint = liesOnItsSide(ofHeight: image.height, width: image.width) ? "" : " (--stretch)"
      throw DepthError(error.code, file: path, error.message + hint)
    }
  }
}
