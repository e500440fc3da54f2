/// The streams of the new film, in the input's order, with the new pictures in place of the old pictures.
extension FilmMuxer {
  /// Options that map the streams, and the number of streams.
  ///
  /// - Parameters:
  ///   - handlings: The handling of each stream, by its number in the input.
  ///   - durations: A filter for packets of the new pictures.
  func streams(
    by handlings: [Int: StreamHandling], _ container: FilmContainer, _ durations: String?
  ) -> (arguments: [String], count: Int) {
    var arguments = ["-c", "copy"]
    var index = 0
    for stream in probe.streams {
      let isPictures = stream.index == probe.video?.index
      guard isPictures || handlings[stream.index] != nil else { continue }
      arguments += ["-map", isPictures ? "0:v:0" : "1:\(stream.index)"]
      arguments += ["-map_metadata:s:\(index)", "1:s:\(stream.index)"]
      arguments += metadata.removing(stream.tags, by: "-metadata:s:\(index)")
      if isPictures {
        arguments += tags(at: index, container)
        if container.isMP4, codec == "hevc" {
          // Apple's players reject ffmpeg's default, hev1.
          arguments += ["-tag:\(index)", "hvc1"]
        }
        if let durations { arguments += ["-bsf:\(index)", durations] }
      }
      if stream.isAttachedPicture { arguments += ["-disposition:\(index)", "attached_pic"] }
      arguments += handlings[stream.index]?.arguments(at: index) ?? []
      index += 1
    }
    return (arguments, index)
  }

  /// Tags of the pictures' stream. The input's tags of rotation, encoder and size are removed.
  private func tags(at index: Int, _ container: FilmContainer) -> [String] {
    var values = ["rotate=", "encoder="]
    if let mode = packing?.stereoMode(in: container) { values.append("stereo_mode=\(mode)") }
    if container.muxer == "matroska" {
      for key in ["BPS", "DURATION", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES"] {
        values += ["\(key)=", "\(key)-eng="]
      }
    }
    if container.holdsTimecode, metadata.lets(pass: "timecode"),
      probe.video?.tags?["timecode"] == nil,
      let timecode = probe.dataTimecode
    {
      values.append("timecode=\(timecode)")
    }
    return values.flatMap { ["-metadata:s:\(index)", $0] }
      + ["-disposition:\(index)", probe.video?.disposition?["default"] == 0 ? "0" : "default"]
  }
}

extension FilmProbe {
  /// The timecode of a data stream; `nil` without a timecode.
  var dataTimecode: String? {
    streams.lazy.filter { $0.codecType == "data" }.compactMap { $0.tags?["timecode"] }.first
  }
}
