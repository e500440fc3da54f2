import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
import DepthPipeline
import DepthRefinement
import DepthRequests
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
    let source = DepthSource(names.last)
    try source.check(selection)
    try unit.check(source)
    var plan = output.plan(for: selection.photos, inputs: batch.files)
    plan.depthFiles = source.files(of: selection.photos)
    try PhotoRun(selection, plan, options: batch).perform(
      threads: threads, json: json, isQuiet: quiet
    ) { try refine($0, source) }
  }

  private func refine(_ turn: PhotoTurn, _ depthSource: DepthSource) throws -> PredictionRecord {
    let photo = turn.photo.path
    var watch = Stopwatch()
    turn.step("reading")
    let path = try depthSource.file(of: turn.photo)
    // Before the photo, whose memory depends on the map's size.
    let given = try path.map {
      try DepthMap(
        contentsOf: DepthSource.url(of: $0), unit: unit.stored?.unit, scale: unit.stored?.scale,
        limits: limits.limits)
    }
    var threads = 1
    let source = try PhotoWithDepth(
      contentsOf: turn.photo.url, name: photo, depth: given == nil ? .embedded : .none,
      limits: limits.limits
    ) { file in
      turn.noteAnimation(file)
      // The depth inside a photo is at most as large as the photo.
      let size = given.map { ($0.height, $0.width) } ?? (file.height, file.width)
      threads = try turn.threads(
        for: memoryNeed(of: file, map: size), pixels: file.width * file.height)
    }
    guard let map = given ?? source.depth else {
      throw InputFailure(file: photo, reason: "holds no depth")
    }
    let image = source.image
    // A photo's own depth covers it, whatever its shape.
    if !stretch, let path {
      do {
        try map.checkAspect(of: image)
      } catch let error as DepthError where error.code == .sizeMismatch {
        // Stretched, a map on its side would be that of no photo.
        let hint = map.liesOnItsSide(of: image) ? "" : " (--stretch)"
        throw InputFailure(file: path, reason: error.message + hint)
      }
    }
    try map.requireValues(of: path ?? photo)
    if let path, let doubt = unit.doubt(about: map, of: path) { turn.note(doubt) }
    try output.depthFile.check(map.unit, of: turn.photo)
    try output.checkDistances(map.unit, of: photo)
    let decode = watch.lap()
    turn.step("refining")
    let settings = refinement.request.settings
    if let width = settings.sharpEdgeWidth(of: map) {
      turn.note(
        "the edges of \(path ?? "the depth inside \(photo)") are only \((width * 10).rounded() / 10) of its "
          + "pixels wide; --refine none, which leaves them as they are, may be more accurate")
    }
    let refined = try settings.refined(
      map, guidedBy: image, limits: limits.limits, call: CallContext(threads: threads))
    try refined.requireValues(of: photo)
    let refine = watch.lap()
    turn.step("writing")
    let clipped = output.depthFile.clippedShare(of: refined, photo: turn.photo, threads: threads)
    let outputs = try output.write(
      refined, of: image, clipped: clipped, turn: turn,
      metadata: DepthFileMetadata(software: Version.text), limits: limits.limits,
      threads: threads)
    let encode = watch.lap()
    var record = PredictionRecord(
      input: photo, outputs: outputs, depth: refined, prediction: nil,
      threads: threads,
      milliseconds: .init(
        decode: decode.milliseconds, refine: refine.milliseconds,
        encode: encode.milliseconds, total: (decode + refine + encode).milliseconds),
      clipped: clipped)
    record.hint = output.hint(for: turn.photo, unit: refined.unit)
    return record
  }

  private func memoryNeed(
    of file: PhotoFile, map: (height: Int, width: Int)
  ) throws -> MemoryNeed {
    let settings = refinement.request.settings
    let result = try settings.size(
      photo: (file.height, file.width), map: map, limits: limits.limits, named: "--resolution")
    return MemoryNeed(
      output.work, pixels: max(file.height * file.width, result.height * result.width),
      mapPixels: settings.method == .joint ? map.height * map.width : 0,
      decodingBytesPerPixel: file.decodingBytesPerPixel)
  }
}
