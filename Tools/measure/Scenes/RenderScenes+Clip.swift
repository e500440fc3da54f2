import DepthImages
import Foundation
import SceneRendering

extension RenderScenes {
  /// Frames per second of a clip.
  private static let rate = 30.0

  /// Writes `rgb/NNNNN`, `depth/NNNNN` and `clip.json`: a folder for `measure clips`, and a data set of
  /// `depth evaluate`.
  func renderClip(frames: Int, into folder: URL) throws {
    for name in ["rgb", "depth"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    let cutFrame = cut ? frames / 2 : frames
    var records: [ClipFolder.Description.Frame] = []
    var focal = 0.0
    var (room, roomSeed) = (scene.map(Scene.named) ?? .randomRoom(seed: seed), seed)
    for frame in 0..<frames {
      if frame == cutFrame {
        roomSeed &+= 1
        room = .randomRoom(seed: roomSeed)
      }
      var view = room
      if movingObject { view = view.withCrossingBall(frame: frame, of: frames) }
      if person { view = view.withCrossingPerson(frame: frame, of: frames) }
      let camera = SceneCamera(
        view.viewpoint(frame: frame, motion: motion), width: size.width, height: size.height,
        focalLength: focalLength)
      focal = camera.intrinsics.focalLength
      let rendering = Rendering(of: view, from: camera, samples: samples, threads: threads)
      let stem = String(format: "%05d", frame)
      // A video's frames come from a camera: always with noise, new in every frame.
      let photo = rendering.photographed(
        seed: roomSeed, noiseSeed: UInt64(frame), gain: exposure ? gain(frame, of: frames) : 1)
      try format.write(photo, stem: folder.appendingPathComponent("rgb/\(stem)").path)
      try format.write(
        rendering.depth, stem: folder.appendingPathComponent("depth/\(stem)").path)
      records.append(
        .init(
          photo: "rgb/\(stem).\(format.picture)",
          depth: "depth/\(stem).\(format.depth)",
          cameraToRoom: camera.cameraToRoom))
    }
    let description = ClipFolder.Description(
      width: size.width, height: size.height, focalLength: focal, rate: Self.rate,
      cuts: cut ? [cutFrame] : [], frames: records)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(description).write(
      to: folder.appendingPathComponent(ClipFolder.descriptionName))
  }

  /// Up by half over the second quarter of a clip, and down by as much at once at the last quarter's beginning.
  private func gain(_ frame: Int, of frames: Int) -> Float {
    let share = Float(frame) / Float(frames)
    guard share < 0.75 else { return 1 }
    return 1 + 0.5 * min(max((share - 0.25) / 0.25, 0), 1)
  }
}
