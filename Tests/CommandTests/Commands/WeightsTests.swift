import Testing
import _TestSupport

/// `depth weights`, run as a user runs it.
@Suite struct WeightsTests {
  @Test func layersAreTheCommittedStructure() throws {
    let file = PackageFile.path("Weights/fcrn-lite2-nyu-int8.h5")
    let outcome = try CommandLineTool("depth").run(["weights", "info", "--layers", file])
    #expect(outcome.status == 0)
    #expect(outcome.text == (try PackageFile.text("Tests/Golden/Shapes/lite2.txt")))
  }

  @Test func tableAndJSONExcludeEachOther() throws {
    let outcome = try CommandLineTool("depth").run(["weights", "info", "--layers", "--json"])
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
  }
}
