import LocalHTTP
import SystemEssentials

extension HTTPRecord {
  /// A line of `--log`: time, address, request, status, response bytes, milliseconds, and `cut` if the connection ended early.
  ///
  /// Unknown values are `-`.
  ///
  ///     2026-11-30T05:02:14.123Z 127.0.0.1 "POST /v1/depth" 200 31244 38.2
  ///
  /// - Parameter end: The end of the request.
  func line(at end: Date = .now) -> String {
    let time = end.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    let words = [
      time, address.isEmpty ? "-" : address, request.map(HTTPResponse.quoted) ?? "\"-\"",
      status.map { "\($0.rawValue)" } ?? "-", "\(bytes)", self.time.milliseconds.fixed(1),
    ]
    return (words + (isCut ? ["cut"] : [])).joined(separator: " ").escapingControls
  }
}
