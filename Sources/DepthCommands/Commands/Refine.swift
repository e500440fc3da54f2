import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import DepthRefinement
import MonocularDepth
import PictureFiles
import SystemEssentials

/// `depth refine`: any depth file → a depth file with the photo's edges.
struct Refine: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refine",
    abstract: "Move the edges in a depth file to those of its photo.",
    discussion: """
      Reads PNG, PFM, NumPy, gray JPEG and the depth inside a photo. The unit is kept. PNG can store every unit; PFM, NumPy and OpenEXR can store metres and relative disparity, \
      but not disparity and normalized maps. Without -o the result is written beside the photo, as PHOTO_depth.png.

      The depth file must have the photo's proportions, or the size that 'depth predict --refine none' writes: \
      160×128, or 128×160 for a portrait photo. '-' as the depth file is standard input. A sensor's map is often \
      sharp already: then --refine none --resolution photo resizes it without a filter. For several photos or a \
      folder, give a folder MAPS of depth files. The depth of PHOTOS/PLACE/NAME.jpg is then \
      MAPS/PLACE/NAME_depth.png or MAPS/PLACE/NAME.png, or the same with .pfm or .npy.
      """)

  @Argument(
    help: ArgumentHelp(
      """
      One or more photos or folders (JPEG, PNG, HEIC, WebP or AVIF). The last argument is \
      their depth: a depth file, a folder of depth files, or 'embedded' for the depth stored in the photos.
      """,
      valueName: "photo> ... <depth"),
    completion: .file())
  var names: [String]
  @OptionGroup var batch: BatchOptions
  @OptionGroup var unit: DepthUnitOptions
  @Flag(
    help: """
      Stretch a depth file whose proportions differ from the photo's; without this option such a file is refused.
      """)
  var stretch = false
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var limits: LimitOptions

  @Option(help: .threads) var threads: Int?
  @Flag(help: "Print results on standard output as JSON, one object per line.")
  var json = false
  @Flag(help: "Print no progress and no summary on standard error.")
  var quiet = false

  func validate() throws {
    try check("--threads", threads, in: ThreadCount.range)
    if names.count < 2, batch.filesFrom == nil {
      throw ValidationError("expected a photo and a depth file or 'embedded'")
    }
    let floats = DepthFileFormat.extensions.filter { $0 != "png" }
    if let depth = names.dropLast().first(where: {
      floats.contains(URL(filePath: $0).pathExtension.lowercased())
    }) {
      throw ValidationError(
        "\(depth) is a depth file, expected photos first and their depth last".escapingControls)
    }
  }

  func run() throws {
    let selection = try batch.selection(
      of: Array(names.dropLast()), outputFolders: output.folders)
    try output.check(selection, json: json)
    let source = DepthSource(names.last, words: [.embedded])
    try source.check(selection)
    try unit.check(source)
    var plan = output.plan(for: selection.photos, inputs: batch.files)
    plan.depthFiles = source.files(of: selection.photos)
    try PhotoRun(selection, plan, options: batch).perform(
      threads: threads, json: json, isQuiet: quiet, RefineSteps(options: self, depths: source))
  }
}

/// The steps of `depth refine`, which refines a given map instead of estimating one.
private struct RefineSteps: PhotoSteps {
  struct Source {
    let image: Image
    let map: DepthMap
    /// The depth file; `nil` for depth inside the photo.
    let path: String?
  }

  let options: Refine
  let depths: DepthSource

  private var output: OutputOptions { options.output }
  private var limits: ImageLimits { options.limits.limits }
  private var wanted: DepthOptions {
    var wanted = options.refinement.request.options
    wanted.limits = limits
    return wanted
  }

  func read(_ task: PhotoTask) throws -> Source {
    let (photo, unit) = (task.photo.path, options.unit)
    let path = try depths.file(of: task.photo)
    // Before the photo, whose memory depends on the map's size.
    let given = try path.map {
      try DepthMap(
        contentsOf: DepthSource.url(of: $0), unit: unit.stored?.unit, scale: unit.stored?.scale,
        limits: limits)
    }
    let source = try PhotoWithDepth(
      contentsOf: task.photo.url, name: photo,
      depth: given == nil ? .stretched : .chosen(.network), limits: limits
    ) { file, _ in
      // The depth inside a photo counts as one of the photo's size.
      let size = given.map { ($0.height, $0.width) } ?? (file.height, file.width)
      try task.admit(memoryNeed(of: file, map: size), of: file)
    }
    guard let map = given ?? source.depth else {
      throw InputFailure(file: photo, reason: "holds no depth")
    }
    try checkAspect(of: map, path ?? photo, source.image)
    task.tellOfColors(source.image)
    if let note = source.note { task.log(note) }
    try map.requireValues(of: path ?? photo)
    if let path, let doubt = unit.doubt(about: map, of: path) { task.log(doubt) }
    try output.depthFile.check(map.unit == .disparity ? .metres : map.unit, of: task.photo)
    try output.checkDistances(map.unit, of: photo)
    return Source(image: source.image, map: map, path: path)
  }

  private func checkAspect(of map: DepthMap, _ path: String, _ image: Image) throws {
    guard !options.stretch else { return }
    do {
      try map.checkAspect(of: image)
    } catch let error as DepthError where error.code == .sizeMismatch {
      // Stretched, a map on its side would be that of no photo.
      let hint = map.liesOnItsSide(ofHeight: image.height, width: image.width) ? "" : " (--stretch)"
      throw InputFailure(file: path, reason: error.message + hint)
    }
  }

  func estimate(_ source: Source, _ task: PhotoTask) throws -> DepthMap {
    task.begin(.refining)
    if let width = wanted.sharpEdgeWidth(of: source.map) {
      task.log(
        "the edges of \(source.path ?? "the depth inside \(task.photo.path)") are only "
          + "\((width * 10).rounded() / 10) of its pixels wide; --refine none, which leaves them as they are, may be "
          + "more accurate")
    }
    let refined = try wanted.refined(source.map, guidedBy: source.image, call: task.call)
    try refined.requireValues(of: task.photo.path)
    return try output.depthFile.storable(refined, of: task.photo)
  }

  func write(_ refined: DepthMap, of source: Source, _ task: PhotoTask) throws -> PredictionRecord {
    let threads = task.call.threads
    let clipped = output.depthFile.clippedShare(of: refined, photo: task.photo, threads: threads)
    let outputs = try output.write(
      refined, of: source.image, clipped: clipped, task: task,
      metadata: DepthFileMetadata(software: Version.text), limits: limits, threads: threads)
    let (decode, refine) = (task.time(.reading), task.time(.refining))
    let encode = task.time(.writing)
    var record = PredictionRecord(
      input: task.photo.path, outputs: outputs, depth: refined, prediction: nil,
      threads: threads,
      milliseconds: [
        "load": Duration.zero, "decode": decode, "resize": .zero, "network": .zero,
        "refine": refine, "encode": encode, "total": decode + refine + encode,
      ].mapValues(\.milliseconds),
      clipped: clipped)
    record.hint = output.hint(for: task.photo, unit: refined.unit)
    return record
  }

  private func memoryNeed(
    of file: PhotoFile, map: (height: Int, width: Int)
  ) throws -> MemoryNeed {
    let result = try wanted.size(
      photo: (file.height, file.width), map: map, named: "--resolution")
    return MemoryNeed(
      output.work, pixels: max(file.height * file.width, result.height * result.width),
      mapPixels: wanted.refinement.name == .joint ? map.height * map.width : 0,
      decodingBytesPerPixel: file.decodingBytesPerPixel)
  }
}
