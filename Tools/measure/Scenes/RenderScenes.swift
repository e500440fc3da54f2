public import ArgumentParser
package import DepthImages
import Foundation
public import SceneRendering

/// Renders indoor scenes with their exact depth: training data and ground truth for tests.
struct RenderScenes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render-scenes",
    abstract: "Renders indoor scenes with exact depth and true left and right views.",
    discussion: """
      Writes STEM, STEM_depth and, with --stereo-baseline, STEM_left and STEM_right into the output \
      folder. STEM is the room's seed in five digits, or the scene's name. With --aperture also STEM_lens, \
      the view through a thin lens; then pictures have no tone curve, as light adds up.
      """)

  @Option(help: "Rooms to render, with successive seeds.") var count = 1
  @Option(help: "Seed of the first room.") var seed: UInt64 = 1
  @Option(help: "A hand-made scene instead of random rooms.") var scene: Scene.Name?
  @Option(
    help: """
      Random scenes: room (a Kinect held level), any-camera (40 to 100 degrees, tilted, with mirrors), table-top \
      (things at 0.15 to 1.5 m), bench (tools, packs and bins from above), near-things or thing-rooms (both of \
      --things; every second picture is upright). All but room list stem, focal length and width in cameras.tsv.
      """)
  var kind = SceneKind.room
  @Option(help: "Folder of textured meshes, surfaces and rooms, for near-things and thing-rooms.")
  var things: String?
  @Flag(help: "Depth has no value (0) on the panes of windows and on mirrors.")
  var glassUnknown = false
  @Option(help: ArgumentHelp("Size of the pictures, pixels.", valueName: "width>x<height"))
  var size = PixelSize(width: 640, height: 480)
  @Option(help: "Focal length, pixels; default 525 for 640 on the longer side.")
  var focalLength: Float?
  @Option(help: "Distance between the left and right view, metres.") var stereoBaseline: Float?
  @Option(help: "Diameter of a lens in place of the pinhole, metres, for the picture STEM_lens.")
  var aperture: Float?
  @Option(help: "Distance at which the lens is sharp, metres; by default what the middle shows.")
  var focus: Float?
  @Option(help: "Rays along each side of a pixel of STEM_lens.") var lensSamples = 12
  @Flag(help: "Give the photo a camera's exposure, white balance, vignetting and noise.")
  var photographed = false
  @Option(help: "Rays along each side of a pixel.") var samples = 2
  @Option(help: "Threads; by default one per core.") var threads: Int?
  @Option(help: "Format of the pictures.") var format = PictureFormat.png
  @Option(
    help: ArgumentHelp(
      "Render this many frames of one room, with poses and intrinsics in clip.json.",
      valueName: "frames"))
  var clip: Int?
  @Option(help: "The camera's motion in a clip: still, sway or walk.") var motion = CameraMotion
    .sway
  @Flag(help: "A ball crosses the picture of a clip.") var movingObject = false
  @Flag(help: "Somebody walks across the picture of a clip.") var person = false
  @Flag(help: "The exposure of a clip changes in its second quarter, and at once in its last one.")
  var exposure = false
  @Flag(help: "A clip goes on in another room, of the next seed, in its middle.") var cut = false
  @Option(name: .shortAndLong, help: "Folder for the files; made when missing.")
  var outputDir: String

  func validate() throws {
    func require(_ holds: Bool, _ otherwise: String) throws {
      if !holds { throw ValidationError(otherwise) }
    }
    func isIn(_ range: ClosedRange<Float>, _ number: Float?) -> Bool {
      number.map { $0 > 0 && range.contains($0) } ?? true
    }
    try require(count > 0, "--count is \(count), expected at least 1")
    try require(
      clip.map { (2...100_000).contains($0) && count == 1 } ?? true,
      "--clip takes 2 to 100000 frames of one room")
    try require(
      kind == .room || (scene == nil && clip == nil && stereoBaseline == nil),
      "--kind \(kind.rawValue) excludes --scene, --clip and --stereo-baseline")
    try require(
      kind.needsLibrary == (things != nil),
      "--kind \(SceneKind.nearThings.rawValue) and \(SceneKind.thingRooms.rawValue) need --things, and nothing else takes it"
    )
    try require(
      clip != nil || !movingObject && !person && !exposure && !cut,
      "--moving-object, --person, --exposure and --cut are parts of --clip")
    try require(
      scene == nil || count == 1, "--scene names one scene, --count asks for \(count)")
    try require((1...16).contains(samples), "--samples is \(samples), expected 1 to 16")
    try require(
      (1...256).contains(threads ?? 1), "--threads is \(threads ?? 0), expected 1 to 256")
    try require(
      isIn(0 ... .greatestFiniteMagnitude, focalLength),
      "--focal-length is \(focalLength ?? 0), expected positive pixels")
    try require(
      isIn(0...0.5, stereoBaseline),
      "--stereo-baseline is \(stereoBaseline ?? 0), expected up to 0.5 metres")
    try require(
      isIn(0...0.5, aperture), "--aperture is \(aperture ?? 0), expected up to 0.5 metres")
    try require(
      focus == nil || isIn(0 ... .greatestFiniteMagnitude, focus) && aperture != nil,
      "--focus is \(focus ?? 0), expected positive metres together with --aperture")
    try require(
      (1...64).contains(lensSamples), "--lens-samples is \(lensSamples), expected 1 to 64")
    try require(
      !photographed || aperture == nil, "--photographed and --aperture exclude each other")
  }

  func run() throws {
    do {
      let folder = URL(fileURLWithPath: outputDir, isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      if let clip { return try renderClip(frames: clip, into: folder) }
      var cameras = ""
      var library = try things.map {
        try ThingLibrary(contentsOf: URL(fileURLWithPath: $0, isDirectory: true))
      }
      for index in 0..<UInt64(count) {
        let seed = seed &+ index
        let padded = String(format: "%05llu", seed)
        let (chosen, share) =
          try scene.map { (.named($0), 525 / 640) } ?? kind.scene(seed: seed, library: &library)
        let isUpright = kind.needsLibrary && seed % 2 == 1
        let size = isUpright ? PixelSize(width: size.height, height: size.width) : size
        let focalLength = focalLength ?? share * Float(max(size.width, size.height))
        try render(
          chosen, seed: seed, size: size, focalLength: focalLength,
          stem: folder.appendingPathComponent(scene?.rawValue ?? padded).path)
        if kind != .room { cameras += "\(padded)\t\(focalLength)\t\(size.width)\n" }
      }
      if kind != .room {
        try cameras.write(
          to: folder.appendingPathComponent("cameras.tsv"), atomically: true, encoding: .utf8)
      }
    } catch {
      let message = "render-scenes: \(error)\n"
      FileHandle.standardError.write(Data(message.utf8))
      throw ExitCode.failure
    }
  }

  private func render(
    _ scene: Scene, seed: UInt64, size: PixelSize, focalLength: Float, stem: String
  ) throws {
    let camera = scene.camera(width: size.width, height: size.height, focalLength: focalLength)
    let center = Rendering(of: scene, from: camera, samples: samples, threads: threads)
    let photo =
      photographed
      ? center.photographed(seed: seed, keepsHighlights: kind.needsLibrary)
      : aperture == nil ? center.image : center.untonedImage
    if photographed, kind.needsLibrary {
      try format.write(photo, stem: stem, quality: Rendering.fileQuality(seed: seed))
    } else {
      try format.write(photo, stem: stem)
    }
    try format.write(
      glassUnknown ? center.depthOfSolids(of: scene) : center.depth, stem: stem + "_depth")
    if let aperture {
      let middle = center.depth.values[size.height / 2 * size.width + size.width / 2]
      let lens = ThinLens(aperture: aperture, focus: focus ?? middle)
      let view = Rendering(
        of: scene, from: camera, lens: lens, samples: lensSamples, threads: threads)
      try format.write(view.untonedImage, stem: stem + "_lens")
    }
    guard let stereoBaseline else { return }
    for (name, side) in [("left", Float(-0.5)), ("right", 0.5)] {
      let eye = camera.shifted(by: side * stereoBaseline)
      let view = Rendering(of: scene, from: eye, samples: samples, threads: threads)
      try format.write(view.image, stem: "\(stem)_\(name)")
    }
  }
}

extension CameraMotion: ExpressibleByArgument {}

extension Scene.Name: ExpressibleByArgument {}

extension SceneKind: ExpressibleByArgument {}

/// On the command line `640x480`.
extension PixelSize: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  package var defaultValueDescription: String { "\(width)x\(height)" }
}
