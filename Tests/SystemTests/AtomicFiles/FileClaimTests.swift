import Foundation
import Testing
import _TestSupport

@testable import DepthBase

/// Locks between processes; two descriptors of one process exclude each other in the same way.
@Suite struct FileClaimTests {
  private func isMine(_ answer: FileClaim.Answer) -> Bool {
    if case .mine = answer { true } else { false }
  }

  private func isTaken(_ answer: FileClaim.Answer) -> Bool {
    if case .taken = answer { true } else { false }
  }

  @Test func aClaimEndsWithItsObject() throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: try folder.write([1], to: "a"))
    var held = [FileClaim.ask(for: url)]
    #expect(isMine(held[0]))
    #expect(isTaken(FileClaim.ask(for: url)))
    held.removeAll()
    #expect(isMine(FileClaim.ask(for: url)))
    #expect(try TemporaryFolder.bytes(of: folder.path("a")) == [1])
  }

  @Test func nobodyCanClaimWhatIsNotThere() throws {
    let folder = try TemporaryFolder()
    guard case .none = FileClaim.ask(for: folder.url("none")) else {
      Issue.record("a file that is not there was claimed")
      return
    }
  }
}
