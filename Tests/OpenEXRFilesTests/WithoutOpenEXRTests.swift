#if !EXR
  import DepthErrors
  import DepthImages
  import Foundation
  import Testing
  import _TestSupport

  @testable import PictureFiles

  @Suite(.offPool) struct WithoutOpenEXRTests {
    static let sentence =
      "this build has no OpenEXR, install libopenexr-dev and build with --traits default,EXR"

    @Test func everyWayOfWritingSaysHowToGetIt() throws {
      let map = DepthMap(height: 1, width: 2, unit: .metres, values: [1, 2])
      let folder = try TemporaryFolder()
      let file = URL(filePath: folder.path("d.exr"))
      let written = #expect(throws: DepthError.self) { try map.write(to: file) }
      #expect(written?.message == Self.sentence && written?.file == file.relativePath)
      let encoded = #expect(throws: DepthError.self) { try map.encoded(as: .exr) }
      #expect(encoded?.message == Self.sentence)
    }

    @Test func readingSaysHowToGetIt() throws {
      let error = #expect(throws: DepthError.self) {
        try DepthMap(decoding: EXRFixture().bytes, name: "d.exr")
      }
      #expect(error?.description == "d.exr: \(Self.sentence)")
    }

    @Test(arguments: [["-o", "d.exr"], ["--format", "exr", "--output-dir", "maps"]])
    func theCommandLineSaysItBeforeAnythingIsComputed(output: [String]) throws {
      let folder = try TemporaryFolder()
      let photo = PackageFile.path("Examples/living-room.jpg")
      let outcome = try CommandLineTool("depth").run(["predict", photo] + output, in: folder.path)
      #expect(outcome.status == 64 && outcome.output.isEmpty)
      #expect(outcome.errors.contains(Self.sentence), "\(outcome.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }
#endif
