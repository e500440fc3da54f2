import DepthErrors
import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth

/// Makes the output of each frame of a ``FramePipeline`` as part of its step 3.
///
/// Called for several frames concurrently; work that depends on earlier frames runs in the ordered steps 1 and 2.
protocol FrameMaker: Sendable {
  associatedtype Output: Sendable

  /// - Throws: `DepthError`.
  func output(of frame: FrameDepth, steps: OrderedSteps) throws -> Output

  /// Runs the ordered steps of a damaged frame, which do nothing.
  func skip(_ steps: OrderedSteps) throws
}

extension FramePipeline {
  /// All steps of a frame; `nil` for a damaged frame that can be skipped.
  ///
  /// - Parameter number: As of ``depth(of:named:number:inOrder:)``.
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

  /// Notes on an unusual camera and on metres that are not to be trusted; empty before the first frame.
  var notes: [String] {
    [
      lastCamera.flatMap(estimation.options.camera.unusualFocalLength), distrusted?.distrust,
    ].compactMap(\.self)
  }

  /// Tells of metres that are not to be trusted on standard error, at once.
  static func tell(frame: String, of fit: MetricFit) {
    if let distrust = fit.distrust { Console.note("\(frame): \(distrust)") }
  }
}

extension EncodedFrame {
  /// The decoded frame; `nil` for one that is damaged while those behind it may be whole.
  func imageUnlessDamaged() throws -> Image? {
    do { return try image() } catch let error as DepthError
      where mayBeSkipped && error.code == .damaged
    {
      return nil
    }
  }
}
