import DepthImages
import PictureFiles
import StereoPhotos
import Testing
import ViewSynthesis
import _TestSupport

@Suite struct MPOTests {
  static func pair() throws -> StereoPair {
    try TestPhoto.image().stereoPair(depth: TestPhoto.depth(), maximumShift: 0.05)
  }

  @Test("a JPEG reader sees the left view of an MPO")
  func firstPictureIsTheLeftViewForReadersThatKnowOnlyJPEG() throws {
    let pair = try Self.pair()
    let file = try pair.mpo(quality: 90)
    let left = try Image(decoding: pair.left.encoded(as: .jpeg(quality: 90)), name: "left")
    #expect(try Image(decoding: file, name: "pair.mpo").pixels == left.pixels)
  }

  @Test(
    "Pillow finds both views of an MPO",
    .enabled(if: ExternalReader.pillow.isInstalled, "Pillow is not installed"))
  func pillowFindsBothViews() throws {
    let pair = try Self.pair()
    let said = try ExternalReader.pillow.run(
      [
        "-c",
        """
        import sys
        from PIL import Image
        image = Image.open(sys.argv[1])
        print(image.format, image.n_frames)
        for frame in range(2):
            image.seek(frame)
            print(sum(image.convert("RGB").tobytes()) // 100000)
        """, "FILE",
      ], on: pair.mpo(), named: "pair.mpo")
    let sums = [pair.left, pair.right].map { $0.pixels.reduce(0) { $0 + Int($1) } / 100_000 }
    let lines = said.split(separator: "\n")
    #expect(lines.first == "MPO 2")
    for (line, sum) in zip(lines.dropFirst(), sums) { #expect(abs((Int(line) ?? 0) - sum) <= 1) }
    #expect(pair.left != pair.right)
  }

  @Test(
    "ExifTool reads the tables of an MPO without a warning",
    .enabled(if: ExternalReader.exifTool.isInstalled, "ExifTool is not installed"))
  func exifToolNamesTheTables() throws {
    let said = try ExternalReader.exifTool.run(
      [
        "-s", "-G1", "-n", "-ee", "-MPF:all", "-warning", "FILE",
      ], on: Self.pair().mpo(baseline: 0.063), named: "pair.mpo")
    for expected in [
      "MPFVersion", "NumberOfImages                  : 2",
      "MPImageType                     : 131074",
      "BaselineLength                  : 0.063", "ConvergenceAngle                : 0",
      "BaseViewpointNum                : 1",
    ] {
      #expect(said.contains(expected), "\(expected) is missing in\n\(said)")
    }
    #expect(!said.contains("Warning"), "\(said)")
  }

  /// Micrometres over a million. All bits of an unknown baseline are set. The last baseline is the
  /// longest possible.
  ///
  /// > Source: CIPA DC-007-2009, section 5.2.4.6.
  @Test(
    "both pictures of an MPO have the baseline in micrometres",
    arguments: [
      (nil, .max, .max), (0.063, 63_000, 1_000_000), (0, 0, 1_000_000), (1e9, .max - 1, 1_000_000),
    ] as [(Double?, UInt32, UInt32)])
  func bothPicturesSayTheBaseline(baseline: Double?, numerator: UInt32, denominator: UInt32) throws
  {
    let file = try Self.pair().mpo(quality: 90, baseline: baseline)
    func number(_ place: Int) -> UInt32 {
      (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(file[place + $1]) }
    }
    let tables = file.indices.dropLast(4).filter { file[$0..<$0 + 4].elementsEqual("MPF\0".utf8) }
    #expect(tables.count == 2)
    for table in tables {
      // Tag 0xB206 has type 5 and one value. Offsets count from the marker's end.
      let entry = try #require(file[table...].firstRange(of: [0x06, 0xB2, 5, 0, 1, 0, 0, 0]))
      let place = table + 4 + Int(number(entry.upperBound))
      #expect([number(place), number(place + 4)] == [numerator, denominator])
    }
  }

  /// Viewers find the right view only by the index.
  @Test("the index of an MPO leads to the right view") func theIndexLeadsToTheRightView() throws {
    let pair = try Self.pair()
    let file = try pair.mpo(quality: 90)
    let origin = try #require(file.firstRange(of: Array("MPF\0".utf8))).upperBound
    func number(_ place: Int) -> Int {
      (0..<4).reversed().reduce(0) { $0 << 8 | Int(file[origin + place + $1]) }
    }
    // The second 16-byte entry follows a header of 8 bytes and a directory of three fields.
    let entry = 8 + 2 + 3 * 12 + 4 + 16
    let (length, start) = (number(entry + 4), origin + number(entry + 8))
    #expect(start + length == file.count)
    let found = try Image(decoding: Array(file[start...]), name: "right")
    let right = try Image(decoding: pair.right.encoded(as: .jpeg(quality: 90)), name: "right")
    #expect(found.pixels == right.pixels)
  }
}
