import DepthBase

/// Cover pictures of films in Matroska.
extension FilmMuxer {
  /// Options that attach the film's covers as files. Covers as streams would count as further films.
  ///
  /// - Parameters:
  ///   - file: The file beside which covers are first written.
  ///   - count: Number of streams before the covers.
  /// - Throws: `DepthError` with ffmpeg's message.
  func covers(beside file: String, after count: Int) throws -> [String] {
    var arguments: [String] = []
    for (index, cover) in probe.streams.filter(\.isAttachedPicture).enumerated() {
      let picture = "\(file).cover\(index)"
      let child = try ChildProcess(
        tools.ffmpeg,
        ["-hide_banner", "-loglevel", "level+error", "-nostats", "-y", "-i", FFmpeg.url(path)]
          + ["-map", "0:\(cover.index)", "-c", "copy", "-frames:v", "1", "-f", "data"]
          + [FFmpeg.url(picture)])
      if let failure = child.writeFailure(child.finish()) { throw failure }
      let (ending, type) = Self.picture(cover.codecName)
      var tags = cover.tags ?? [:]
      let name = index == 0 ? "cover" : "cover\(index + 1)"
      if tags["filename"] == nil { tags["filename"] = name + ending }
      if tags["mimetype"] == nil { tags["mimetype"] = type }
      arguments += ["-attach", FFmpeg.url(picture)]
      for key in ["title", "filename", "mimetype"] {
        if let value = tags[key], metadata.lets(pass: key) {
          arguments += ["-metadata:s:\(count + index)", "\(key)=\(value)"]
        }
      }
    }
    return arguments
  }

  /// The extension and media type of a picture, by ffmpeg's name of its codec.
  private static func picture(_ codec: String?) -> (ending: String, type: String) {
    switch codec {
    case let name? where ["png", "bmp", "gif", "tiff", "webp"].contains(name):
      (".\(name)", "image/\(name)")
    default: (".jpg", "image/jpeg")
    }
  }
}
