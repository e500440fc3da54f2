import ArgumentParser
import LocalHTTP

/// A proxy in front of the server, and other sites whose pages may call the server.
struct ServeProxyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Another host name, without a port, that requests may use, such as laptop.local or a proxy's name; may be \
      repeated. Requests to other names are refused.
      """,
      valueName: "name"))
  var allowHost: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Origin of pages that may call the server from a browser, such as https://photos.example.com; may be repeated. \
      Pages of other origins are refused.
      """,
      valueName: "origin"))
  var allowOrigin: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Path before all addresses, such as /depth, for a proxy with other services at its name. Requests without it, \
      from a proxy that removes it, are answered as well.
      """,
      valueName: "path"))
  var basePath = ""

  func validate() throws {
    for name in allowHost {
      let isName = name.utf8.allSatisfy { Self.isPlain($0) || [0x3A, 0x5B, 0x5D].contains($0) }
      // IPv6 addresses contain colons, but are in brackets.
      let hasPort = name.contains(":") && !(name.hasPrefix("[") && name.hasSuffix("]"))
      guard isName, !name.isEmpty, !hasPort else {
        throw ValidationError(
          "--allow-host is '\(name)', expected a name without a port".escapingControls)
      }
    }
    for origin in allowOrigin where !Self.isOrigin(origin) {
      throw ValidationError(
        "--allow-origin is '\(origin)', expected an origin such as https://photos.example.com"
          .escapingControls)
    }
    let parts = basePath.split(separator: "/", omittingEmptySubsequences: false)
    let isPath =
      parts.count > 1 && parts[0].isEmpty
      && parts.dropFirst().allSatisfy { part in
        !part.isEmpty && part != "." && part != ".."
          && part.utf8.allSatisfy { Self.isPlain($0) || $0 == 0x5F || $0 == 0x7E }
      }
    guard basePath.isEmpty || isPath else {
      throw ValidationError(
        "--base-path is '\(basePath)', expected a path such as /depth, without a slash at its end"
          .escapingControls)
    }
  }

  /// Whether a text consists of a scheme, a host and an optional port, as browsers send origins.
  private static func isOrigin(_ text: String) -> Bool {
    guard let colon = text.firstRange(of: "://") else { return false }
    let (scheme, host) = (text[..<colon.lowerBound].utf8, text[colon.upperBound...].utf8)
    return !scheme.isEmpty && !host.isEmpty
      && scheme.allSatisfy { isPlain($0) || $0 == 0x2B }
      && host.allSatisfy { isPlain($0) || [0x3A, 0x5B, 0x5D, 0x5F].contains($0) }
  }

  /// Whether a byte is a letter, a digit, '-' or '.'.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E: true
    default: false
    }
  }
}
