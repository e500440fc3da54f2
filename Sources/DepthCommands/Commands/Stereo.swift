import ArgumentParser
import DepthPhotos
import MonocularDepth

/// `depth stereo`: photo (+ depth) → left and right view in any viewing format.
struct Stereo: ParsableCommand, PhotoCommand {
  static let configuration = CommandConfiguration(
    commandName: "stereo",
    abstract: "Make a stereo photo from one photo.",
    discussion: """
      --shift sets the largest shift in each eye's view, 1% of the width by default. For the parallax that two eyes at the \
      camera would see, use --baseline 63mm --focal-length exif --screen-distance 2.5m instead. Without -o the file \
      is written beside the photo; the end of its name tells viewers the format.

      sbs is side by side and tb top and bottom; -half squeezes each view to half its width or height. left-right \
      writes two files. wiggle is an animated PNG and gif an animated GIF. holes shows in white the pixels of the \
      views that the photo does not show. tab, tab-half and anaglyph are aliases of tb, tb-half and anaglyph-red-cyan.

      --stream makes a stereo film from frames on standard input, in the formats of 'depth stream':

        ffmpeg -v error -i in.mp4 -f yuv4mpegpipe -strict -1 - |
          depth stereo --stream --format sbs-half | ffplay -f yuv4mpegpipe -
      """)

  @Argument(help: .photos, completion: .file()) var photos: [String] = []
  @OptionGroup var batch: BatchOptions
  @Option(help: .depthOfPhotos, completion: .file()) var depth: String?
  @OptionGroup var unit: DepthUnitOptions
  @OptionGroup var parallax: ParallaxOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var output: StereoOutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var stream: PictureStreamOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    let request = try output.request(parallax, camera)
    try output.check(request)
    try stream.refuseBounds()
    // --stream has its own check that rejects --depth.
    if !stream.stream, DepthChoice(depth).isGiven, request.purposeOfMetres == nil,
      common.weights.metres == nil,
      let field = camera.request.givenFields.first
    {
      throw ValidationError(
        "--\(dashed(field)) requires --screen-distance, or depth that is estimated")
    }
  }

  func run() throws {
    let request = try output.request(parallax, camera)
    if stream.stream {
      try stream.refusePhotos(of: self, named: "stereo", output: output.givenOptions)
      return try stream.run(request.film(), of: self, quality: request.picture.jpegQuality)
    }
    let selection = try selection(outputFolder: output.outputDir)
    let files = output.value(request, limits.limits)
    try files.place.check(selection, json: common.json, content: "picture")
    try files.check(selection)
    try perform(
      selection, options(), metresFor: request.purposeOfMetres, writing: files,
      overwrite: output.overwrite
    ) { .stereo(request, of: $0, as: files) }
  }
}
