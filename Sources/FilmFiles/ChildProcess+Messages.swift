import DepthBase
import DepthErrors
import SystemEssentials

/// Messages of ffmpeg.
extension ChildProcess {
  /// A line without what ffmpeg puts before it: `[h264 @ 0x55] [error] text`.
  package static func plain(_ line: String) -> String {
    var rest = line[...]
    while rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      rest = rest[rest.index(after: end)...].drop { $0 == " " }
    }
    return String(rest)
  }

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

/// Lines of a descriptor.
@safe
struct LineSource {
  let descriptor: Int32
  private var rest: [UInt8] = []
  private var hasEnded = false

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The next line without its end, which may be a carriage return; `nil` at the end.
  mutating func next() -> String? {
    while true {
      if let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeFirst(end + 1)
        return line
      }
      guard !hasEnded else {
        defer { rest = [] }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        hasEnded = true
      }
      // No line is that long.
      if rest.count > 1 << 20 { rest = [] }
    }
  }
}
