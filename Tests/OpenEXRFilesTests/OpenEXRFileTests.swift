#if EXR
  import DepthErrors
  import DepthImages
  import Foundation
  import Testing
  import _TestSupport

  @testable import PictureFiles

  @Suite(.offPool) struct OpenEXRFileTests {
    /// 96 × 70 metres that compress, with every kind of "no value".
    static let map = DepthMap(
      height: 70, width: 96, unit: .metres,
      values: (0..<70 * 96).map { index in
        switch index % 97 {
        case 3: 0
        case 5: .nan
        case 7: .infinity
        case 9: -1
        default: 2 + Float(index / 96) / 32 + (index % 96 > 40 ? 1.5 : 0)
        }
      })

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (16, 3), (17, 3), (70, 96)])
    func everyBitComesBack(height: Int, width: Int) throws {
      let map = DepthMap(
        height: height, width: width, unit: .metres,
        values: Array(Self.map.values.prefix(height * width)))
      let again = try DepthMap(decoding: map.encoded(as: .exr), name: "d.exr")
      #expect((again.height, again.width, again.unit) == (height, width, .metres))
      #expect(again.values.map(\.bitPattern) == map.values.map(\.bitPattern))
    }

    @Test func theFileSaysWhatItHolds() throws {
      let fields = DepthFileMetadata(software: "depth 0", weightsSHA256: "ab+mirrored")
      let bytes = try Self.map.encoded(as: .exr, metadata: fields)
      let read = try DepthFileMetadata(decoding: bytes, name: "d.exr")
      #expect(read.unit == .metres && read.software == "depth 0")
      #expect(read.weightsSHA256 == "ab+mirrored")
      #expect(read.near == 2 && read.far.map { abs($0 - 5.65625) < 1e-5 } == true)
      let part = try #require(EXRHeader(bytes, file: "d.exr").parts.first)
      #expect(part.channels == [.init(name: "Z", sample: .float, sampling: [1, 1])])
      #expect(part.linesPerChunk == 16)  // ZIP
      #expect(part.texts["comments"]?.contains("metres") == true)
      let error = #expect(throws: DepthError.self) {
        try DepthMap(decoding: bytes, name: "d.exr", unit: .disparity)
      }
      #expect(error?.code == .unknownUnit)
    }

    @Test func onlyMetresAreWritten() throws {
      for map in [Self.map.normalized(), try Self.map.inDisparity] {
        let error = #expect(throws: DepthError.self) { try map.encoded(as: .exr) }
        #expect(error?.message.contains("would be read as metres, expected .png") == true)
      }
    }

    @Test func aFileWithANoteHasTheSameValues() throws {
      let bytes = try Self.map.encoded(as: .exr)
      let noted = try #require(FileNote.adding("depth predict", to: bytes))
      #expect(FileNote.text(in: noted) == "depth predict")
      let again = try DepthMap(decoding: noted, name: "d.exr")
      #expect(again.values.map(\.bitPattern) == Self.map.values.map(\.bitPattern))
    }

    // MARK: - Files of others

    @Test(arguments: EXRFixture.Sample.allCases, [nil, 2, 3, 64])
    func everySampleInLinesAndTiles(sample: EXRFixture.Sample, tile: Int?) throws {
      var fixture = EXRFixture([.init([("A", .half), ("Z", sample)], x: 0...6, y: 0...4)])
      fixture.parts[0].tile = tile
      let unit: DepthMap.Unit? = sample == .uint ? .metres : nil
      let map = try DepthMap(decoding: fixture.bytes, name: "d.exr", unit: unit)
      #expect((map.height, map.width) == (5, 7))
      let expected: [Float] = (0..<5).flatMap { y in (0..<7).map { x in Float(1 + x + 4 * y) } }
      #expect(map.values == expected)
      if sample == .uint {
        let error = #expect(throws: DepthError.self) {
          try DepthMap(decoding: fixture.bytes, name: "d.exr")
        }
        #expect(error?.code == .unknownUnit)
      }
    }

    /// As pictures with depth have them; the others are left out.
    @Test(arguments: [["B", "G", "R"], ["A", "B", "G", "R"], ["A"]], EXRFixture.Sample.allCases)
    func otherChannelsAreLeftOut(names: [String], sample: EXRFixture.Sample) throws {
      for other in EXRFixture.Sample.allCases {
        let channels = names.map { (name: $0, sample: other) } + [(name: "Z", sample: sample)]
        let fixture = EXRFixture([.init(channels, x: 0...20, y: 0...8)])
        let map = try DepthMap(decoding: fixture.bytes, name: "d.exr", unit: .metres)
        let expected: [Float] = (0..<9).flatMap { y in
          (0..<21).map { x in Float(1 + x + 4 * y) }
        }
        #expect(map.values == expected, "\(names) \(other)")
      }
    }

    @Test(arguments: [nil, 3])
    func theDisplayWindowIsTheMap(tile: Int?) throws {
      var fixture = EXRFixture([.init([("Z", .float)], x: -2...3, y: 1...5)])
      fixture.parts[0].tile = tile
      fixture.parts[0].display = (0...4, 0...3)
      fixture.value = { _, _, x, y in Float(100 + x + 10 * y) }
      let map = try DepthMap(decoding: fixture.bytes, name: "d.exr")
      #expect((map.height, map.width) == (4, 5))
      #expect(
        map.values == [
          0, 0, 0, 0, 0, 110, 111, 112, 113, 0, 120, 121, 122, 123, 0, 130, 131, 132, 133, 0,
        ])
      fixture.parts[0].display = (10...11, 10...11)
      let empty = try DepthMap(decoding: fixture.bytes, name: "d.exr")
      #expect(empty.values == [0, 0, 0, 0])
    }

    @Test func layersAndPartsAreFound() throws {
      let layers = EXRFixture([
        .init([("View.Combined.R", .half), ("View.Depth.Z", .float)], x: 0...1, y: 0...0)
      ])
      #expect(try DepthMap(decoding: layers.bytes, name: "d.exr").values == [101, 102])
      let parts = EXRFixture([
        .init([("B", .half), ("R", .half)], x: 0...1, y: 0...1),
        .init([("Z", .float)], x: 0...3, y: 0...0),
      ])
      let map = try DepthMap(decoding: parts.bytes, name: "d.exr")
      #expect(map.values == [1001, 1002, 1003, 1004])
    }

    @Test func raysThatHitNothingHaveNoValue() throws {
      var fixture = EXRFixture()
      fixture.value = { _, _, x, _ in x == 1 ? 1e10 : x == 2 ? 9e9 : 3 }
      let map = try DepthMap(decoding: fixture.bytes, name: "d.exr")
      #expect(Array(map.values.prefix(4)) == [3, 0, 9e9, 3])
    }

    // MARK: - Damage

    @Test func truncatedFilesAreErrors() throws {
      let bytes = try Self.map.encoded(as: .exr)
      let lengths =
        Array(stride(from: 8, to: bytes.count, by: 64)) + Array(bytes.count - 4..<bytes.count)
      for length in lengths {
        let error = #expect(throws: DepthError.self, "\(length) of \(bytes.count) bytes") {
          try DepthMap(decoding: Array(bytes[..<length]), name: "cut.exr")
        }
        #expect(error?.code == .damaged, "\(error?.description ?? "")")
      }
    }

    @Test(arguments: [nil, 5])
    func flippedBytesNeverCrash(tile: Int?) throws {
      var random = SystemRandomNumberGenerator()
      var fixture = EXRFixture([.init([("A", .half), ("Z", .float)], x: 0...20, y: 0...8)])
      fixture.parts[0].tile = tile
      let limits = ImageLimits(maximumPixels: 1 << 20)
      for bytes in [fixture.bytes, try Self.map.encoded(as: .exr)] {
        for _ in 0..<400 {
          var damaged = bytes
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            let end = Bool.random(using: &random) ? bytes.count : 700
            damaged[.random(in: 4..<min(end, bytes.count), using: &random)] =
              .random(in: 0...255, using: &random)
          }
          do {
            let map = try DepthMap(decoding: damaged, name: "d.exr", limits: limits)
            #expect(map.values.count == map.height * map.width)
          } catch is DepthError {}
        }
      }
    }

    // MARK: - The command line

    @Test func commandsWriteAndReadIt() throws {
      let folder = try TemporaryFolder()
      let photo = PackageFile.path("Examples/living-room.jpg")
      let tool = CommandLineTool("depth")
      func run(_ arguments: [String]) throws {
        let outcome = try tool.run(arguments)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
      }
      let depth = folder.path("d.exr")
      try run(["predict", photo, "--refine", "none", "-o", depth])
      try run(["predict", photo, "--refine", "none", "-o", folder.path("d.pfm")])
      let map = try DepthMap(contentsOf: URL(filePath: depth))
      #expect(try map == DepthMap(contentsOf: URL(filePath: folder.path("d.pfm"))))
      #expect(try FileNote.text(in: TemporaryFolder.bytes(of: depth))?.contains("predict") == true)
      try run(["refine", photo, depth, "-o", folder.path("r.exr")])
      try run(["stereo", photo, "--depth", folder.path("r.exr"), "-o", folder.path("s.jpg")])
      try run(["export", photo, "--depth", folder.path("r.exr"), "-o", folder.path("r.ply")])
      try run([
        "effect", "mask", photo, "--depth", folder.path("r.exr"), "--focus", "3m",
        "-o", folder.path("m.png"),
      ])
      try run(["predict", photo, "--output-dir", folder.path("maps"), "--format", "exr"])
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path("maps"))
          == ["living-room_depth.exr"])
      try run([
        "predict", photo, "--output-dir", folder.path("maps"), "--format", "exr", "--skip-existing",
      ])
      let cut = try TemporaryFolder.bytes(of: depth).dropLast(9)
      let damaged = try folder.write(Array(cut), to: "cut.exr")
      let outcome = try tool.run(["refine", photo, damaged, "-o", folder.path("x.png")])
      #expect(outcome.status == 1 && outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("cut.exr: damaged OpenEXR file: "), "\(outcome.errors)")
    }
  }
#endif
