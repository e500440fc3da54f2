import DepthErrors
public import DepthImages

/// Depth of a stream of frames.
extension DepthEstimator {
  /// The depths of frames, in their order. Depths of early frames are available while later frames are still coming.
  ///
  ///     for try await depth in estimator.depths(of: frames) { … }
  ///
  /// Order, errors and parameters are those of ``estimates(of:options:ahead:)``.
  public func depths<Frames>(
    of frames: Frames, options: DepthOptions = DepthOptions(), ahead: Int? = nil
  ) -> some AsyncSequence<DepthMap, any Error> & Sendable
  where Frames: AsyncSequence & Sendable, Frames.Element == Image {
    OrderedResults(of: frames, ahead: ahead ?? threads + 1) { photo in
      try await estimate(of: photo, options: options).depth
    }
  }

  /// Each frame with its estimate, in order. Estimates of early frames are available while later frames are still
  /// coming.
  ///
  /// Frames are taken from `frames` only while fewer than `ahead` of them are being estimated or wait for the
  /// consumer. A slow consumer therefore makes the source wait, and frames do not fill the memory. A source that cannot
  /// wait, such as a camera, must drop frames itself, for example by
  /// `AsyncStream(bufferingPolicy: .bufferingNewest(1))`.
  ///
  /// If `frames` or an estimate throws an error, the sequence first gives the estimates of all earlier frames; then it throws the
  /// error and ends. When the consumer's task is cancelled, running estimates end and the sequence throws `CancellationError`. When
  /// the consumer stops iterating, no more frames are taken. Each iteration of the sequence iterates `frames` once.
  ///
  /// - Parameters:
  ///   - frames: Any asynchronous sequence of upright pictures.
  ///   - options: The options for all frames, such as their camera; ``DepthOptions/unrefined`` is the fastest.
  ///   - ahead: Frames that are taken before the consumer asks for them, 1…1024; by default one more than ``threads``,
  ///     which keeps all processors busy. With 1, the next frame is taken when the consumer has received the estimate
  ///     of the last one. For a number outside 1…1024, the sequence throws `DepthError` with code `invalidArgument`.
  public func estimates<Frames>(
    of frames: Frames, options: DepthOptions = DepthOptions(), ahead: Int? = nil
  ) -> some AsyncSequence<(photo: Image, estimate: DepthEstimate), any Error> & Sendable
  where Frames: AsyncSequence & Sendable, Frames.Element == Image {
    OrderedResults(of: frames, ahead: ahead ?? threads + 1) { photo in
      (photo: photo, estimate: try await estimate(of: photo, options: options))
    }
  }
}
