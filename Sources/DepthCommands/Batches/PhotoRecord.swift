import DepthBase
import DepthErrors
import DepthPhotos

/// The record of a photo that a command has processed: a line of `--json`, and part of a line of the manifest.
protocol PhotoRecord: Encodable, Sendable {
  /// The files written.
  var outputs: [String] { get }
  /// Nearest and farthest distance of the depth map, metres.
  var nearM: Float? { get }
  var farM: Float? { get }
  /// The distance in focus, metres; `nil` for what has no focus.
  var focusM: Float? { get }
  /// Origin of the depth; `nil` for commands with a single source.
  var depthSource: DepthOrigin? { get }
  /// A hint that helps with the result, as a sentence.
  var hint: String? { get }

  /// Times of the stages.
  var milliseconds: [String: Double] { get set }
}

extension PhotoRecord {
  var hint: String? { nil }
  var focusM: Float? { nil }
  var depthSource: DepthOrigin? { nil }

  /// "photo.jpg: 1.22 to 5.31 m, wrote photo_depth.png"; `nil` where everything went to standard output.
  var sentence: String? {
    let files = outputs.filter { $0 != "-" }.map {
      $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0
    }
    guard !files.isEmpty else { return nil }
    var parts: [String] = []
    if let nearM, let farM {
      parts.append("\(Double(nearM).fixed(2)) to \(Double(farM).fixed(2)) m")
    }
    if let focusM { parts.append("focus at \(Double(focusM).fixed(2)) m") }
    if let phrase = depthSource?.phrase { parts.append(phrase) }
    parts.append("wrote " + files.joined(separator: ", "))
    return parts.joined(separator: ", ")
  }

  /// The same record with the time of loading, for the first photo that is done: a stage of its own, or part of getting
  /// the depth.
  func counting(load: Duration) -> Self {
    var record = self
    for stage in ["load", "depth", "total"] {
      guard let time = milliseconds[stage] else { continue }
      // To microseconds, as the parts are.
      record.milliseconds[stage] = (time + load.milliseconds).rounded(toDigits: 3)
    }
    return record
  }
}
