import DepthErrors
package import FrameStreams
import Synchronization

/// The frames of a film, divided into segments.
package final class FilmFrames: Sendable {
  private struct State: Sendable {
    var reader: FrameReader
    /// A frame that belongs to the next segment.
    var held: FilmFrame?
    /// Times of the last frame read, and of the last frame in a segment.
    var last, lastTaken: Int?
    /// Time of the film's first frame.
    var origin: Int?
    var segment = 0
    var taken = 0
    var hasEnded = false
  }

  private let decoder: FilmDecoder
  /// Microseconds per segment; `nil` for a single segment.
  private let length: Int?
  private let isStopped: @Sendable () -> Bool
  private let state: Mutex<State>

  /// - Parameters:
  ///   - origin: Time of the film's first frame, if an earlier run has read it.
  ///   - last: Time of the last frame that an earlier run has made.
  ///   - segment: Seconds per segment.
  package init(
    reader: FrameReader, decoder: FilmDecoder, origin: Int?, last: Int?, segment: Double?,
    isStopped: @escaping @Sendable () -> Bool
  ) {
    (self.decoder, self.isStopped) = (decoder, isStopped)
    length = segment.map { max(Int($0 * 1_000_000), 1) }
    state = Mutex(State(reader: reader, last: last, lastTaken: last, origin: origin))
  }

  /// Number of frames in the segment so far.
  package var taken: Int { state.withLock { $0.taken } }
  /// Time of the last frame in a segment, in microseconds; `nil` before the first frame.
  package var last: Int? { state.withLock { $0.lastTaken } }
  /// Whether the film has no more frames.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Begins the next segment.
  ///
  /// - Returns: The time of the segment's first frame; `nil` at the film's end.
  package func beginSegment() throws -> Int? {
    try state.withLock { state in
      guard let frame = try read(&state) else { return nil }
      state.held = frame
      state.taken = 0
      state.segment = number(of: frame, state)
      return frame.microseconds
    }
  }

  /// The next frame of the segment; `nil` at the segment's end.
  package func next() throws -> FilmFrame? {
    try state.withLock { state in
      guard let frame = try read(&state) else { return nil }
      guard number(of: frame, state) == state.segment else {
        state.held = frame
        return nil
      }
      state.taken += 1
      state.lastTaken = frame.microseconds
      return frame
    }
  }

  private func read(_ state: inout State) throws -> FilmFrame? {
    if let held = state.held {
      state.held = nil
      return held
    }
    guard !state.hasEnded, !isStopped(), var frame = try nextFrame(&state.reader) else {
      state.hasEnded = true
      return nil
    }
    let (time, inset) = decoder.next(after: state.last)
    frame.inset = inset
    state.last = time
    if state.origin == nil { state.origin = time }
    return FilmFrame(frame: frame, microseconds: time)
  }

  /// Reads the next frame; `nil` at the film's end.
  ///
  /// - Throws: An error if the decoder was ended, which leaves the segment in progress incomplete.
  private func nextFrame(_ reader: inout FrameReader) throws -> EncodedFrame? {
    do {
      if let frame = try reader.next() { return frame }
      if !isStopped() { try decoder.checkEnd() }
      return nil
    } catch let error as DepthError where error.code == .damaged && !isStopped() {
      try decoder.checkEnd()
      throw error
    }
  }

  /// The number of the segment that contains a frame, by its time.
  private func number(of frame: FilmFrame, _ state: State) -> Int {
    guard let length else { return 0 }
    return max(frame.microseconds - (state.origin ?? 0), 0) / length
  }
}
