import DepthErrors

/// Detection of missing frames in damaged films, and of clock jumps.
extension FilmProbe {
  /// Seconds that may be missing at the end, because streams rarely end together.
  private static let tolerance = 1.0
  /// Minimum seconds of a step that ffmpeg treats as a clock jump. Times then continue without a gap.
  private static let jump = 10.0

  /// Notes about a film in which ffmpeg found an error; empty for other films.
  ///
  /// The length of films without an error is not checked, because the last frame may have a long duration.
  ///
  /// - Parameters:
  ///   - fault: ffmpeg's message.
  ///   - end: Seconds from the start of the excerpt to the end of its last frame; `nil` if unknown.
  ///   - clock: Reads the film's clock; called if `end` differs from the stored length.
  package func faults(
    _ fault: String?, endingAt end: Double?, of excerpt: FilmExcerpt, clock: () throws -> Clock
  ) rethrows -> [String] {
    guard let fault else { return [] }
    let reason = "ffmpeg: \(fault)"
    guard let end, let length = video?.seconds ?? seconds else { return [reason] }
    func expected(_ length: Double) -> Double {
      min(excerpt.duration ?? .infinity, length - (excerpt.start ?? 0))
    }
    guard abs(end - expected(length)) > Self.tolerance else { return [reason] }
    let clock = try clock()
    let jumps = clock.jumps.isEmpty ? [] : ["its clock jumps by \(Self.text(clock.jumps))"]
    let wanted = expected(jumps.isEmpty ? length : clock.seconds)
    guard end + Self.tolerance < wanted else {
      // For a jump, ffmpeg reports packets with decreasing times.
      return jumps + (!jumps.isEmpty && fault.contains("monoton") ? [] : [reason])
    }
    return jumps + [
      "ends after \(end.rounded(toDigits: 1)) s of \(wanted.rounded(toDigits: 1)) s (\(reason))"
    ]
  }

  private static func text(_ jumps: [Double]) -> String {
    let first = jumps.prefix(3).map { "\(Int($0.rounded())) s" }.joined(separator: ", ")
    return jumps.count > 3 ? first + " and \(jumps.count - 3) times more" : first
  }

  package struct Clock: Sendable {
    /// The clock jumps between two pictures, in seconds.
    var jumps: [Double] = []
    /// The sum of all other steps, in seconds.
    var seconds = 0.0
  }

  /// Reads the clock of a film whose times may jump.
  ///
  /// - Throws: `DepthError` if ffprobe cannot be started. An unreadable file has no jumps.
  package func clock(_ path: String, by tools: FFmpeg) throws -> Clock {
    guard mayJump, let video else { return Clock() }
    let text: String
    do {
      text = try FFmpeg.text(
        tools.ffprobe,
        ["-v", "error", "-select_streams", "\(video.index)", "-show_entries", "packet=dts_time"]
          + ["-of", "csv=p=0", "-i", FFmpeg.url(path)])
    } catch let error as DepthError where error.code == .unreadable {
      return Clock()
    }
    let times = text.split(separator: "\n").compactMap { line in
      line.split(separator: ",").first.flatMap { Double($0) }
    }
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    return Clock(
      jumps: steps.filter { abs($0) > Self.jump },
      seconds: steps.filter { abs($0) <= Self.jump }.reduce(0, +))
  }
}
