import DepthBase
import DepthErrors
import FilmFiles
import Foundation
import Testing
import WeightsFiles
import _TestSupport

@testable import DepthCommands

/// `depth weights fetch` against a server on this machine.
@Suite(.enabled(if: ProgramStart.path(of: "curl") != nil, "curl is not installed"))
struct WeightsDownloadTests {
  private let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    chmod(folder.path, 0o700)
  }

  private func network(_ content: [UInt8]? = nil) -> PublishedNetwork {
    let content = content ?? self.content
    var digest = SHA256()
    digest.update(content)
    return PublishedNetwork(
      name: "test", file: "test.pth", address: "http://127.0.0.1:9/none",
      path: "Test/resolve/main/test.pth",
      content: .sha256(digest.hexadecimal, bytes: content.count), license: "MIT", kind: .indoor)
  }

  private func fetch(
    _ server: FileServer?, _ network: PublishedNetwork? = nil, from source: String? = nil
  ) throws -> URL {
    try WeightsDownload(
      network ?? self.network(), folder: URL(filePath: folder.path),
      address: server?.address ?? "http://127.0.0.1:9/none", isQuiet: true
    ).run(from: source)
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("a whole file is fetched once") func aWholeFileGetsItsName() throws {
    let server = try FileServer(content)
    defer { server.end() }
    let file = try fetch(server)
    #expect(try files() == ["test.pth"])
    #expect(try TemporaryFolder.bytes(of: file.path(percentEncoded: false)) == content)
    // No server is asked for an existing file.
    #expect(try fetch(nil) == file && server.asked == [0])
    // A damaged file of the right size is replaced.
    try Data(count: content.count).write(to: file)
    #expect(try fetch(server) == file && server.asked == [0, 0])
    #expect(try TemporaryFolder.bytes(of: file.path(percentEncoded: false)) == content)
  }

  @Test("a stopped download is resumed") func aStoppedDownloadIsResumed() throws {
    let short = try FileServer(content, limit: 100_000)
    defer { short.end() }
    let error = #expect(throws: DepthError.self) { try fetch(short) }
    #expect(error?.description.contains("the same command resumes") == true, "\(error as Any)")
    // There is a part file, and no file with the final name.
    #expect(try files() == [".test.pth.part"])
    let server = try FileServer(content)
    defer { server.end() }
    let file = try fetch(server)
    #expect(server.asked == [100_000])
    #expect(try files() == ["test.pth"])
    #expect(try TemporaryFolder.bytes(of: file.path(percentEncoded: false)) == content)
  }

  /// Arguments and environment of a program that fetches the smallest network.
  private func program(_ server: FileServer) -> (arguments: [String], environment: [String: String])
  {
    (
      ["weights", "fetch", "depth-anything-v2-small", "--quiet"],
      ["DEPTH_WEIGHTS_FOLDER": folder.path, "DEPTH_WEIGHTS_URL": server.address]
    )
  }

  @Test("Ctrl-C keeps the part of a download") func controlCKeepsThePart() throws {
    let part = folder.path(".depth_anything_v2_vits.pth.part")
    func held() -> Int { (try? TemporaryFolder.bytes(of: part).count) ?? 0 }
    for _ in 0..<2 {
      let start = held()
      let server = try FileServer(content, limit: 100_000, isStuck: true)
      defer { server.end() }
      let (arguments, environment) = program(server)
      let run = try depthTool.start(
        arguments, environment: environment, wrapper: CommandLineTool.endedBySignals)
      defer { run.signal(SIGKILL) }
      // curl holds back the last block.
      while run.isRunning, held() < start + 80_000 { usleep(1000) }
      run.signal(SIGINT)
      let outcome = try run.finish()
      #expect(outcome.status == 130 && !outcome.wasKilled, "\(outcome.errors)")
      #expect(
        outcome.errors
          == "depth: interrupted, \(held()) of 99218434 bytes are downloaded; the same command resumes\n"
      )
      #expect(server.asked == [start])
    }
    #expect(try files() == [".depth_anything_v2_vits.pth.part"])
    #expect(try TemporaryFolder.bytes(of: part) == Array(content[..<held()]))
    #expect(held() > 160_000)
  }

  @Test(
    "a full disk keeps the part of a download",
    .enabled(if: CommandLineTool.hasMountNamespaces, "no user namespaces"))
  func aFullDiskKeepsThePart() throws {
    let server = try FileServer(content)
    defer { server.end() }
    let (arguments, environment) = program(server)
    let outcome = try depthTool.run(
      arguments, environment: environment,
      wrapper: [
        "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
        """
        mount -t tmpfs -o size=128k,mode=700 none "$DEPTH_WEIGHTS_FOLDER" && { "$0" "$@"; status=$?; }
        ls -A "$DEPTH_WEIGHTS_FOLDER"; exit $status
        """,
      ])
    #expect(outcome.status == 75, "\(outcome.errors)")
    #expect(
      outcome.errors.contains(
        "no space left on the device; 131072 of 99218434 bytes are downloaded, and the same command resumes"
      ),
      "\(outcome.errors)")
    #expect(outcome.text == ".depth_anything_v2_vits.pth.part\n")
  }

  @Test("a file with unpublished bytes is removed") func anotherFileIsRemoved() throws {
    var other = content
    other[7] ^= 1
    let server = try FileServer(other)
    defer { server.end() }
    let error = #expect(throws: DepthError.self) { try fetch(server) }
    #expect(error?.code == .damaged && error?.description.contains("SHA-256") == true)
    #expect(try files().isEmpty)
  }

  /// The server sends no length, or a page in place of the file.
  @Test(
    "an answer of another length is not kept",
    arguments: [
      (300_001, "has more bytes than test.pth, expected the 300000"),
      (5000, "has 5000 bytes, expected"),
    ])
  func anAnswerOfAnotherLengthIsNotKept(count: Int, expected: String) throws {
    for tellsLength in count < content.count ? [true, false] : [false] {
      let server = try FileServer(
        (content + [1]).prefix(count).map { $0 }, tellsLength: tellsLength)
      defer { server.end() }
      let error = #expect(throws: DepthError.self) { try fetch(server) }
      #expect(error?.description.contains(expected) == true, "\(error as Any)")
      #expect(try files().isEmpty)
    }
  }

  /// Only bytes with the right digest get the name.
  @Test("one run at a time fetches a file") func oneRunAtATimeFetchesAFile() throws {
    let part = URL(filePath: folder.path(".test.pth.part"))
    let other = try ResumedFile(at: part, for: part)
    try other.append([1, 2, 3].span)
    let server = try FileServer(content)
    defer { server.end() }
    let error = #expect(throws: DepthError.self) { try fetch(server) }
    #expect(error?.isTemporary == true && error?.description.contains("another run") == true)
    #expect(try TemporaryFolder.bytes(of: folder.path(".test.pth.part")) == [1, 2, 3])
    other.remove()
    withExtendedLifetime(other) {}
    #expect(throws: Never.self) { try fetch(server) }
  }

  @Test("a file that the server lacks is reported with the remedy")
  func missingFilesAreReported() throws {
    let server = try FileServer(Array("no".utf8), isThere: false)
    defer { server.end() }
    let error = #expect(throws: DepthError.self) { try fetch(server) }
    #expect(
      error?.description.hasPrefix("\(server.address)/Test/resolve/main/test.pth: curl: (22)")
        == true)
    #expect(
      error?.description.contains("404") == true
        && error?.description.contains("--from FILE") == true, "\(error as Any)")
    #expect(try files().filter { !$0.hasPrefix(".") }.isEmpty)
  }

  @Test("a file in place of a download is checked") func existingFilesAreChecked() throws {
    let whole = try TemporaryFolder()
    let path = try whole.write(content, to: "download")
    #expect(try fetch(nil, from: path).lastPathComponent == "test.pth")
    try FileManager.default.removeItem(atPath: folder.path("test.pth"))
    // The copy has the permissions of a new file.
    chmod(path, 0o4777)
    #expect(try fetch(nil, from: path).lastPathComponent == "test.pth")
    let mask = umask(0o022)
    umask(mask)
    let facts = try FileManager.default.attributesOfItem(atPath: folder.path("test.pth"))
    #expect(facts[.posixPermissions] as? Int == Int(0o666 & ~mask))
    try FileManager.default.removeItem(atPath: folder.path("test.pth"))
    let cut = try whole.write(Array(content.dropLast()), to: "cut")
    let error = #expect(throws: DepthError.self) { try fetch(nil, from: cut) }
    #expect(
      error?.description
        == "\(cut): has 299999 bytes, expected the 300000 of test.pth")
    #expect(try files().isEmpty)
    #expect(throws: DepthError.self) { try fetch(nil, from: whole.path("missing")) }
    // The source file stays.
    #expect(try TemporaryFolder.bytes(of: path) == content)
  }

  @Test("a folder that others may write to is refused") func aFolderOfOthersIsRefused() throws {
    chmod(folder.path, 0o777)
    let server = try FileServer(content)
    defer { server.end() }
    let error = #expect(throws: DepthError.self) { try fetch(server) }
    #expect(error?.description.contains("other users may write to it") == true)
    #expect(server.asked.isEmpty)
  }

  @Test("the list states present and missing weights") func theListStatesPresentWeights() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      _ = try folder.write([1], to: "depth_anything_v2_vits.pth")
      let environment = ["DEPTH_WEIGHTS_FOLDER": folder.path]
      let list = try runDepth(["weights", "list"], environment: environment)
      #expect(
        list.status == 0 && list.text.contains("  \(folder.path("depth_anything_v2_vits.pth"))\n"))
      #expect(list.text.contains("not for commercial use") && list.text.contains("; not here\n"))
      #expect(list.text.contains("MIT, taught by Depth Anything V2 Large (CC-BY-NC-4.0), disp"))
      #expect(list.text.hasSuffix("\n\n\(PublishedNetwork.notes)"))
      let json = try runDepth(["weights", "list", "--json"], environment: environment)
      #expect(
        json.lines.contains(
          #"{"bytes_at_most":28000000,"files":[],"license":"MIT","name":"zipdepth-npu","taught_by":"Depth Anything V2 Large (CC-BY-NC-4.0)","unit":"disparity up to scale and shift, no metres"}"#
        ))
      let other = try runDepth(
        ["predict", livingRoom, "--weights", "zipdepth"], environment: environment)
      #expect(
        other.errors.contains("'depth weights fetch zipdepth' downloads them (at most 28 MB, MIT, ")
      )
      let missing = try runDepth(
        ["predict", livingRoom, "--weights", "depth-anything-v2-base"], environment: environment)
      #expect(
        missing.errors.contains(
          "'depth weights fetch depth-anything-v2-base' downloads them (389 MB,"))
      let unknown = try runDepth(["weights", "fetch", "depth-anything-v2-smal"])
      #expect(
        unknown.status == 64 && unknown.errors.contains("did you mean 'depth-anything-v2-small'?"))
    }
  }
}
