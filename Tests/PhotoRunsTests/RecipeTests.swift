import Testing
import _TestSupport

@testable import PhotoRuns

/// What files record of how they were made.
@Suite(.offPool) struct RecipeTests {
  /// All float maps of one size have one length.
  @Test func depthFilesOfOneLengthDiffer() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.write([1, 2], to: "a.jpg")
    func inputs(_ bytes: [UInt8]) throws -> [String] {
      Recipe.inputs(photo: photo, depthFile: try folder.write(bytes, to: "d.pfm"))
    }
    #expect(try inputs([1, 2, 3]) != inputs([3, 2, 1]))
    // The check value of CRC-32 is that of "123456789".
    let known = try inputs(Array("123456789".utf8))
    #expect(known == ["photo=2", "depth=9-cbf43926"])
    #expect(
      Recipe("refine", ["x=1"]).text(details: ["y=2"], inputs: known)
        .hasSuffix(" refine x=1 y=2 photo=2 depth=9-cbf43926"))
  }
}
