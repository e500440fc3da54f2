import DepthBase
import DepthErrors
import SystemEssentials

/// Messages of ffmpeg.
extension ChildProcess {
  /// The reason why ffmpeg's output file is incomplete; `nil` for a complete file.
  ///
  /// ffmpeg 5.1 ends with status 0 if only the end of the file could not be written, so the messages are checked, too.
  ///
  /// - Parameters:
  ///   - status: The exit status.
  ///   - name: The name of ffmpeg in errors.
  func writeFailure(_ status: Int32, name: String = "ffmpeg") -> DepthError? {
    // The last message reports that the conversion failed; earlier messages give the reason.
    let messages = messages.map(Self.plain)
    if messages.contains(where: { $0.hasSuffix("No space left on device") }) {
      return DepthError(.unwritable, systemReason(ENOSPC), cause: SystemFailure(ENOSPC))
    }
    let lost = messages.first { message in
      ["Error writing trailer", "Error closing file", "av_interleaved_write_frame"]
        .contains { message.hasPrefix($0) }
    }
    guard status != 0 || lost != nil else { return nil }
    let reason = lost ?? messages.first ?? "ended with status \(status)"
    return DepthError(.unwritable, "\(name): \(reason)")
  }
}
