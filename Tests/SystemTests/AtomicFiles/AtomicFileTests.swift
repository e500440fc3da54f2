import DepthErrors
import Foundation
import Synchronization
import SystemEssentials
import Testing
import _TestSupport

@testable import DepthBase

@Suite struct AtomicFileTests {
  private let content: [UInt8] = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }

  @Test("a check and a write give equal errors") func checkingSaysWhatWritingWould() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([1], to: "here")
    for (name, overwrite) in [
      ("here", false), ("here", true), ("new", false), ("no/new", true), (".", true),
    ] {
      let url = URL(filePath: folder.path(name))
      func message(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return "\(error)" }
        return nil
      }
      let checked = message { try AtomicFile.check(url, overwrite: overwrite) }
      #expect(checked == message { try AtomicFile.write([2], to: url, overwrite: overwrite) })
    }
  }

  @Test("writing a file leaves no other file") func writesAndReplacesAndLeavesNothingElse() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("a.bin")
    try AtomicFile.write([1, 2, 3], to: file)
    try AtomicFile.write(content, to: file)
    #expect(try InputFile.bytes(of: file) == content)
    try AtomicFile.write([], to: file)
    #expect(try InputFile.bytes(of: file).isEmpty)
    #expect(try folder.names == ["a.bin"])
  }

  @Test("a moved file replaces the target") func movedFileReplacesItsTarget() throws {
    let folder = try TemporaryFolder()
    let (part, film) = (try folder.write(content, to: "part"), folder.url("film"))
    try AtomicFile.write([1], to: film)
    #expect(throws: DepthError.self) { try AtomicFile.move(part, to: folder.url("no/film")) }
    #expect(try InputFile.bytes(of: URL(filePath: part)) == content)
    try AtomicFile.move(part, to: film)
    #expect(try InputFile.bytes(of: film) == content && folder.names == ["film"])
    // A missing part file leaves the film as it is.
    let failure = #expect(throws: DepthError.self) { try AtomicFile.move(part, to: film) }
    #expect(failure?.code == .unwritable && failure?.file == film.relativePath)
    #expect(try InputFile.bytes(of: film) == content)
  }

  @Test("an existing file is kept if overwriting is off")
  func keepsAnExistingFileWhenTold() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("a.bin")
    try AtomicFile.write([1], to: file, overwrite: false)
    #expect(throws: DepthError.fileExists(file.relativePath)) {
      try AtomicFile.write([2], to: file, overwrite: false)
    }
    #expect(try InputFile.bytes(of: file) == [1])
    #expect(try folder.names == ["a.bin"])
  }

  @Test("readers see the whole old or the whole new file") func aReaderNeverSeesHalfAFile() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("a.bin")
    let (first, second) = ([UInt8](repeating: 1, count: 1 << 20), [UInt8](repeating: 2, count: 10))
    try AtomicFile.write(first, to: file)
    let writing = DispatchQueue(label: "writing")
    writing.async {
      for round in 0..<100 {
        #expect(throws: Never.self) {
          try AtomicFile.write(round % 2 == 0 ? second : first, to: file)
        }
      }
    }
    for _ in 0..<100 {
      let bytes = try InputFile.bytes(of: file)
      #expect(bytes == first || bytes == second)
    }
    writing.sync {}
    #expect(try folder.names == ["a.bin"])
  }

  @Test("replacing a linked file keeps the link and the permissions")
  func keepsPermissionsAndFollowsLinks() throws {
    let folder = try TemporaryFolder()
    let (file, link) = (folder.url("a.bin"), folder.url("link.bin"))
    try AtomicFile.write([1], to: file)
    #expect(chmod(file.path, 0o640) == 0)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    try AtomicFile.write([2, 3], to: link)
    #expect(try InputFile.bytes(of: file) == [2, 3])
    let type = try FileManager.default.attributesOfItem(atPath: link.path)[.type]
    #expect(type as? FileAttributeType == .typeSymbolicLink)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o640)
  }

  @Test("a dangling link counts as an existing file") func aDanglingLinkIsSeenBeforehand() throws {
    let folder = try TemporaryFolder()
    let link = folder.url("link.bin")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url("none"))
    let error = #expect(throws: DepthError.self) { try AtomicFile.check(link, overwrite: false) }
    #expect(error?.code == .fileExists)
    #expect(throws: DepthError.self) { try AtomicFile.target(of: link, overwrite: false) }
    #expect(throws: Never.self) { try AtomicFile.check(link, overwrite: true) }
    #expect(try AtomicFile.target(of: link, overwrite: true) == link)
    let file = URL(filePath: try folder.write([1], to: "none"))
    #expect(
      try FileIdentity(of: AtomicFile.target(of: link, overwrite: true)) == FileIdentity(of: file))
    #expect(throws: DepthError.self) {
      try AtomicFile.target(of: URL(filePath: folder.path), overwrite: true)
    }
  }

  @Test("file names may have up to 255 bytes") func theLongestNameCanBeWritten() throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "n", count: 255)
    try AtomicFile.write([1], to: folder.url(name))
    #expect(try folder.names == [name])
    #expect(throws: DepthError.self) {
      try AtomicFile.write([1], to: folder.url(name + "n"))
    }
    #expect(try folder.names == [name])
  }

  @Test(
    "a full disk is reported as no space left on the device",
    .enabled(if: access("/dev/full", W_OK) == 0, "needs /dev/full"))
  func fullDisk() {
    let full = URL(filePath: "/dev/full")
    let expected = DepthError.unwritable(
      file: "/dev/full", reason: "no space left on the device")
    #expect(throws: expected) { try AtomicFile.write(content, to: full) }
    #expect(expected.description == "/dev/full: no space left on the device")
  }

  /// A limit on the size of files simulates a full disk.
  @Test("a failed write leaves the old file") func aWriteThatBreaksOffLeavesTheOldFile() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let file = folder.url("a.bin")
      try AtomicFile.write([1], to: file)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
      let limited = setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
      precondition(limited == 0, "no limit set")
      let error = #expect(throws: DepthError.self) {
        try AtomicFile.write([UInt8](repeating: 2, count: 5000), to: file)
      }
      precondition(error?.description.hasSuffix("a.bin: file too large") == true, "\(error as Any)")
      let (old, names) = (try InputFile.bytes(of: file), try folder.names)
      precondition(old == [1] && names == ["a.bin"], "\(old.count) bytes left, files \(names)")
    }
  }

  @Test("an output in a missing folder or at a folder is refused")
  func missingFolderAndFolderInPlaceOfAFile() throws {
    let folder = try TemporaryFolder()
    let missing = folder.url("missing/depth.png")
    #expect(
      throws: DepthError.unwritable(
        file: missing.relativePath,
        reason: "the folder \(folder.path("missing")) does not exist")
    ) { try AtomicFile.write([1], to: missing) }
    #expect(
      throws: DepthError.unwritable(
        file: folder.path, reason: "is a folder, expected a file")
    ) { try AtomicFile.write([1], to: URL(filePath: folder.path)) }
    #expect(try folder.names.isEmpty)
  }

  @Test(
    "errors other than a full disk name the folder",
    arguments: [
      (EROFS, "maps/a.png", "the folder maps cannot be written to: the file system is read-only"),
      (EACCES, "/maps/new/", "the folder /maps cannot be written to: permission denied"),
      (EPERM, "a.png", "the folder . cannot be written to: permission denied"),
      (ENOENT, "/a.png", "the folder / cannot be written to: no file can be created in it"),
      (ENOENT, "/no/such/a.png", "the folder /no/such does not exist"),
      (ENOSPC, "maps/a.png", "no space left on the device"),
    ])
  func errorsNameTheFolder(code: Int32, path: String, reason: String) {
    #expect(FolderFailure(making: path, SystemFailure(code)).reason == reason)
  }

  /// The superuser may write anywhere.
  @Test(
    "writing to a read-only folder fails",
    .enabled(if: geteuid() != 0, "not as root"))
  func readOnlyTemporaryFolder() throws {
    let folder = try TemporaryFolder()
    #expect(chmod(folder.path, 0o555) == 0)
    defer { chmod(folder.path, 0o755) }
    #expect(throws: DepthError.self) { try AtomicFile.write([1], to: folder.url("a.bin")) }
    #expect(try folder.names.isEmpty)
  }

  @Test("all bytes go through a named pipe") func namedPipeIsWrittenThrough() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.url("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let content = content
    // Opening a pipe waits for the other end, so the writer has its own thread.
    let failure = Mutex<String?>(nil)
    let writer = Thread {
      do { try AtomicFile.write(content, to: pipe) } catch {
        failure.withLock { $0 = "\(error)" }
        // Without any writer, the reader would wait for ever.
        close(open(pipe.path, O_WRONLY))
      }
    }
    writer.start()
    let found = try InputFile.bytes(of: pipe)
    #expect(failure.withLock { $0 } == nil)
    #expect(found == content)
    #expect(try folder.names == ["pipe"])
  }

  /// A power cut before the flush could leave a named file without bytes.
  /// This test makes the flush fail by closing the file.
  @Test(
    "a file whose flush fails gets no name",
    .enabled(if: access("/proc/self/fd", R_OK) == 0, "needs /proc"))
  func bytesAreOnTheDiskBeforeTheyGetTheirName() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let file = folder.url("a.bin")
      try AtomicFile.write([1], to: file)
      let content = FileContent.pieces { write in
        let bytes: [UInt8] = [2, 3]
        try write(bytes.span)
        // Descriptors that tests beside this one hold may be inherited, so the file's number can be large.
        let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        for number in numbers.compactMap({ Int32($0) }) {
          let open = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(number)")
          if open?.hasSuffix(".part") == true { close(number) }
        }
      }
      var failure: (any Error)?
      do { try AtomicFile.write([(content, file)]) } catch { failure = error }
      precondition((failure as? DepthError)?.code == .unwritable, "\(failure as Any)")
      let (old, names) = (try InputFile.bytes(of: file), try folder.names)
      precondition(old == [1] && names == ["a.bin"], "\(old) left, files \(names)")
    }
  }
}
