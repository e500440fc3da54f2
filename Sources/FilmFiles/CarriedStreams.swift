import DepthErrors
import PictureFiles
import SystemEssentials

/// The streams that a new film takes over from its input, with notes about changed and omitted streams.
package struct CarriedStreams: Sendable {
  /// The handling of each stream, by its number in the input.
  package private(set) var handlings: [Int: StreamHandling] = [:]
  package private(set) var notes: [String] = []

  private let probe: FilmProbe
  private let container: FilmContainer
  private let tools: FFmpeg

  /// Determines the handling of all streams by trials with a few dark pictures.
  ///
  /// - Parameters:
  ///   - path: The film whose frames are encoded.
  ///   - pictures: The path of a temporary file for the pictures of trials.
  ///   - trial: The path of a temporary file for trials' films.
  /// - Throws: `DepthError` if the new film's container does not support the pictures, or if its encoder fails.
  package init(
    of path: String, _ encoding: FilmEncoding, into container: FilmContainer,
    pictures: String, trial: String
  ) throws {
    defer { unsafe unlink(pictures) }
    let picture = encoding.darkPicture()
    let encoder = try encoding.encoder(of: picture, to: pictures, threads: 1)
    do {
      for frame in 0..<12 {
        try encoder.encode(picture.planes, microseconds: frame * encoding.film.frameDuration)
      }
      try encoder.finish()
    } catch {
      encoder.abandon()
      throw error
    }
    try self.init(
      of: encoding.film.probe, into: container, tools: encoding.tools,
      by: MuxerTrial(
        of: FilmMuxer(path, encoding, metadata: .withoutLocation), pictures: pictures,
        writing: trial))
  }

  /// Determines the handling of each stream: the first handling that the container supports.
  ///
  /// - Throws: `DepthError` if the container does not support the pictures, or if ffmpeg lacks the encoders for sound or
  ///   subtitles.
  init(
    of probe: FilmProbe, into container: FilmContainer, tools: FFmpeg, by trial: MuxerTrial
  ) throws {
    (self.probe, self.container, self.tools) = (probe, container, tools)
    let asked = probe.streams.filter { !container.handlings(of: $0).isEmpty }
    for stream in asked { handlings[stream.index] = container.handlings(of: stream).first }
    for stream in probe.streams where isKept(stream) { handlings[stream.index] = .copied }
    if try trial.fault(of: handlings, in: container) != nil {
      if let fault = try trial.fault(of: [:], in: container) {
        throw try refusal(
          "cannot hold the new pictures (\(fault))", orCodecs: container.encoders(of: tools)
        ) { try trial.fault(of: [:], in: $0) == nil }
      }
      for stream in asked { handlings[stream.index] = try handling(of: stream, by: trial) }
      for stream in probe.streams where isKept(stream) {
        if try trial.fault(of: [stream.index: .copied], in: container) != nil {
          handlings[stream.index] = nil
        }
      }
    }
    notes = try probe.streams.compactMap { try note($0, by: trial) } + chapterNotes
  }

  /// Whether a stream that is neither sound nor subtitles is copied.
  private func isKept(_ stream: FilmProbe.Stream) -> Bool {
    switch stream.codecType {
    case "attachment": container.muxer == "matroska"
    case "video": stream.isAttachedPicture && container.muxer == "mp4"
    default: false
    }
  }

  /// The first handling that the container supports; `nil` if the container supports no handling.
  private func handling(of stream: FilmProbe.Stream, by trial: MuxerTrial) throws -> StreamHandling?
  {
    let possible = container.handlings(of: stream)
    let known = possible.filter { $0.isKnown(to: tools) }
    let found = try known.first { try trial.fault(of: [stream.index: $0], in: container) == nil }
    guard found == nil, known.count == 1, possible.count > 1 else { return found }
    let encoders = possible.compactMap(\.encoder).joined(separator: " and ")
    throw try refusal(
      "cannot hold its \(stream.kind), and this ffmpeg has no encoder for another kind (\(encoders))"
    ) { try trial.fault(of: [stream.index: .copied], in: $0) == nil }
  }

  /// The error for an unsupported combination, with suitable containers and video encoders.
  private func refusal(
    _ reason: String, orCodecs encoders: [String] = [], holds: (FilmContainer) throws -> Bool
  ) throws -> DepthError {
    let others = try FilmContainer.common.filter { try $0.muxer != container.muxer && holds($0) }
    let names = others.map(\.ending).joined(separator: ", ")
    return DepthError(
      .unsupportedFormat,
      "\(container.ending) \(reason)"
        + (encoders.isEmpty ? "" : "; \(container.ending) takes \(listed(encoders))")
        + (names.isEmpty
          ? "" : encoders.isEmpty ? "; these can: \(names)" : "; this codec fits \(names)"),
      cause: encoders.isEmpty ? nil : SettingAtFault.codec)
  }

  /// A note on a stream that is encoded again or left out; `nil` for a copied stream.
  private func note(_ stream: FilmProbe.Stream, by trial: MuxerTrial) throws -> String? {
    switch handlings[stream.index] {
    case .copied?: return nil
    case .encoded(let encoder)? where encoder.name == stream.codecName: return nil
    case .encoded(let encoder)?:
      return
        "its \(stream.kind) \(stream.codecType == "audio" ? "becomes" : "become") "
        + (tools.encoders[encoder.name] ?? encoder.name)
        + (try lostChannels(of: stream, encoder, by: trial))
        + ", as \(container.ending) cannot hold "
        + (stream.codecType == "audio" ? "it" : "them")
    case nil: break
    }
    switch stream.codecType {
    case _ where stream.index == probe.video?.index: return nil
    case "audio", "subtitle":
      return "leaves out its \(stream.kind), which \(container.ending) cannot hold"
    case "video" where stream.isAttachedPicture:
      // Matroska stores these streams as attachments.
      return container.muxer == "matroska"
        ? nil : "leaves out a cover picture, which \(container.ending) cannot hold"
    case "data": return dataNote(stream)
    case let kind?: return "leaves out a stream of kind \(kind)"
    case nil: return "leaves out a stream of unknown kind"
    }
  }

  /// A phrase about sound that loses channels.
  private func lostChannels(
    of stream: FilmProbe.Stream, _ encoder: StreamEncoder, by trial: MuxerTrial
  ) throws -> String {
    // Every encoder supports one and two channels.
    guard let before = stream.channels, before > 2,
      let new = try trial.encoded(stream, encoder, in: container), let after = new.channels,
      after < before
    else { return "" }
    let layouts = [new, stream].compactMap(\.channelLayout)
    return layouts.count == 2
      ? " with channels \(layouts[0]) instead of \(layouts[1])"
      : " with \(after) channels instead of \(before)"
  }

  private func dataNote(_ stream: FilmProbe.Stream) -> String? {
    let tag = stream.codecTagString ?? ""
    // Chapter titles need no note, because ffmpeg writes the titles itself.
    if tag == "text", !(probe.chapters ?? []).isEmpty { return nil }
    let name = tag.isEmpty || tag.hasPrefix("[") ? stream.codecName ?? "" : tag
    let isKept = stream.tags?["timecode"] != nil && container.holdsTimecode
    return "leaves out a data stream" + (["", "unknown"].contains(name) ? "" : " (\(name))")
      + (isKept ? ", whose timecode is kept as metadata" : "")
  }

  private var chapterNotes: [String] {
    (probe.chapters ?? []).isEmpty || container.holdsChapters
      ? [] : ["leaves out chapters, which \(container.ending) cannot hold"]
  }
}

extension StreamHandling {
  /// ffmpeg's name of the encoder; `nil` for a copy.
  fileprivate var encoder: String? {
    if case .encoded(let encoder) = self { encoder.name } else { nil }
  }

  fileprivate func isKnown(to tools: FFmpeg) -> Bool {
    encoder.map { tools.encoders[$0] != nil } ?? true
  }
}

extension FilmProbe.Stream {
  /// A phrase such as "sound of kind flac" or "subtitles of kind ass".
  fileprivate var kind: String {
    (codecType == "audio" ? "sound" : "subtitles") + " of kind \(codecName ?? "unknown")"
  }
}
