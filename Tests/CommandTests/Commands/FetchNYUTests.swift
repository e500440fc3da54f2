import DepthBase
import Foundation
import Testing
import _TestSupport

/// `Scripts/fetch-nyu.sh` with a small set and a local server that breaks off or serves wrong files.
@Suite(.enabled(if: ExternalReader.curl.isInstalled, "curl is not installed"))
struct FetchNYUTests {
  /// Three frames as MATLAB writes them: behind a 512-byte block, with all axes reversed.
  private static func frames() throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let (height, width) = (48, 64)
    do {
      let writer = try HDF5Writer(path: folder.path("set.h5"))
      try writer.write(
        (0..<3 * 3 * height * width).map { Float($0 % 251) }, shape: [3, 3, width, height],
        to: "images", as: .init(.uint8))
      try writer.write(
        (0..<3 * height * width).map { 1 + Float($0 % 7) }, shape: [3, width, height],
        to: "depths")
    }
    let header = Array("MATLAB 7.3 MAT-file".utf8)
    return header + [UInt8](repeating: 32, count: 512 - header.count)
      + (try TemporaryFolder.bytes(of: folder.path("set.h5")))
  }

  /// A local server, which ends with its owner.
  private final class Server {
    private static let program = """
      import http.server, sys
      content = open(sys.argv[1], "rb").read()
      limits = [int(limit) for limit in sys.argv[2:]]  # bytes until it hangs up, request by request
      class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
          asked = self.headers.get("Range")
          start = int(asked.removeprefix("bytes=").split("-")[0]) if asked else 0
          print(start, flush=True)
          body = content[start:]
          self.send_response(206 if start else 200)
          if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
          self.send_header("Content-Length", str(len(body)))
          self.end_headers()
          self.wfile.write(body[:limits.pop(0)] if limits else body)
          self.close_connection = True
        def log_message(self, *_):
          pass
      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
      print(server.server_address[1], flush=True)
      server.serve_forever()
      """

    private let folder: TemporaryFolder
    private let run: CommandLineTool.Run

    init(_ content: [UInt8], limits: [Int] = []) throws {
      folder = try TemporaryFolder()
      run = try CommandLineTool(at: "/usr/bin/env").start(
        [
          ExternalReader.python, "-c", Self.program, try folder.write(content, to: "content"),
        ] + limits.map(String.init), wrapper: CommandLineTool.endedBySignals)
      while run.isRunning && !run.text.contains("\n") { usleep(10_000) }
    }

    deinit {
      run.signal(SIGTERM)
      _ = try? run.finish()
    }

    private var lines: [Int] { run.text.split(separator: "\n").compactMap { Int($0) } }
    var url: String { "http://127.0.0.1:\(lines.first ?? 0)/nyu_depth_v2_labeled.mat" }
    /// The first byte of each request.
    var starts: [Int] { Array(lines.dropFirst()) }
  }

  private let content: [UInt8]
  private let folder: TemporaryFolder

  init() throws {
    content = try Self.frames()
    folder = try TemporaryFolder()
  }

  private func fetch(_ url: String, _ arguments: [String] = []) throws -> CommandLineTool.Outcome {
    var digest = SHA256()
    digest.update(content)
    return try CommandLineTool(at: PackageFile.path("Scripts/fetch-nyu.sh")).run(
      arguments + [folder.path],
      environment: [
        "NYU_URL": url, "NYU_BYTES": "\(content.count)", "NYU_SHA256": digest.hexadecimal,
        "no_proxy": "127.0.0.1",
      ])
  }

  private func fetch(_ server: Server) throws -> CommandLineTool.Outcome {
    try withExtendedLifetime(server) { try fetch(server.url) }
  }

  private func expectFailure(_ outcome: CommandLineTool.Outcome, _ words: String) throws {
    #expect(outcome.status == 1, "\(outcome.errors)")
    let last = try #require(outcome.errorLines.last)
    #expect(last.hasPrefix("fetch-nyu: error: ") && last.contains(words), "\(last)")
    #expect(try !folder.names.contains("nyu_depth_v2_labeled.mat"))
  }

  private func expectWhole() throws {
    #expect(try folder.names == ["nyu_depth_v2_labeled.mat"])
    #expect(try TemporaryFolder.bytes(of: folder.path("nyu_depth_v2_labeled.mat")) == content)
  }

  @Test("a broken download of NYU is resumed") func aBrokenDownloadIsResumed() throws {
    let third = content.count / 3
    let server = try Server(content, limits: [third, third, 0])
    try expectFailure(fetch(server), "run this again to resume at byte \(2 * third), or fetch")
    let outcome = try fetch(server)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(server.starts == [0, third, 2 * third, 2 * third])
    try expectWhole()
    #expect(try fetch(server).text.contains("is already there"))
    #expect(server.starts.count == 4)
  }

  @Test("every nth frame of the fetched set is measured")
  func everyNthFetchedFrameIsMeasured() throws {
    #expect(try fetch(Server(content)).status == 0)
    let outcome = try runDepth([
      "evaluate", folder.path("nyu_depth_v2_labeled.mat"), "--every", "2",
      "--protocol", "per-image", "--json",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.contains("\"frames\":2,"))
  }

  @Test("a download with other bytes is discarded") func anotherFileIsDiscarded() throws {
    var damaged = content
    damaged[content.count / 2] ^= 1
    try expectFailure(fetch(Server(damaged)), "the download has SHA-256")
    #expect(try folder.names.isEmpty)
    try expectFailure(fetch(Server(content + [0])), "bytes, expected \(content.count)")
    #expect(try folder.names.isEmpty)
  }

  @Test("an unreachable server is reported") func theServerMayBeAway() throws {
    let outcome = try fetch("http://127.0.0.1:9/nyu_depth_v2_labeled.mat")
    try expectFailure(outcome, "no connection to http://127.0.0.1:9/")
  }

  @Test("a file on disk is taken and kept") func aFileOnDiskIsTakenAndKept() throws {
    let other = try TemporaryFolder()
    let file = try other.write(content, to: "mine.mat")
    let outcome = try fetch("http://127.0.0.1:9/", ["--from", file])
    #expect(outcome.status == 0, "\(outcome.errors)")
    try expectWhole()
    #expect(try other.names == ["mine.mat"])
  }

  @Test("a wrong file is refused, not removed") func anotherFileOnDiskIsRefusedAndKept() throws {
    let other = try TemporaryFolder()
    let file = try other.write(Array(content.dropLast()), to: "mine.mat")
    try expectFailure(
      fetch("http://127.0.0.1:9/", ["--from", file]),
      "'\(file)' has \(content.count - 1) bytes, expected \(content.count)")
    #expect(try folder.names.isEmpty && other.names == ["mine.mat"])
    try expectFailure(fetch("", ["--from", other.path("none")]), "does not exist")
  }
}
