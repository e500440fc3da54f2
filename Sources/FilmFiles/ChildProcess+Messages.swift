import DepthBase
import DepthErrors
import SystemEssentials

/// Messages of ffmpeg.
extension ChildProcess {
  /// Why ffmpeg has not written its file whole; `nil` if it has.
  ///
  /// ffmpeg 5.1 ends with status 0 if only the end of the file could not be written, so its messages count as well.
  ///
  /// - Parameters:
  ///   - status: That it has ended with.
  ///   - name: What errors call it.
  func writeFailure(_ status: Int32, name: String = "ffmpeg") -> DepthError? {
    // The last line says that the conversion failed; those before it say why.
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
