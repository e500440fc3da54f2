import Testing
import _TestSupport

@testable import PhotoRuns

/// What files record of how they were made.
@Suite(.offPool) struct RecipeTests {
  /// All float maps of one size have one length.
  @Test func depthFilesOfOneLengthDiffer() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.write([1, 2], to: "a.jpg")
    let texts = try [
      ("a.pfm", [UInt8](repeating: 1, count: 9)), ("b.pfm", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ]
    .map {
      Recipe("refine", ["x=1"]).text(
        details: ["y=2"], photo: photo, depthFile: try folder.write($0.1, to: $0.0))
    }
    #expect(texts[0] != texts[1])
    // The check value of CRC-32 is that of "123456789".
    let known = try folder.write(Array("123456789".utf8), to: "c.pfm")
    #expect(
      Recipe("refine", ["x=1"]).text(details: ["y=2"], photo: photo, depthFile: known)
        .hasSuffix(" refine x=1 y=2 photo=2 depth=9-cbf43926"))
  }
}
