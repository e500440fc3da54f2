import DepthImages
import DepthVideo
import FrameStreams

/// Makes a picture of each frame of a film and of its depth.
///
/// Called for several frames at once; what depends on the frames before goes through the frame's turn, by the
/// steps 1 and 2.
protocol FramePictures: Sendable {
  /// - Parameters:
  ///   - frame: The frame with its network's map.
  ///   - change: What happened since the frame before.
  ///   - turn: The frame's place among the others.
  /// - Throws: `DepthError`.
  func picture(
    _ frame: FrameDepth, change: FilmMotion.Change, turn: FrameTurn
  ) throws -> Image

  /// Takes the steps of a frame that has no picture.
  func skip(_ turn: FrameTurn) throws

  /// What is known of the frames so far, to go on from later.
  func save(into memory: inout FilmMemory)
  func restore(from memory: FilmMemory)
}
