import DepthBase
import DepthErrors
import Foundation
import Synchronization
import SystemEssentials
import Testing

@testable import DepthCommands

/// After a full disk, photos are computed only with room for results.
@Suite struct FullDiskTests {
  private final class Disk: Sendable {
    let free = Mutex(300_000)
  }

  @Test("photos are not computed until a full disk has room")
  func photosFailBeforeTheyAreComputedUntilThereIsRoom() throws {
    let disk = Disk()
    let full = FullDisk { _ in disk.free.withLock { $0 } }
    let (first, second) = (URL(filePath: "out/a.png"), URL(filePath: "out/b.png"))
    #expect(full.failure(writing: second) == nil)
    let other = DepthError(.unwritable, file: "out/a.png", "x", cause: SystemFailure(EACCES))
    full.record(other, file: first)
    #expect(full.failure(writing: second) == nil)
    let error = DepthError(
      .unwritable, file: "out/a.png", "no space left on device", cause: SystemFailure(ENOSPC))
    full.record(error, file: first)
    let told = try #require(full.failure(writing: second))
    #expect(told.file == "out/b.png" && told.message == error.message && told.isTemporary)
    disk.free.withLock { $0 = 1_000_000 }
    #expect(full.failure(writing: second) != nil)
    disk.free.withLock { $0 = 50_000_000 }
    #expect(full.failure(writing: second) == nil)
    // Once there is room, photos are computed until the next failure.
    disk.free.withLock { $0 = 0 }
    #expect(full.failure(writing: second) == nil)
  }

  @Test("free space is known only of existing folders") func theSystemSaysWhatIsFree() throws {
    #expect(try #require(FreeSpace.bytes(in: URL(filePath: "/tmp"))) >= 0)
    #expect(FreeSpace.bytes(in: URL(filePath: "/no/such/folder")) == nil)
  }

  /// With less room, the next photo might be computed for nothing.
  @Test("a full disk has room again at twice its free space") func almostTwiceAsMuchIsNoRoom() {
    let disk = Disk()
    let full = FullDisk { _ in disk.free.withLock { $0 } }
    disk.free.withLock { $0 = 20_000_000 }
    full.record(
      DepthError(.unwritable, file: "out/a.png", "full", cause: SystemFailure(ENOSPC)),
      file: URL(filePath: "out/a.png"))
    let next = URL(filePath: "out/b.png")
    disk.free.withLock { $0 = 41_000_000 }
    #expect(full.failure(writing: next) != nil)
    disk.free.withLock { $0 = 41_100_000 }
    #expect(full.failure(writing: next) == nil)
  }
}
