import DepthErrors
import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth

/// Makes the output of each frame in step 3 of a ``FramePipeline``.
///
/// ``output(of:steps:)`` is called concurrently for several frames. Work that depends on earlier frames runs in
/// the ordered steps 1 and 2.
protocol FrameMaker: Sendable {
  associatedtype Output: Sendable

  /// - Throws: `DepthError`.
  func output(of frame: FrameDepth, steps: OrderedSteps) throws -> Output

  /// Passes through the ordered steps without work, for a damaged frame.
  func skip(_ steps: OrderedSteps) throws
}

extension FramePipeline {
  /// The output of a frame after all steps; `nil` for a damaged frame that can be skipped.
  ///
  /// - Parameter number: See ``depth(of:named:number:inOrder:)``.
  /// - Throws: `DepthError`.
  func output<Maker: FrameMaker>(
    of frame: EncodedFrame, number: Int, steps: OrderedSteps, by maker: Maker
  ) throws -> Maker.Output? {
    guard let image = try frame.imageUnlessDamaged() else {
      try steps.run(0) {}
      try maker.skip(steps)
      return nil
    }
    let steady = try depth(of: image, named: frame.name, number: number) { try steps.run(0, $0) }
    return try maker.output(of: steady, steps: steps)
  }

  /// Notes on an unusual camera and on unreliable metres; empty before the first frame.
  var notes: [String] {
    [
      lastCamera.flatMap(estimation.options.camera.unusualFocalLength), distrusted?.distrust,
    ].compactMap(\.self)
  }

  /// Prints a note on unreliable metres immediately.
  static func tell(frame: String, of fit: MetricFit) {
    if let distrust = fit.distrust { Console.note("\(frame): \(distrust)") }
  }
}

extension EncodedFrame {
  /// The decoded frame; `nil` for a damaged frame if later frames may be intact.
  func imageUnlessDamaged() throws -> Image? {
    do { return try image() } catch let error as DepthError
      where mayBeSkipped && error.code == .damaged
    {
      return nil
    }
  }
}
