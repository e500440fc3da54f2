import DepthErrors
import Testing
import _TestSupport

@testable import DepthBase
@testable import DepthImages
@testable import PictureFiles

@Suite struct NPZTests {
  /// The name, bytes and compression of an archive member.
  private struct Member {
    var name: String
    var content: [UInt8]
    var isDeflated = false
    /// Stated sizes and checksum, by default the content's.
    var statedSize: Int?
    var sum: UInt32?

    init(_ name: String, _ content: [UInt8], isDeflated: Bool = false) {
      (self.name, self.content, self.isDeflated) = (name + ".npy", content, isDeflated)
    }
  }

  private func archive(_ members: [Member]) throws -> [UInt8] {
    func bytes(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    var (file, list): ([UInt8], [UInt8]) = ([], [])
    for member in members {
      // A deflate stream is a zlib stream without the first two and last four bytes.
      let packed =
        member.isDeflated
        ? Array(try Deflate.compressed(member.content).dropFirst(2).dropLast(4)) : member.content
      let sum = member.sum ?? member.content.withUnsafeBytes { crc32($0) }
      let fields =
        bytes(20, 2) + bytes(0, 2) + bytes(member.isDeflated ? 8 : 0, 2) + bytes(0, 4)
        + bytes(Int(sum), 4) + bytes(packed.count, 4)
        + bytes(member.statedSize ?? member.content.count, 4)
        + bytes(member.name.utf8.count, 2)
      list += [0x50, 0x4B, 1, 2, 20, 0] + fields + bytes(0, 2 + 2 + 8) + bytes(file.count, 4)
      list += Array(member.name.utf8)
      file += [0x50, 0x4B, 3, 4] + fields + bytes(0, 2) + Array(member.name.utf8) + packed
    }
    let count = bytes(members.count, 2)
    return file + list + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count + bytes(list.count, 4)
      + bytes(file.count, 4) + [0, 0]
  }

  /// The NPY file of an array.
  private func array(
    _ type: String, _ shape: String, _ values: [UInt8], order: String = "False"
  ) -> [UInt8] {
    let header = "{'descr': '\(type)', 'fortran_order': \(order), 'shape': \(shape), }\n"
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8)
      + values
  }

  private func text(_ text: String) -> [UInt8] {
    array("<U\(text.count)", "()", text.utf8.flatMap { [$0, 0, 0, 0] })
  }

  private func depth(_ file: [UInt8], unit: DepthMap.Unit? = nil, key: String? = nil) throws
    -> DepthMap
  {
    try DepthMap(decoding: file, name: "a.npz", unit: unit, key: key)
  }

  private func refusal(
    _ file: [UInt8], unit: DepthMap.Unit? = nil, key: String? = nil,
    limits: ImageLimits = ImageLimits()
  ) -> DepthError? {
    #expect(throws: DepthError.self) {
      try DepthMap(decoding: file, name: "a.npz", unit: unit, key: key, limits: limits)
    }
  }

  private let two: [UInt8] = [0, 0, 0xC0, 0x3F, 0, 0, 0x20, 0x40]  // 1.5, 2.5

  // MARK: - Writing

  @Test("an NPZ holds depth, normals, intrinsics and unit")
  func writtenArraysAreWhatTheFormatsSay() throws {
    let map = DepthMap(height: 2, width: 3, unit: .metres, values: [1, 0, 3, -1, .infinity, 6.5])
    let camera = Camera(width: 6, height: 8, focalLength: 10)
    let others: [NamedArray] = [
      .floats("normals", shape: [2, 3, 3]) { (0..<18).map(Float.init) },
      .intrinsics(of: camera, height: 2, width: 3),
    ]
    let file = try map.archive(beside: others).gathered()
    let found = try ReferenceNPZ(file)
    #expect(found.names == ["depth", "normals", "intrinsics", "unit"])
    let values = try found.numbers("depth", shape: "(2,3)")
    #expect(values[0] == 1 && values[2] == 3 && values[5] == 6.5)
    #expect([1, 3, 4].allSatisfy { values[$0].isNaN })
    #expect(try found.numbers("normals", shape: "(2,3,3)") == (0..<18).map(Double.init))
    // The width is halved and the height quartered. The center is column 1 of 3 and row ½ of 2.
    #expect(
      try found.numbers("intrinsics", shape: "(3,3)") == [5, 0, 1, 0, 2.5, 0.5, 0, 0, 1])
    #expect(try found.text("unit") == "metre")
    #expect(try map.archive(beside: others).gathered() == file)
    // The date is the earliest that ZIP can state.
    #expect(file[10..<14] == [0, 0, 0x21, 0])
  }

  @Test("an NPZ is read back exactly in its unit", arguments: DepthFileTests.units)
  func everyUnitIsReadBack(unit: DepthMap.Unit) throws {
    let map = try DepthFileTests.map(unit)
    let file = try map.encoded(as: .npz)
    let again = try depth(file)
    #expect(again.unit == unit && (again.height, again.width) == (map.height, map.width))
    for (value, read) in zip(map.values, again.values) {
      #expect(map.hasValue(value) ? value == read : !again.hasValue(read))
    }
    #expect(try DepthFileMetadata(decoding: file, name: "").unit == unit)
    #expect(try DepthMap(decoding: file, unit: unit).values.count == map.values.count)
  }

  private static let numPy = ExternalReader.numPy

  @Test(
    "NumPy reads a written NPZ and its checksums",
    .enabled(if: NPZTests.numPy.isInstalled, "\(NPZTests.numPy.absence)"))
  func numPyReadsIt() throws {
    let map = DepthMap(height: 2, width: 2, unit: .metres, values: [1.5, 2, 0, 4])
    let camera = Camera(width: 2, height: 2, focalLength: 3)
    let said = try Self.numPy.run(
      [
        "-c",
        """
        import numpy, sys, zipfile
        assert zipfile.ZipFile(sys.argv[1]).testzip() is None
        with numpy.load(sys.argv[1], allow_pickle=False) as a:
          for name in a.files:
            print(name, a[name].dtype, a[name].shape, a[name].tolist())
        """, "FILE",
      ],
      on: map.archive(beside: [.intrinsics(of: camera, height: 2, width: 2)]).gathered(),
      named: "a.npz")
    #expect(
      said == """
        depth float32 (2, 2) [[1.5, 2.0], [nan, 4.0]]
        intrinsics float64 (3, 3) [[3.0, 0.0, 0.5], [0.0, 3.0, 0.5], [0.0, 0.0, 1.0]]
        unit <U5 () metre

        """)
  }

  @Test(
    "an NPZ that NumPy wrote is read",
    .enabled(if: NPZTests.numPy.isInstalled, "\(NPZTests.numPy.absence)"),
    arguments: ["savez", "savez_compressed"], ["<f2", "<f4", ">f4", "<f8", "<u2", "|u1"])
  func numPysArchivesAreRead(function: String, type: String) throws {
    let bytes = try Self.numPy.run([
      "-c",
      """
      import numpy, io, sys
      out = io.BytesIO()
      numpy.\(function)(out, other=numpy.zeros(3),
        depth=numpy.asfortranarray(numpy.array([[1, 2, 3], [4, 5, 6]], '\(type)'))[None],
        unit='metre')
      print(*out.getvalue())
      """,
    ])
    let file = bytes.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0) }
    let map = try depth(file)
    #expect(map.unit == .metres && map.values == [1, 2, 3, 4, 5, 6])
    #expect((map.height, map.width) == (2, 3))
  }

  // MARK: - Reading

  @Test("the first array with a usual name is read", arguments: [false, true])
  func theFirstOfTheUsualNamesIsRead(isDeflated: Bool) throws {
    func member(_ name: String, _ byte: UInt8) -> Member {
      Member(name, array("|u1", "(1, 1)", [byte]), isDeflated: isDeflated)
    }
    var members = [
      member("predicted_depth", 4), member("arr_0", 3), member("depthmap", 2), member("depth", 1),
      member("mine", 9),
    ]
    #expect(try depth(archive(members), unit: .metres, key: "mine").values == [9])
    for wanted in [1, 2, 3, 4] as [Float] {
      #expect(try depth(archive(members), unit: .metres).values == [wanted])
      members.removeAll { $0.content.last == UInt8(wanted) }
    }
    let error = try #require(refusal(archive(members), unit: .metres))
    #expect(
      error.description
        == "a.npz: holds the arrays 'mine', expected the array 'depth', 'depthmap', 'arr_0' or 'predicted_depth'"
    )
    #expect(error.cause as? SettingAtFault == .depthKey)
    #expect(
      try #require(refusal(archive([]), key: "x")).description.contains("expected a depth map"))
  }

  @Test("the caller's unit overrides the unit in an NPZ") func theUnitInTheFileIsBelieved() throws {
    func file(_ unit: String) throws -> [UInt8] {
      try archive([
        Member("depth", array("<f4", "(1, 2)", two)), Member("unit", text(unit)),
      ])
    }
    #expect(try depth(file("millimetre")).values == [0.0015, 0.0025])
    #expect(try depth(file("disparity")).unit == .disparity)
    #expect(try depth(file("relative-depth")).values == [1 / 1.5, 1 / 2.5])
    let unknown = try #require(refusal(file("cm")))
    #expect(unknown.code == .unknownUnit && unknown.message.hasPrefix("records the unit 'cm', "))
    // The caller names the unit.
    #expect(
      try DepthMap(decoding: file("cm"), name: "", unit: .metres, scale: 0.01).values
        == [0.015, 0.025])
    #expect(try depth(file("metre"), unit: .disparity).values == [1.5, 2.5])
    let bare = try archive([Member("depth", array("<f4", "(1, 2)", two))])
    #expect(try depth(bare).unit == .metres)
    #expect(try DepthFileMetadata(decoding: bare, name: "").unit == nil)
  }

  /// Other programs may name any array `unit`. Only a short text beside `depth` is a unit.
  @Test("an array named unit without a unit is ignored") func falseUnitsAreIgnored() throws {
    let map = Member("depth", array("<f4", "(1, 2)", two))
    for other in [
      Member("unit", array("|u1", "(8000,)", [UInt8](repeating: 7, count: 8000))),
      Member("unit", array("<f4", "(1, 2)", two)),
      Member("unit", array("|O", "()", [1])),
      Member("unit", Array("metre".utf8)),
      Member("near_is", array("|u1", "(8000,)", [UInt8](repeating: 7, count: 8000))),
    ] {
      let file = try archive([map, other])
      #expect(try depth(file).unit == .metres && depth(file).values == [1.5, 2.5])
      #expect(try DepthFileMetadata(decoding: file, name: "").unit == nil)
    }
    var mine = map
    mine.name = "mine.npy"
    let file = try archive([map, mine, Member("unit", text("disparity"))])
    #expect(try depth(file).unit == .disparity)
    #expect(try depth(file, key: "mine").unit == .metres)
    let alone = try archive([mine, Member("unit", text("disparity"))])
    #expect(try depth(alone, key: "mine").unit == .disparity)
    #expect(try DepthFileMetadata(decoding: alone, name: "").unit == .disparity)
  }

  @Test("an error stays short despite long names in an archive")
  func namesInErrorsAreShort() throws {
    let file = try archive([Member(String(repeating: "x", count: 9000), [])])
    #expect(try #require(refusal(file)).description.count < 300)
  }

  /// The whole archive and a copy are in memory, even for a small map.
  @Test("the memory need includes the whole archive")
  func memoryOfTheWholeArchiveIsCounted() throws {
    let large = [UInt8](repeating: 1, count: 15_000_000)
    let file = try archive([
      Member("depth", array("<f4", "(1, 2)", two)),
      Member("other", array("|u1", "(15000000,)", large)),
    ])
    let error = try #require(refusal(file, limits: ImageLimits(maximumBytes: 26_000_000)))
    #expect(error.code == .insufficientMemory)
    let map = try DepthMap(
      decoding: file, name: "", limits: ImageLimits(maximumBytes: 48_000_000))
    #expect(map.values == [1.5, 2.5])
  }

  @Test("a key for a plain NPY is an error") func aNameOfAnArrayNeedsAnArchive() throws {
    let error = try #require(refusal(array("<f4", "(1, 2)", two), key: "depth"))
    #expect(error.message == "holds a NumPy array, expected a NumPy archive with the array 'depth'")
  }

  /// Stated sizes are compared with the limits before memory is reserved.
  @Test("an NPZ with wrong sizes or checksums is refused")
  func wrongSizesAndSumsAreRefused() throws {
    var bomb = Member(
      "depth", array("<f4", "(1, 2)", two) + [UInt8](repeating: 0, count: 9_000_000),
      isDeflated: true)
    let limits = ImageLimits(maximumPixels: 1_000_000)
    #expect(
      try #require(refusal(archive([bomb]), limits: limits)).message.contains(
        "bytes, expected at most 8065545"))
    // The array's header states two numbers.
    #expect(try #require(refusal(archive([bomb]))).message.contains("expected 8 for 2×1"))
    bomb.statedSize = 100
    #expect(try #require(refusal(archive([bomb]))).message.contains("does not unpack"))
    // A stream of a few thousand bytes cannot contain 268 MB, so no memory is reserved.
    bomb.statedSize = 1 << 28
    #expect(try #require(refusal(archive([bomb]))).message.contains("does not unpack"))

    for isDeflated in [false, true] {
      var member = Member("depth", array("<f4", "(1, 2)", two), isDeflated: isDeflated)
      member.sum = 1
      #expect(try #require(refusal(archive([member]))).message.contains("checksum"))
    }
    var stored = Member("depth", array("<f4", "(1, 2)", two))
    stored.statedSize = 7
    #expect(try #require(refusal(archive([stored]))).code == .damaged)
    let huge = Member("depth", array("<f4", "(1000000, 1000000)", two))
    #expect(try #require(refusal(archive([huge]))).code == .tooLarge)
    let noArray = Member("depth", Array("hello".utf8))
    #expect(
      try #require(refusal(archive([noArray]))).message.contains("NumPy file: the format version"))
    let whole = try archive([Member("depth", array("<f4", "(1, 2)", two))])
    for count in stride(from: 1, to: whole.count, by: 7) {
      _ = refusal(Array(whole.dropLast(count)))
    }
  }
}
