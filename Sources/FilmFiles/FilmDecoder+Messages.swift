import DepthBase
import DepthErrors
import FrameStreams

/// Parsing of ffmpeg's messages during decoding, for times of frames and errors.
extension FilmDecoder {
  /// Parses the time of a frame from a line of ffmpeg's log.
  ///
  /// - Returns: `false` for a line that reports an error.
  static func take(
    _ line: String, _ lines: Channel<FrameLine>, secondsPerTick tick: inout Double
  ) -> Bool {
    // The filter's name is not always in front: ffmpeg omits the name after a message without a line feed, such as the
    // message about a rotation by other than a multiple of 90°. Metadata can be any text, but is indented.
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

  /// Whether the text after the names of ffmpeg's components begins with spaces.
  private static func isIndented(_ line: String) -> Bool {
    var rest = line[...]
    while rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      rest = rest[rest.index(after: end)...]
      guard rest.hasPrefix(" [") else { break }
      rest = rest.dropFirst()
    }
    return rest.hasPrefix("  ")
  }

  /// Whether a text ends with a frame number, `n:  12`.
  private static func hasNumber(_ text: Substring) -> Bool {
    let digits = text.reversed().prefix(while: \.isWholeNumber).count
    let head = text.dropLast(digits).reversed().drop { $0 == " " }
    return digits > 0 && head.starts(with: ":n")
  }

  /// The first message of the decoder, or else of ffmpeg. Later messages are usually consequences.
  var firstMessage: String? {
    let messages = child.messages
    let ofDecoder = messages.first { $0.hasPrefix("[\(codec) @ ") }
    return (ofDecoder ?? messages.first).map(ChildProcess.plain)
  }

  /// The last message, without the names of ffmpeg's components.
  var message: String? {
    child.messages.last.map(ChildProcess.plain)
  }
}
