import DepthBase
import DepthErrors
import FilmFiles
import Foundation
import MonocularDepth
import Testing
import WeightsFiles
import _TestSupport

@testable import DepthCommands

/// `depth weights fetch` and `verify` of files with known git SHA-1 and unknown length.
@Suite(.enabled(if: ProgramStart.path(of: "curl") != nil, "curl is not installed"))
struct GitBlobDownloadTests {
  private let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    chmod(folder.path, 0o700)
  }

  private static func network(of content: [UInt8], atMost limit: Int) throws -> PublishedNetwork {
    let blob = try RandomAccessFile(bytes: content.span, name: "content").gitBlob()
    return PublishedNetwork(
      name: "test", file: "test.pth", address: "http://127.0.0.1:9/none", path: "raw/test.pth",
      content: .gitBlob(blob, atMost: limit), license: "MIT", kind: .relative)
  }

  private func fetch(_ server: FileServer?, from source: String? = nil) throws -> URL {
    let network = try Self.network(of: content, atMost: 400_000)
    return try WeightsDownload(
      network, folder: URL(filePath: folder.path), address: server?.address ?? network.address,
      isQuiet: true
    ).run(from: source)
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func expectWholeFile() throws {
    var digest = SHA256()
    digest.update(content)
    #expect(try files() == ["test.pth", "test.pth.sha256"])
    #expect(try TemporaryFolder.bytes(of: folder.path("test.pth")) == content)
    #expect(
      try TemporaryFolder.bytes(of: folder.path("test.pth.sha256"))
        == Array("\(digest.hexadecimal)  test.pth\n".utf8))
  }

  @Test("the SHA-256 is stored beside a fetched file") func theSHA256IsKeptBesideTheFile() throws {
    let server = try FileServer(content)
    defer { server.end() }
    #expect(try fetch(server).lastPathComponent == "test.pth")
    try expectWholeFile()
    let checked = try ExternalProgram.run(
      "sha256sum", ["-c", "test.pth.sha256"], in: folder.path, environment: ["LC_ALL": "C"])
    #expect(checked == "test.pth: OK\n")
    // No server is asked for an existing file.
    _ = try fetch(nil)
    try FileManager.default.removeItem(atPath: folder.path("test.pth.sha256"))
    _ = try fetch(nil)
    try expectWholeFile()
    #expect(server.asked == [0])
    // A changed file is fetched again.
    _ = try folder.write(Array(String(repeating: "0", count: 64).utf8), to: "test.pth.sha256")
    _ = try fetch(server)
    try expectWholeFile()
    _ = try folder.write(Array(content.reversed()), to: "test.pth")
    _ = try fetch(server)
    try expectWholeFile()
    #expect(server.asked == [0, 0, 0])
  }

  @Test("a stopped download is resumed") func aStoppedDownloadIsResumed() throws {
    let short = try FileServer(content, limit: 100_000)
    defer { short.end() }
    #expect(throws: DepthError.self) { try fetch(short) }
    #expect(try files() == [".test.pth.part"])
    let server = try FileServer(content)
    defer { server.end() }
    _ = try fetch(server)
    #expect(server.asked == [100_000])
    try expectWholeFile()
  }

  @Test("a whole part file needs no server") func aWholePartIsEnough() throws {
    _ = try folder.write(content, to: ".test.pth.part")
    _ = try fetch(nil)
    try expectWholeFile()
  }

  /// The server refuses a request beyond the last byte.
  @Test("a wrong part is replaced by the whole", arguments: [300_000, 350_000, 400_000, 400_001])
  func aWrongPartIsReplaced(count: Int) throws {
    _ = try folder.write([UInt8](repeating: 1, count: count), to: ".test.pth.part")
    let server = try FileServer(content)
    defer { server.end() }
    _ = try fetch(server)
    #expect(server.asked == (count < 400_000 ? [count, 0] : [0]))
    try expectWholeFile()
  }

  @Test(
    "a download with other content is removed",
    arguments: [
      (299_999, "the download: has the git SHA-1 "),
      (400_001, "has more bytes than test.pth, expected at most 400000"),
    ])
  func anotherFileIsRemoved(count: Int, expected: String) throws {
    let server = try FileServer(
      Array((content + content).prefix(count)), tellsLength: count < 400_000)
    defer { server.end() }
    let error = #expect(throws: DepthError.self) { try fetch(server) }
    #expect(
      error?.code == .damaged && error?.description.contains(expected) == true, "\(error as Any)")
    #expect(try files().isEmpty)
  }

  @Test("a file in place of a download is checked") func existingFilesAreChecked() throws {
    let whole = try TemporaryFolder()
    _ = try fetch(nil, from: whole.write(content, to: "download"))
    try expectWholeFile()
    try FileManager.default.removeItem(atPath: folder.path("test.pth"))
    let long = try whole.write(content + content, to: "long")
    let error = #expect(throws: DepthError.self) { try fetch(nil, from: long) }
    #expect(
      error?.description == "\(long): has 600000 bytes, expected at most 400000 of test.pth")
    let other = try whole.write(Array(content.dropLast()), to: "other")
    #expect(throws: DepthError.self) { try fetch(nil, from: other) }
    #expect(try files() == ["test.pth.sha256"])
  }

  @Test("verify compares kept and published digests") func verifyComparesBothDigests() throws {
    let bytes = PublishedWeights.zipDepth().torchFile()
    let file = URL(filePath: try folder.write(bytes, to: "zipdepth_base.pth"))
    let network = try Self.network(of: bytes, atMost: 28_000_000)
    func origin(_ networks: [PublishedNetwork] = [network]) throws -> String {
      try WeightsReport.verify(file, among: networks).origin
    }
    let published = ", as published: test with the git SHA-1 \(network.content.digest)"
    #expect(try origin() == published)
    #expect(try origin([]) == "; there is no checksum to compare it with")
    let digest = try RandomAccessFile(path: file.path(percentEncoded: false)).sha256()
    try KeptSHA256.write(digest, beside: file)
    #expect(try origin() == ", as recorded when it was downloaded" + published)
    #expect(try origin([]) == ", as recorded when it was downloaded")
    try KeptSHA256.write(String(digest.reversed()), beside: file)
    let error = #expect(throws: DepthError.self) { try origin() }
    #expect(error?.code == .damaged)
    #expect(error?.description.contains("SHA-256 differs from the one in") == true)
    _ = try folder.write(Array("no digest".utf8), to: "zipdepth_base.pth.sha256")
    #expect(try origin() == published)
  }
}
