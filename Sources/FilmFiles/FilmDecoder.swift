import DepthBase
import DepthErrors
package import DepthImages
package import FrameStreams
import Synchronization
import SystemEssentials

/// A frame of a film and its time.
package struct FilmFrame: Sendable {
  package let frame: EncodedFrame
  /// Time since the start of the film or of the processed excerpt.
  package let microseconds: Int
}

/// A film decoder that runs ffmpeg in a child process.
package final class FilmDecoder: Sendable {
  let child: ChildProcess
  /// A line of ffmpeg's log about a frame.
  struct FrameLine: Sendable {
    /// Time in microseconds.
    let time: Int?
    let shape: FrameShape?
  }

  /// The lines about frames, in order.
  private let lines: Channel<FrameLine>
  private let shapes = FrameShapes()
  /// Number of frames to skip at the start.
  private let skipped: Int
  /// Whether a time was missing. The decoder then does not wait for later times.
  private let areMissing = Atomic(false)
  /// Whether ffmpeg has reported that a signal ended the decoding.
  private let wasAskedToEnd: StopFlag
  private let path: String
  /// ffmpeg's name of the film's codec.
  let codec: String
  /// Duration of a frame in microseconds.
  private let frameDuration: Int

  /// Starts decoding.
  ///
  /// - Parameters:
  ///   - skipping: Number of frames to skip at the start.
  package init(_ path: String, _ film: InputFilm, skipping: Int, tools: FFmpeg) throws {
    (self.path, frameDuration) = (path, film.frameDuration)
    codec = film.video.codecName ?? ""
    skipped = skipping
    let lines = Channel<FrameLine>(capacity: .max)
    self.lines = lines
    let wasAskedToEnd = StopFlag()
    self.wasAskedToEnd = wasAskedToEnd
    let secondsPerTick = Mutex(0.0)
    let begin = try ExcerptSeek(of: film, path, tools: tools)
    // This filter prints the times and must be last. No other filter changes the size.
    let filters = begin.filters + film.decoding.filters + ["showinfo=checksum=0"]
    child = try ChildProcess(
      tools.ffmpeg,
      ["-hide_banner", "-nostats", "-loglevel", "level+info"] + begin.arguments
        + film.decoding.decoder + ["-i", FFmpeg.url(path), "-map", "0:\(film.video.index)"]
        + ["-vf", filters.joined(separator: ",")] + tools.timing
        + ["-pix_fmt", film.decoding.pixelFormat, "-strict", "-1", "-f", "yuv4mpegpipe", "pipe:1"]
        + film.probe.commonStart(input: 0, upTo: begin.length),
      output: .pipe
    ) { line in
      if line.contains("Exiting normally, received signal") { wasAskedToEnd.stop() }
      return secondsPerTick.withLock { Self.take(line, lines, secondsPerTick: &$0) }
    }
  }

  /// Makes a reader of the frames.
  ///
  /// - Parameters:
  ///   - firstIndex: Number of the first frame after the skipped frames.
  ///   - makesViews: Whether each frame becomes a pair of views.
  package func reader(
    _ decoding: FilmDecoding, limits: ImageLimits, firstIndex: Int, makesViews: Bool,
    isStopped: @escaping @Sendable () -> Bool
  ) throws -> FrameReader {
    var options = FrameReader.Options()
    (options.format, options.limits, options.makesViews) = (.y4m, limits, makesViews)
    (options.matrix, options.range) = (decoding.matrix, decoding.range)
    (options.siting, options.interpolatesChroma) = (decoding.siting, true)
    options.conversion = decoding.conversion
    options.firstIndex = firstIndex - skipped
    do {
      var reader = try FrameReader(
        ByteSource(descriptor: child.output, name: path, isStopped: isStopped), options: options,
        isStopped: isStopped)
      // Frames are not skipped by a filter of ffmpeg: ffmpeg rebuilds filters when the size changes, and the new
      // filter would skip frames again.
      for _ in 0..<skipped where try reader.next() != nil { _ = next(after: nil) }
      return reader
    } catch {
      guard !isStopped() else { throw error }
      try checkEnd()
      // Without any output, ffmpeg's messages give the reason.
      child.end()
      guard let message = firstMessage else { throw error }
      let isUnknown = ["Decoder (codec ", "no decoder found"].contains(where: message.contains)
      throw isUnknown
        ? InputFilm.undecodable(path, kind: codec)
        : DepthError.unreadable(
          file: path, reason: "no frame of it can be decoded (ffmpeg: \(message))")
    }
  }

  /// The time of the next frame, which has already been read, and the part that the picture fills; `nil` for the
  /// whole frame.
  ///
  /// - Parameter last: Time of the previous frame; `nil` for the first frame.
  func next(after last: Int?) -> (microseconds: Int, inset: PixelSize?) {
    // ffmpeg writes the line before the frame, to another pipe.
    let wait = areMissing.load(ordering: .relaxed) ? Duration.zero : .seconds(20)
    var told: FrameLine?
    switch try? lines.receive(upTo: wait) {
    case .element(let line): told = line
    case .timeout, .end, nil: areMissing.store(true, ordering: .relaxed)
    }
    let least = last.map { $0 + 1 } ?? 0
    let time = told?.time ?? (last.map { $0 + frameDuration } ?? 0)
    return (max(time, least), told?.shape.flatMap(shapes.inset))
  }

  /// The note about a film with changing frame sizes; `nil` for other films.
  package var noteOfSizes: String? { shapes.note }

  /// Checks that missing or truncated frames are due to the film, not to a killed decoder.
  ///
  /// - Throws: `DepthError` if a signal has ended the decoder.
  func checkEnd() throws {
    let signal = child.endingSignal(within: .seconds(5))
    let crashes = [SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL]
    if let signal, crashes.contains(signal) {
      throw DepthError(.unreadable, "ffmpeg's decoder crashed (signal \(signal))")
    }
    guard signal != nil || wasAskedToEnd.isStopped else { return }
    throw DepthError(
      .insufficientMemory,
      signal == SIGKILL
        ? "ffmpeg's decoder was killed, probably for lack of memory"
        : "ffmpeg's decoder was ended by another program",
      cause: SystemFailure(ENOMEM))
  }

  /// Ends the decoding.
  ///
  /// - Returns: ffmpeg's message about an error in the film.
  package func end() -> String? {
    child.end()
    return message
  }

  /// Waits for the end of the decoding.
  package func finish() -> String? {
    _ = child.finish()
    return message
  }
}
