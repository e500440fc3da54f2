import ArgumentParser
import DepthBase
import DepthImages
import LocalHTTP
import SystemEssentials

/// The server's address, and the clients that may call the server.
struct ServeAddressOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Port to listen on; 0 picks a free one.", valueName: "n"))
  var port = 8080

  @Option(
    help: ArgumentHelp(
      """
      Address to listen on. 127.0.0.1 is for this machine only; 0.0.0.0 is all its addresses. An address that other \
      machines can reach needs a token.
      """,
      valueName: "host"))
  var host = "127.0.0.1"

  @Option(
    help: ArgumentHelp(
      """
      Secret that requests for depth, pictures and files must send: 16 to 256 letters, digits, '-' and '_'.
      """,
      discussion: """
        Requests send it as 'Authorization: Bearer SECRET'; the page takes it from the printed address. The page \
        itself, its example photos and the health check do not need it. The connection is not encrypted, so use it \
        only on networks that you trust.
        """,
      valueName: "secret"))
  var token: String?

  @Option(
    help: ArgumentHelp(
      """
      File whose first line is the secret, instead of --token. Other users of this machine can see a command line, \
      but not a private file.
      """,
      discussion:
        "Without --token and --token-file, the environment variable DEPTH_TOKEN gives the secret.",
      valueName: "file"),
    completion: .file())
  var tokenFile: String?

  /// The secret, from any of its sources.
  ///
  /// - Parameter tellsDoubts: Whether a note is printed if other users can read the secret's file.
  /// - Throws: A validation error; `DepthError` for an unreadable file.
  func secret(tellsDoubts: Bool) throws -> String? {
    var found: (text: String, source: String)?
    if let token {
      found = (token, "--token")
    } else if let tokenFile {
      let bytes = try InputFile.bytes(of: URL(filePath: tokenFile), maximumBytes: 4096)
      let text = String(decoding: bytes, as: UTF8.self)
      if tellsDoubts, InputFile.isWorldReadable(URL(filePath: tokenFile)) {
        Console.note(
          "\(tokenFile) can be read by all users of this machine; "
            + "'chmod 600' makes it private")
      }
      // The characters of the line are checked later.
      found = (String(text.prefix { !$0.isNewline }), "--token-file \(tokenFile)")
    } else if let text = ProcessInfo.processInfo.environment["DEPTH_TOKEN"], !text.isEmpty {
      found = (text, "DEPTH_TOKEN")
    }
    if let found { try Self.check(found.text, found.source) }
    guard HTTPServer.hasAddress(host) else {
      throw ValidationError(
        "--host is \(host), expected a name or an address of this machine, such as 127.0.0.1 or 0.0.0.0"
          .escapingControls)
    }
    guard found != nil || ServedHosts.isLoopback(host) else {
      throw ValidationError(
        "--host \(host) can be reached by other machines, expected --token-file, DEPTH_TOKEN or --token with it"
          .escapingControls)
    }
    return found?.text
  }

  private static func check(_ token: String, _ source: String) throws {
    let isPlain = token.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
    }
    guard isPlain, (16...256).contains(token.utf8.count) else {
      throw ValidationError(
        "\(source) is not a token, expected 16 to 256 letters, digits, '-' and '_'".escapingControls
      )
    }
  }

  func validate() throws {
    if token != nil, tokenFile != nil {
      throw ValidationError("--token and --token-file exclude each other")
    }
    try check("--port", port, in: 0...65535)
  }

  /// The address of the page. The secret follows `#`, which browsers do not send.
  func page(port: Int, under basePath: String, secret: String?) -> String {
    let name = host == "0.0.0.0" || host == "::" ? "127.0.0.1" : host
    let authority = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
    return "http://\(authority):\(port)\(basePath)/" + (secret.map { "#token=\($0)" } ?? "")
  }
}

/// Limits on requests of the server's clients.
struct ServeLimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Largest photo or depth map, in pixels (width times height); larger ones are refused.",
      valueName: "n"))
  var maxPixels = 50_000_000

  @Option(
    help: ArgumentHelp(
      "Largest file that a request may send, in megabytes, 1 to 1024.", valueName: "n"))
  var maxMegabytes = 64

  @Option(
    help: ArgumentHelp(
      """
      Largest number of requests that are in progress or waiting, 1 to 256. Further requests get status 503.
      """,
      valueName: "n"))
  var queue = 8

  @Option(
    help: ArgumentHelp(
      "Time limit for computing one answer, 1 to 3600 seconds.", valueName: "seconds"))
  var timeout = 60

  @Option(
    help: ArgumentHelp(
      "Memory for photos that are open in pages, 16 to 65536 megabytes.", valueName: "megabytes"))
  var cacheMegabytes = 256

  func validate() throws {
    try check("--max-pixels", maxPixels, in: 1...(1 << 28))
    try check("--max-megabytes", maxMegabytes, in: 1...1024)
    try check("--queue", queue, in: 1...256)
    try check("--timeout", timeout, in: 1...3600)
    try check("--cache-megabytes", cacheMegabytes, in: 16...65536)
  }

  var images: ImageLimits { ImageLimits(maximumPixels: maxPixels) }

  var http: HTTPLimits {
    var limits = HTTPLimits()
    limits.bodyBytes = maxMegabytes << 20
    limits.bodyBytesTogether = max(256, maxMegabytes) << 20
    limits.requests = queue
    limits.workTime = .seconds(timeout)
    return limits
  }
}
