import ArgumentParser
import DepthBase
import DepthPhotos
import MonocularDepth
import PictureFiles
import SystemEssentials

/// `depth refine`: any depth file → a depth file with the photo's edges.
struct Refine: RequestCommand {
  static let configuration = CommandConfiguration(
    commandName: "refine",
    abstract: "Move the edges in a depth file to those of its photo.",
    discussion: """
      Reads PNG, PFM, .npy, .npz, gray JPEG and the depth inside a photo. The unit is kept; --metres turns relative depth into metres, and \
      --sparse any depth. PNG and .npz can store every unit; PFM, .npy and OpenEXR can store metres and relative disparity, \
      but not disparity and normalized maps. Without -o the result is written beside the photo, as PHOTO_depth.png.

      The depth file must have the photo's proportions, or a size that 'depth predict --refine none' writes, such \
      as 240×192 for a landscape photo. '-' as the depth file is standard input. A sensor's map is often \
      sharp already: then --refine none --resolution photo resizes it without a filter. For several photos or a \
      folder, give a folder MAPS of depth files. The depth of PHOTOS/PLACE/NAME.jpg is then \
      MAPS/PLACE/NAME_depth.png or MAPS/PLACE/NAME.png, or the same with .pfm, .npy or .npz.
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
  @Option(help: .metres, completion: .file()) var metres: String?
  @Flag(
    help: """
      Stretch a depth file whose proportions differ from the photo's; without this option such a file is refused.
      """)
  var stretch = false
  @OptionGroup var known: SparseOptions
  @OptionGroup var camera: CameraOptions
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
    try checkRequest()
    if metres == nil, output.normals.place == nil, !output.depthFile.value(.default).isArchive,
      let field = camera.request.givenFields.first
    {
      throw ValidationError(
        "--\(dashed(field)) requires --metres, --normals or a depth file as .npz")
    }
    if metres != nil, known.sparse != nil {
      throw ValidationError("--metres and --sparse exclude each other, expected one")
    }
    if names.last == "-", known.sparse == "-" {
      throw ValidationError("standard input, '-', is given twice, expected once")
    }
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

  var request: MapRequest {
    MapRequest(camera: camera.request, refinement: refinement.request)
  }

  func run() throws {
    let (settings, limits) = (batch.settings, limits.limits)
    var options = request.options
    options.limits = limits
    let outputs = output.outputs(limits)
    let selection = try PhotoSelection(
      Array(names.dropLast()), settings, outputFolders: outputs.folders)
    try outputs.check(selection, json: json)
    let choice = DepthChoice(names.last, words: [.embedded])
    try choice.check(selection)
    try unit.check(choice)
    let points = known.points(limits)
    try points?.files.check(selection)
    var plan = outputs.plan(for: selection.photos, inputs: settings.files)
    plan.depthFiles = choice.files(of: selection.photos).mapValues { [$0] }
    for (photo, file) in points?.files.files(of: selection.photos) ?? [:] {
      plan.depthFiles[photo, default: []].append(file)
    }
    let photos = try PhotoBatch(selection, plan, settings)
    let fit = WeightsRequest(metres: metres).fit(options, threads: threads)
    try fit?.load()
    let depths = DepthProvider(
      choice: choice, hints: unit.hints, limits: limits, fit: fit,
      doubts: UnitDoubts(
        options, isScaleGiven: unit.depthScale != nil, photos: photos.photos.count,
        threads: threads),
      network: { preconditionFailure("depth is given") })
    try photos.perform(
      threads: threads, json: json, isQuiet: quiet,
      .refinement(of: depths, movedTo: points, stretches: stretch, options, as: outputs))
  }
}
