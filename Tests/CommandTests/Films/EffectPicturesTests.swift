import DepthBase
import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth
import Synchronization
import Testing
import _TestSupport

@testable import DepthCommands

/// Effects on the frames of a film.
@Suite struct EffectPicturesTests {
  /// Haze whose range follows the film.
  private func haze(_ estimation: MapEstimation) -> EffectPictures {
    var effect = EffectRequest()
    (effect.effect, effect.haze.strength) = (.haze, 0.7)
    return EffectPictures(
      estimation: estimation, effect: effect, isSteady: true, framesPerSecond: 30, threads: 1)
  }

  /// The pictures of frames in turn, each by a new maker that continues with the former maker's state.
  private func pictures(
    _ frames: [FrameDepth], by estimations: [MapEstimation]
  ) throws -> [Image] {
    let makers = estimations.map(haze)
    let made = Mutex<[Image]>([])
    let memory = Mutex(FilmMemory())
    let next = Mutex(0)
    try FrameWorkers<Int, Image>(
      next: {
        next.withLock { index in
          defer { index += 1 }
          return index < frames.count ? index : nil
        }
      },
      work: { index, steps in
        try steps.run(0) {}
        memory.withLock { makers[index].restore(from: $0) }
        let image = try makers[index].output(of: frames[index], steps: steps)
        memory.withLock { makers[index].save(into: &$0) }
        return image
      },
      deliver: { image in made.withLock { $0.append(image) } }
    ).run(threads: 1)
    return made.withLock(\.self)
  }

  @Test("a cut to a frame without depth discards the scene before it")
  func nothingIsKeptOverACutToAFrameWithoutDepth() throws {
    let estimation = MapEstimation(
      try DepthEstimator(.compact, threads: 1), options: DepthOptions(refinement: .none))
    // All depths are beyond infinity.
    var blind = estimation
    blind.options.calibration = DepthCalibration(scale: 1, shift: -1000)
    let photo = TestPhoto.image()
    let other = Image(
      height: photo.height, width: photo.width, pixels: photo.pixels.reversed().map { 255 - $0 })
    let film = FramePipeline(estimation, smoothing: .none, threads: 1, findsMotion: true)
    let frames = try [photo, other, other].map { try film.depth(of: $0, named: "frame") }
    try #require(frames.map(\.change.isCut).suffix(2) == [true, false])
    let fresh = try pictures([frames[2]], by: [estimation])[0]
    let found = try pictures(frames, by: [estimation, blind, estimation])
    #expect(found[2] == fresh)
    // Without the cut, the first frame's range is held for a while.
    let followed = try pictures([frames[0], frames[2]], by: [estimation, estimation])
    #expect(followed[1] != fresh)
  }
}
