import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import DepthRefinement
import MonocularDepth
import PictureFiles
import SystemEssentials

/// The steps of `depth refine`, which refines a given map instead of estimating one.
struct RefineSteps: PhotoSteps {
  struct Source {
    let image: Image
    let map: DepthMap
    /// The fit that made metres of the map.
    let metres: MetresRecord?
    /// The depth file; `nil` for depth inside the photo.
    let path: String?
  }

  let depths: DepthSource
  let unit: GivenUnit
  /// Whether maps of other proportions than the photo's are stretched.
  let stretches: Bool
  /// `nil` where maps keep their unit.
  let fit: GivenMapFit?
  let options: DepthOptions
  let outputs: MapOutputs
  let limits: ImageLimits

  func read(_ task: PhotoTask) throws -> Source {
    let photo = task.photo.path
    let path = try depths.file(of: task.photo)
    // Before the photo, whose memory depends on the map's size.
    let given = try path.map {
      try DepthMap(contentsOf: DepthSource.url(of: $0), stored: unit.stored, limits: limits)
    }
    let source = try PhotoWithDepth(
      contentsOf: task.photo.url, name: photo,
      depth: given == nil ? .stretched : .chosen(.network), limits: limits
    ) { file, _ in
      // The depth inside a photo counts as one of the photo's size.
      let size = given.map { ($0.height, $0.width) } ?? (file.height, file.width)
      let network = try namingFailures(of: photo) { try fit?.networkBytes(of: file) ?? 0 }
      try task.admit(MemoryNeed(bytes: memoryNeed(of: file, map: size).bytes + network), of: file)
    }
    guard var map = given ?? source.depth else {
      throw DepthError(.noDepth, file: photo, "holds no depth")
    }
    try checkAspect(of: map, path ?? photo, source.image)
    task.tellOfColors(source.image)
    if let note = source.note { task.log(note) }
    try map.requireValues(of: path ?? photo)
    if let path, let doubt = unit.doubt(about: map, of: path) { task.log(doubt) }
    var metres: MetresRecord?
    if let fit {
      try fit.check(map.unit, of: path ?? photo)
      (map, metres) = try fit.metres(of: map, photo: source.image, task)
    }
    try outputs.depth.check(map.unit == .disparity ? .metres : map.unit, of: task.photo)
    try outputs.check(map.unit, of: photo)
    return Source(image: source.image, map: map, metres: metres, path: path)
  }

  private func checkAspect(of map: DepthMap, _ path: String, _ image: Image) throws {
    guard !stretches else { return }
    do {
      try map.checkAspect(of: image)
    } catch let error as DepthError where error.code == .sizeMismatch {
      // Stretched, a map on its side would be that of no photo.
      let hint = map.liesOnItsSide(ofHeight: image.height, width: image.width) ? "" : " (--stretch)"
      throw DepthError(error.code, file: path, error.message + hint)
    }
  }

  func estimate(_ source: Source, _ task: PhotoTask) throws -> DepthMap {
    task.begin(.refining)
    if let width = options.sharpEdgeWidth(of: source.map) {
      task.log(
        "the edges of \(source.path ?? "the depth inside \(task.photo.path)") are only "
          + "\(width.rounded(toDigits: 1)) of its pixels wide; --refine none, which leaves them as they are, may be "
          + "more accurate")
    }
    let refined = try options.refined(source.map, guidedBy: source.image, call: task.call)
    try refined.requireValues(of: task.photo.path)
    return try outputs.depth.storable(refined, of: task.photo)
  }

  func write(_ refined: DepthMap, of source: Source, _ task: PhotoTask) throws -> PredictionRecord {
    let threads = task.call.threads
    let clipped = outputs.depth.clippedShare(of: refined, photo: task.photo, threads: threads)
    let written = try outputs.write(
      FinishedMap(depth: refined, photo: source.image, clipped: clipped), task)
    let (decode, refine) = (task.time(.reading), task.time(.refining))
    let encode = task.time(.writing)
    var record = PredictionRecord(
      input: task.photo.path, outputs: written, depth: refined, prediction: nil,
      threads: threads,
      milliseconds: [
        "load": Duration.zero, "decode": decode, "resize": .zero, "network": .zero,
        "refine": refine, "encode": encode, "total": decode + refine + encode,
      ].mapValues(\.milliseconds),
      clipped: clipped)
    record.metres = source.metres
    record.hint = outputs.hint(for: task.photo, unit: refined.unit)
    return record
  }

  private func memoryNeed(
    of file: PhotoFile, map: (height: Int, width: Int)
  ) throws -> MemoryNeed {
    let result = try options.size(
      photo: (file.height, file.width), map: map, named: "--resolution")
    return MemoryNeed(
      outputs.work, pixels: max(file.height * file.width, result.height * result.width),
      mapPixels: options.refinement.name == .joint ? map.height * map.width : 0,
      decodingBytesPerPixel: file.decodingBytesPerPixel)
  }
}
