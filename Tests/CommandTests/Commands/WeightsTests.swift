import Foundation
import Testing
import _TestSupport

/// `depth weights`, run as a user runs it.
@Suite struct WeightsTests {
  @Test("weights have the committed structure") func layersAreTheCommittedStructure() throws {
    let file = PackageFile.path("Weights/fcrn-lite2-nyu-int8.h5")
    let outcome = try CommandLineTool("depth").run(["weights", "info", "--layers", file])
    #expect(outcome.status == 0)
    #expect(outcome.text == (try PackageFile.text("Tests/Golden/Shapes/lite2.txt")))
  }

  /// Weights in HDF5 state what they were trained on; a kind beside them would have no effect.
  @Test("--weights-kind is refused if weights state theirs")
  func aKindIsForPublishedWeights() throws {
    let folder = try TemporaryFolder()
    let outcome = try runDepth(
      ["predict", livingRoom, "-o", "d.png", "--weights-kind", "indoor"], in: folder)
    #expect(
      outcome.status == 64
        && outcome.errors.contains(
          "records what it was trained on, but the kind indoor is given (--weights-kind)"
        ),
      "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("d.png")))
  }

  /// The weights of all kinds have the same tensors, so the option must say which they are.
  @Test("weights without a kind ask for it") func aKindThatNothingSaysIsAskedFor() throws {
    let folder = try TemporaryFolder()
    let weights = try PublishedWeights(.depthAnything(PublishedWeights.sizes))
    _ = try folder.write(weights.torchFile(), to: "w.pth")
    let outcome = try runDepth(
      ["predict", livingRoom, "-o", "d.png", "--weights", "w.pth"], in: folder)
    #expect(
      outcome.status == 1
        && outcome.errors.contains("to be given: indoor, outdoor or relative (--weights-kind)"),
      "\(outcome.errors)")
  }

  @Test("table and JSON of layers exclude each other") func tableAndJSONExcludeEachOther() throws {
    let outcome = try CommandLineTool("depth").run(["weights", "info", "--layers", "--json"])
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
  }
}
