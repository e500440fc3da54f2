import DepthBase
import DepthErrors
import FrameStreams

/// Messages of ffmpeg while it decodes: times of frames, and faults.
extension FilmDecoder {
  /// Looks for a time in a line of ffmpeg.
  ///
  /// - Returns: `false` for a line that reports an error.
  static func take(
    _ line: String, _ lines: Channel<FrameLine>, secondsPerTick tick: inout Double
  ) -> Bool {
    // Not by the filter's name in front: ffmpeg leaves it out after a message of another part that has no line's end, such
    // as the one about a rotation that is no quarter turn. Metadata, which may be any text, are indented.
    if isIndented(line) { return true }
    if let place = line.firstRange(of: "config in time_base: ") {
      let text = line[place.upperBound...].prefix { $0 != "," && $0 != " " }
      if let ratio = Ratio(text) { tick = ratio.value ?? 0 }
    } else if tick > 0, line.contains(" pts_time:"), let place = line.firstRange(of: " pts:"),
      hasNumber(line[..<place.lowerBound])
    {
      let text = line[place.upperBound...].drop { $0 == " " }.prefix { $0 != " " }
      let time = Int(text).flatMap { Int(filmMicroseconds: Double($0) * tick * 1_000_000) }
      lines.send(FrameLine(time: time, shape: FrameShape(line)))
    } else if !line.contains("showinfo") {
      return !(line.contains("[error]") || line.contains("[fatal]"))
    }
    return true
  }

  /// Whether a line's text, without the names of parts of ffmpeg in front, begins with spaces.
  private static func isIndented(_ line: String) -> Bool {
    var rest = line[...]
    while rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      rest = rest[rest.index(after: end)...]
      guard rest.hasPrefix(" [") else { break }
      rest = rest.dropFirst()
    }
    return rest.hasPrefix("  ")
  }

  /// Whether a text ends with a frame's number, `n:  12`.
  private static func hasNumber(_ text: Substring) -> Bool {
    let digits = text.reversed().prefix(while: \.isWholeNumber).count
    let head = text.dropLast(digits).reversed().drop { $0 == " " }
    return digits > 0 && head.starts(with: ":n")
  }

  /// The first thing that a decoder has said, or ffmpeg itself: what it says in the end only follows from that.
  var firstMessage: String? {
    let messages = child.messages
    let ofDecoder = messages.first { $0.hasPrefix("[\(codec) @ ") }
    return (ofDecoder ?? messages.first).map(ChildProcess.plain)
  }

  /// The last thing that was wrong, without the names of ffmpeg's parts.
  var message: String? {
    child.messages.last.map(ChildProcess.plain)
  }
}
