import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// No command writes a file that reads back as another quantity.
@Suite(.offPool) struct UnitTests {
  private func disparity(in folder: TemporaryFolder) throws -> String {
    // A reader of this file has to be told: it is what other programs write.
    let values: [Float] = (0..<48 * 64).map { $0 % 64 < 32 ? 0.25 : 0.5 }
    let metres = DepthMap(height: 48, width: 64, unit: .metres, values: values)
    let path = folder.path("d.pfm")
    try metres.write(to: URL(filePath: path))
    return path
  }

  @Test(arguments: ["pfm", "npy"], ["disparity", "normalized"])
  func filesWithoutAUnitHoldMetresOnly(format: String, unit: String) throws {
    let folder = try TemporaryFolder()
    let file = try disparity(in: folder)
    let arguments = ["refine", livingRoom, file, "--depth-unit", unit]
    let output = folder.path("large.\(format)")
    let outcome = try depthTool.run(arguments + ["-o", output])
    #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("large.\(format)") && outcome.errors.contains("expected .png"))
    #expect(!FileManager.default.fileExists(atPath: output))
    let piped = try depthTool.run(arguments + ["-o", "-", "--format", format])
    #expect(piped.status == 1 && piped.output.isEmpty)
    #expect(piped.errors.contains("standard output"), "\(piped.errors)")
  }

  @Test func aPNGSaysWhatItHolds() throws {
    let folder = try TemporaryFolder()
    let file = try disparity(in: folder)
    let output = folder.path("large.png")
    let outcome = try depthTool.run([
      "refine", livingRoom, file, "--depth-unit", "disparity", "-o", output,
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let map = try DepthMap(contentsOf: URL(filePath: output))
    #expect(map.unit == .disparity)
    #expect(abs(try #require(try map.inMetres.range).low - 2) < 0.01)
    // And the next command needs no option, but refuses a wrong one.
    let stereo = ["stereo", livingRoom, "--depth", output, "-o", folder.path("s.png")]
    #expect(try depthTool.run(stereo + ["--depth-unit", "metre"]).status == 1)
    #expect(try depthTool.run(stereo).status == 0)
  }
}
