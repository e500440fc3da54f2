import DepthErrors
import DepthImages
import Testing
import _TestSupport

@testable import PictureFiles

/// What is read of a header in every build, also where there is no OpenEXR.
@Suite(.offPool) struct EXRHeaderTests {
  static var described: [UInt8] {
    var fixture = EXRFixture()
    fixture.parts[0].texts = [
      ("Software", "someone's renderer"), ("depth:far", "9.5"), ("depth:unit", "metre"),
    ]
    return fixture.bytes
  }

  @Test func theHeaderSaysWhatTheFileHolds() throws {
    var fixture = EXRFixture([
      .init([("B", .half), ("Z", .float)], x: -2...5, y: 1...3),
      .init([("id", .uint)], x: 0...0, y: 0...0),
    ])
    fixture.parts[0].display = (0...3, 0...9)
    fixture.parts[0].tile = 16
    let header = try EXRHeader(fixture.bytes, file: "a.exr")
    #expect(header.isMultiPart && header.parts.count == 2)
    let part = header.parts[0]
    #expect(part.channels.map(\.name) == ["B", "Z"])
    #expect(part.channels.map(\.sample) == [.half, .float])
    #expect(part.channels.map(\.bytes) == [2, 4])
    #expect(part.dataWindow == .init(x: -2...5, y: 1...3))
    #expect(part.displayWindow == .init(x: 0...3, y: 0...9))
    #expect(part.tile?.width == 16 && part.tile?.height == 16)
    #expect(part.linesPerChunk == 1)
    #expect(header.parts[1].texts["name"] == "part id")
  }

  @Test func theFieldsAreReadInEveryBuild() throws {
    let fields = try DepthFileMetadata(decoding: Self.described, name: "a.exr")
    #expect(fields.unit == .metres && fields.software == "someone's renderer")
    #expect(fields.far == 9.5 && fields.near == nil)
  }

  @Test func everyTruncationOfAHeaderIsAnError() throws {
    let bytes = Self.described
    let end = try EXRHeader(bytes, file: "a.exr").end
    for length in 4..<end {
      let error = #expect(throws: DepthError.self, "\(length) of \(end)") {
        try DepthFileMetadata(decoding: Array(bytes[..<length]), name: "a.exr")
      }
      #expect(error?.code == .damaged)
    }
  }

  @Test func aDamagedHeaderNeverCrashes() throws {
    var random = SystemRandomNumberGenerator()
    let bytes = Self.described
    for _ in 0..<20_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[.random(in: 4..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let header = try? EXRHeader(damaged, file: "a.exr") else { continue }
      _ = try? header.depth(bytes: damaged.count, file: "a.exr", limits: ImageLimits())
    }
  }

  @Test func aNoteGoesIntoTheHeader() throws {
    let file = Self.described
    #expect(FileNote.text(in: file) == nil)
    let noted = try #require(FileNote.adding("depth 0.1.0 predict", to: file))
    #expect(FileNote.text(in: noted) == "depth 0.1.0 predict")
    // Everything else is where the offsets say: the file equals one that had the text from the first.
    var fixture = EXRFixture()
    fixture.parts[0].texts = [
      ("Software", "someone's renderer"), ("depth:far", "9.5"), ("depth:unit", "metre"),
      ("depth:made-with", "depth 0.1.0 predict"),
    ]
    #expect(noted == fixture.bytes)
    #expect(FileNote.adding("again", to: noted) == nil)
    let header = try EXRHeader(file, file: "a.exr")
    for length in 0..<header.end + 24 {
      #expect(FileNote.adding("x", to: Array(file[..<length])) == nil, "\(length)")
    }
  }

  /// The refusals that come before the library sees the file.
  @Test func sizesAreCheckedInTheHeader() throws {
    func failure(_ change: (inout EXRFixture.Part) -> Void) -> DepthError? {
      var fixture = EXRFixture()
      let honest = fixture.bytes.count
      change(&fixture.parts[0])
      // Only the header is of interest, so the pixels of huge windows are never made.
      fixture.value = { _, _, _, _ in 0 }
      let bytes = fixture.parts[0].data.x.count < 100 ? fixture.bytes : []
      do {
        _ = try EXRHeader(bytes, file: "a.exr").depth(
          bytes: honest, file: "a.exr", limits: ImageLimits(maximumPixels: 100))
        return nil
      } catch { return error as? DepthError }
    }
    #expect(failure { _ in } == nil)
    #expect(failure { $0.display = (0...10, 0...10) }?.code == .tooLarge)
    let honest = EXRFixture().bytes.count
    #expect(
      failure { $0.data = (0...0, 0...60) }?.message
        == "damaged OpenEXR file: \(honest) bytes cannot hold 1×61 pixels")
    #expect(failure { $0.compression = 77 }?.code == .damaged)
    #expect(failure { $0.compression = 7 }?.message.contains("B44 compression") == true)
    #expect(failure { $0.type = "deepscanline" }?.message.contains("deep pixels") == true)
    #expect(failure { $0.sampling = 2 }?.message.contains("subsampled") == true)
    #expect(
      failure { $0.channels = [("B", .half), ("G", .half), ("R", .half)] }?.message
        == "holds an OpenEXR picture with the channels B, G, R, expected one channel Z")
    #expect(
      failure { $0.channels = [("a.depth.Z", .half), ("b.Depth.Z", .half)] }?.message
        == "holds an OpenEXR picture with the channels a.depth.Z, b.Depth.Z, expected one channel Z"
    )
    #expect(failure { $0.channels = [("a.Depth.Z", .half), ("b.Z", .half)] } == nil)
    #expect(failure { $0.channels = [("V", .half)] } == nil)
  }
}
