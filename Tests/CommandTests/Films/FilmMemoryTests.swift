import DepthBase
import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import DepthCommands

/// The saved state of a film's frames, with which another run continues.
@Suite struct FilmMemoryTests {
  @Test("a damaged saved state of a film is refused") func damagedMemoryIsRefused() throws {
    let temporary = try TemporaryFolder()
    let folder = try FilmFolder(for: temporary.url("film.mkv"))
    func read(height: Int, width: Int, depth: [Int]) throws -> FilmMemory {
      let saved: [String: Any] = [
        "height": height, "width": width, "unit": "metres", "depth": depth,
        "luma": Data(count: 4 * depth.count), "vectors": [Int](),
      ]
      let bytes = try PropertyListSerialization.data(
        fromPropertyList: ["frames": ["propagation": saved]], format: .binary, options: 0)
      try bytes.write(to: folder.url.appending(path: "memory.plist"))
      return try folder.memory("memory.plist")
    }
    #expect(throws: Never.self) { try read(height: 1, width: 2, depth: [0, 0]) }
    for (height, width, depth) in [(2, 2, [0]), (1 << 62, 4, []), (-1, -1, [0]), (0, 0, [])] {
      let error = #expect(throws: DepthError.self) {
        try read(height: height, width: width, depth: depth)
      }
      #expect(error?.code == .damaged)
    }
  }
}
