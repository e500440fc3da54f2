import DepthErrors
import Testing
import _TestSupport

@testable import FilmFiles

/// The box that states the packing of a film's pictures.
@Suite struct StereoBoxTests {
  @Test("adding a stereo box enlarges the boxes around it") func stereoBoxes() throws {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      let size = UInt32(content.count + 8)
      return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8)
        + content
    }
    func track(_ handler: String, _ entry: [UInt8]) -> [UInt8] {
      let stsd = box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + entry)
      let hdlr = box("hdlr", [UInt8](repeating: 0, count: 8) + Array(handler.utf8))
      return box("trak", box("mdia", hdlr + box("minf", box("stbl", stsd))))
    }
    let avc1 = box("avc1", [UInt8](repeating: 7, count: 30))
    var moov = box(
      "moov", track("soun", box("mp4a", [1, 2])) + track("vide", avc1) + box("udta", []))
    let st3d = box("st3d", [0, 0, 0, 0, 2])
    let tagged = box("avc1", [UInt8](repeating: 7, count: 30) + st3d)
    let wanted = box(
      "moov", track("soun", box("mp4a", [1, 2])) + track("vide", tagged) + box("udta", []))
    #expect(StereoBox(mode: 2).tag(&moov))
    #expect(moov == wanted)
    // A box of more than 4 GB has an eight-byte length.
    let folder = try TemporaryFolder()
    let media =
      [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 20] + [1, 2, 3, 4] as [UInt8]
    let untagged = box("moov", track("vide", avc1))
    let film = try folder.write(media + untagged, to: "film.mp4")
    try StereoBox(mode: 2).insert(into: film)
    #expect(try TemporaryFolder.bytes(of: film) == media + box("moov", track("vide", tagged)))
    var sound = box("moov", track("soun", box("mp4a", [1, 2])))
    #expect(!StereoBox(mode: 2).tag(&sound))
  }

  @Test("forged box sizes are an error") func forgedSizes() throws {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(content.count + 8)] + Array(type.utf8) + content
    }
    let handler = box("hdlr", [UInt8](repeating: 0, count: 8) + Array("vide".utf8))
    for stsd in [
      box("stsd", []), box("stsd", [0, 0, 0, 0]), box("stsd", [UInt8](repeating: 9, count: 12)),
    ] {
      var moov = box("moov", box("trak", box("mdia", handler + box("minf", box("stbl", stsd)))))
      #expect(!StereoBox(mode: 2).tag(&moov))
    }
    let folder = try TemporaryFolder()
    for size in [
      [0, 0, 0, 1] + Array("free".utf8) + [0x7F] + [UInt8](repeating: 0xFF, count: 7),
      [0, 0, 0, 1] + Array("free".utf8) + [UInt8](repeating: 0xFF, count: 8),
      [0xFF, 0xFF, 0xFF, 0xFF] + Array("free".utf8),
    ] {
      let file = try folder.write(size + box("moov", []), to: "a.mp4")
      #expect(throws: DepthError.self) { try StereoBox(mode: 2).insert(into: file) }
    }
  }
}
