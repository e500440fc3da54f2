import Foundation
import Testing
import _TestSupport

/// `depth weights` on the command line.
@Suite struct WeightsTests {
  @Test("weights have the committed layer structure") func layersAreTheCommittedStructure() throws {
    let file = PackageFile.path("Weights/fcrn-lite2-nyu-int8.h5")
    let outcome = try CommandLineTool("depth").run(["weights", "info", "--layers", file])
    #expect(outcome.status == 0)
    #expect(outcome.text == (try PackageFile.text("Tests/Golden/Shapes/lite2.txt")))
  }

  /// HDF5 weights state their kind, so the option would have no effect.
  @Test("--weights-kind is refused for weights with a stated kind")
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

  /// Weights of all kinds have equal tensors, so an option must state the kind.
  @Test("weights without a kind need the option") func aKindThatNothingSaysIsAskedFor() throws {
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
