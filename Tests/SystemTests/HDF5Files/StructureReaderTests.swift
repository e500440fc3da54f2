import DepthErrors
import Foundation
import HDF5Files
import Testing
import _TestSupport

/// This package's HDF5 reader and the HDF5 library describe files equally.
@Suite struct StructureReaderTests {
  /// The facts of all objects and attributes, as text.
  private func facts(of file: HDF5File, attributes: [String]) throws -> [String: String] {
    let description = try file.describe([.everything] + attributes.map { .attribute($0) })
    var facts: [String: String] = [:]
    for one in description.facts {
      let name = (one.isAttribute ? "attribute " : "") + one.path
      #expect(facts[name] == nil, "\(name) twice")
      var text = "\(one.kind)"
      if one.kind == .group { text += " of \(one.links)" }
      if one.kind == .dataset || one.kind == .attribute {
        // The size of variable-length text differs between memory and file.
        let bytes = one.elementType == .text(bytes: nil) ? 0 : one.elementBytes
        text +=
          " \(one.elementType) of \(bytes) bytes \(one.isSwapped) \(one.isNull) \(one.extents)"
      }
      if one.kind == .attribute { text += " \(one.data)" }
      if one.kind == .dataset {
        text += " \(one.layout.kind) \(one.layout.isAllocated)"
        if one.layout.isAllocated { text += " at \(one.layout.offset)" }
      }
      facts[name] = text
    }
    return facts
  }

  private func expectSame(_ path: String, attributes: [String], objects: Int) throws {
    let expected = try facts(of: HDF5File(path: path, describer: .library), attributes: attributes)
    let found = try facts(of: HDF5File(path: path, describer: .reader), attributes: attributes)
    #expect(found.count == expected.count && found.count >= objects)
    for (name, text) in expected { #expect(found[name] == text, "\(name)") }
  }

  private static let attributes = [
    "architecture", "bn_epsilon", "decoder_widths", "depth_scale", "format_version", "pixel_mean",
    "seed", "source_sha256", "no such attribute",
  ]

  @Test(
    "reader and library describe the package's files alike",
    arguments: [
      "/Weights/fcrn-lite2-nyu-int8.h5",
      "/Tests/Golden/fcrn_narrow16_weights.h5", "/Tests/Golden/fcrn_protocol_golden.h5",
      "/Tests/Golden/fcrn_narrow16_golden_228x304.h5", "/Tests/Golden/lite2_golden_64x96.h5",
    ])
  func filesOfThePackageAreDescribedAsByTheLibrary(file: String) throws {
    try expectSame(packageFolder + file, attributes: Self.attributes, objects: 10)
  }

  @Test("reader and library describe every dataset and attribute alike", arguments: [false, true])
  func everyKindOfDatasetAndAttribute(hasBlock: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("w.h5")
    let values: [String: HDF5Attribute] = [
      "text": .text("naïve"), "empty": .text(""), "texts": .texts(["a", "bcd", ""]),
      "integer": .integers([-7]), "integers": .integers([1, .min, .max]),
      "number": .numbers([1e-4]), "numbers": .numbers([0.1, -.infinity, .nan]),
    ]
    do {
      let writer = try HDF5Writer(path: path, hasBlock: hasBlock)
      for (name, value) in values { try writer.set(name, value) }
      try writer.setVariableText("variable", "never looked at")
      for element in [HDF5Writer.Storage.Element.float16, .float32, .float64] {
        for isBigEndian in [false, true] {
          try writer.write(
            [1, 2, 3, 4, 5, 6] as [Float], shape: [3, 2], to: "\(element)/\(isBigEndian)",
            as: .init(element, isBigEndian: isBigEndian))
        }
      }
      for element in [HDF5Writer.Storage.Element.int8, .uint8, .int16, .uint16] {
        try writer.write([1, 2] as [Int8], shape: [2], to: "\(element)/a", as: .init(element))
      }
      try writer.write(
        [1] as [Float], shape: [1, 1, 1], to: "chunked/a", as: .init(.float32, chunk: [1, 1, 1]))
      try writer.createDataset("unwritten/a", shape: [64])
      try writer.createGroup("empty")
      try writer.createGroup("deep/deeper/deepest")
      try writer.link("link", to: "/b")
      for index in 0..<200 { try writer.createGroup("many/member\(index)") }
    }
    try expectSame(path, attributes: Array(values.keys) + ["variable"], objects: 220)
    // Requests of single objects and groups.
    for item in [
      HDF5Request.object("int8/a"), .object("deep/deeper"), .object("none"), .object("link"),
      .object("link/a"), .group("many"), .group("int8/a"),
    ] {
      let expected = try HDF5File(path: path, describer: .library).describe([item]).facts
      let found = try HDF5File(path: path, describer: .reader).describe([item]).facts
      #expect(found.map(\.kind) == expected.map(\.kind), "\(item)")
      #expect(Set(found.map(\.path)) == Set(expected.map(\.path)), "\(item)")
    }
  }

  /// The reason for refusing a file.
  private func reason(_ path: String, _ body: (HDF5File) throws -> Void) throws -> String {
    let error = try #require(throws: DepthError.self) {
      try body(HDF5File(path: path, describer: .reader))
    }
    #expect(error.file == path)
    return error.message
  }

  @Test("the refusal of an unsupported structure says what was expected")
  func structuresThatAreNotReadSayWhatIsMissing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("w.h5")
    do { try HDF5Writer(path: path, isModern: true).createGroup("a") }
    let found = try reason(path) { _ = try $0.describe([.everything]) }
    #expect(found.hasPrefix("has an HDF5 superblock of version"))
    #expect(found.hasSuffix("expected version 0 in a build without the trait HDF5"))
    do {
      try HDF5Writer(path: path).write(
        [1, 2] as [Float], shape: [2], to: "a/bias", as: .init(.float32, chunk: [2]))
    }
    #expect(
      try reason(path) { _ = try $0.dataset("a/bias") }
        == "dataset 'a/bias' is stored in chunks, expected one piece in a build without the trait HDF5"
    )
    do {
      let writer = try HDF5Writer(path: path)
      for index in 0..<4097 { try writer.createGroup("layer\(index)") }
    }
    #expect(
      try reason(path) { _ = try $0.members(of: "/") } == "group '/' has more than 4096 links")
  }

  @Test("a refused file of a newer library is not called damaged")
  func formsThatAreNotReadAreNotCalledDamaged() throws {
    let folder = try TemporaryFolder()
    let bytes = try small(folder)
    // The root's header, whose address the superblock holds.
    let root = Int(bytes[64]) | Int(bytes[65]) << 8
    var edited = bytes
    edited.replaceSubrange(root..<root + 4, with: Array("OHDR".utf8))
    let path = try folder.write(edited, to: "headers.h5")
    for item in [HDF5Request.everything, .object("a/kernel"), .attribute("text")] {
      #expect(
        try reason(path) { _ = try $0.describe([item]) }
          == "has object headers of version 2, expected version 1 in a build without the trait HDF5"
      )
    }
    edited = bytes
    edited[13] = 4
    let narrow = try folder.write(edited, to: "narrow.h5")
    #expect(
      try reason(narrow) { _ = try $0.describe([.everything]) }
        == "has addresses of 4 and lengths of 8 bytes, expected 8 in a build without the trait HDF5"
    )
  }

  @Test("a header that miscounts its messages is refused") func messagesAreCounted() throws {
    let folder = try TemporaryFolder()
    let bytes = try small(folder)
    let root = Int(bytes[64]) | Int(bytes[65]) << 8
    let count = Int(bytes[root + 2])
    for (claimed, words) in [
      (count + 1, "its header has \(count) messages, expected \(count + 1)"),
      (count + 256, "its header has \(count) messages, expected \(count + 256)"),
      (count - 1, "its header has more than \(count - 1) messages"),
    ] {
      var edited = bytes
      edited.replaceSubrange(
        root + 2..<root + 4, with: [UInt8(claimed & 255), UInt8(claimed >> 8)])
      let path = try folder.write(edited, to: "counted.h5")
      #expect(try reason(path) { _ = try $0.members(of: "/") }.contains(words), "\(claimed)")
    }
  }

  /// The bytes of a small file.
  private func small(_ folder: TemporaryFolder) throws -> [UInt8] {
    let path = folder.path("small.h5")
    do {
      let writer = try HDF5Writer(path: path)
      try writer.set("text", .text("abc"))
      try writer.set("numbers", .numbers([1, 2]))
      try writer.write([1, 2] as [Float], shape: [2], to: "a/kernel")
      try writer.write([3] as [Float], shape: [1], to: "b/bias")
    }
    return try TemporaryFolder.bytes(of: path)
  }

  /// Reads everything from a file.
  private func readAll(_ path: String) throws {
    let file = try HDF5File(path: path, describer: .reader)
    let description = try file.describe([.everything, .attribute("text"), .attribute("numbers")])
    _ = try file.attributes(in: description)
    try file.requireGroup("/", in: description)
    for facts in description.facts
    where !facts.isAttribute && facts.path.contains("/") && facts.path != "/" {
      _ = try file.dataset(facts).floats()
    }
  }

  @Test("a file truncated at any length is refused") func truncatedAtEveryLength() throws {
    let folder = try TemporaryFolder()
    let whole = try small(folder)
    try readAll(folder.write(whole, to: "w.h5"))
    for count in 1..<whole.count {
      var short = Array(whole[..<count])
      let path = try folder.write(short, to: "w.h5")
      #expect(throws: DepthError.self, "\(count) bytes") { try readAll(path) }
      // The superblock's length is checked first, so the test replaces that length, too.
      guard count >= 48 else { continue }
      for byte in 0..<8 { short[40 + byte] = UInt8(truncatingIfNeeded: count >> (8 * byte)) }
      _ = try folder.write(short, to: "w.h5")
      do { try readAll(path) } catch is DepthError {}
    }
    let path = try folder.write(whole.dropLast(), to: "w.h5")
    #expect(
      try reason(path) { _ = try $0.describe([.everything]) }
        == "is truncated at \(whole.count - 1) bytes")
  }

  @Test("a file with any byte changed is read or refused") func everyByteChanged() throws {
    let folder = try TemporaryFolder()
    let whole = try small(folder)
    var refused = 0
    for index in whole.indices {
      for value in [0, 0x7F, 0xFF, whole[index] ^ 1, whole[index] ^ 0x10] {
        var damaged = whole
        damaged[index] = value
        let path = try folder.write(damaged, to: "w.h5")
        do { try readAll(path) } catch is DepthError { refused += 1 }
      }
    }
    #expect(refused > 500)
  }

  @Test("a cyclic tree is refused") func cyclicTreesAreRefused() throws {
    let folder = try TemporaryFolder()
    let whole = try small(folder)
    let tree = try #require(whole.firstRange(of: Array("TREE".utf8))).lowerBound
    func put(_ number: Int, at place: Int, into bytes: inout [UInt8]) {
      for byte in 0..<8 { bytes[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
    for level in [0, 1, 255] as [UInt8] {
      var damaged = whole
      damaged[tree + 5] = level
      put(tree, at: tree + 32, into: &damaged)
      let path = try folder.write(damaged, to: "w.h5")
      let found = try reason(path) { _ = try $0.members(of: "/") }
      #expect(found.hasPrefix("group '/' is damaged ("), "\(found)")
    }
    // A name heap whose stated length exceeds the file is refused, too.
    let heap = try #require(whole.firstRange(of: Array("HEAP".utf8))).lowerBound
    var damaged = whole
    put(1 << 50, at: heap + 8, into: &damaged)
    let path = try folder.write(damaged, to: "w.h5")
    #expect(
      try reason(path) { _ = try $0.members(of: "/") }.contains("beyond the file's end"))
  }

  /// Fortran fills texts with spaces.
  @Test("padding spaces are removed from texts") func textsEndBeforeTheirPadding() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("w.h5")
    do {
      let writer = try HDF5Writer(path: path)
      try writer.set("text", .text("fcrn  "))
      try writer.set("texts", .texts(["a b ", "  ", ""]))
    }
    let file = try HDF5File(path: path, describer: .reader)
    let found = try file.attributes(
      in: file.describe([.attribute("text"), .attribute("texts")]))
    #expect(found == ["text": .text("fcrn"), "texts": .texts(["a b", "", ""])])
  }

  /// Newer libraries write attributes of version 3, whose parts are not padded.
  @Test("reader and library describe unpadded attributes alike")
  func attributesWithoutPaddingAreDescribedAsByTheLibrary() throws {
    let folder = try TemporaryFolder()
    var bytes = try small(folder)
    for name in ["text", "numbers"] {
      let start = try #require(bytes.firstRange(of: Array("\(name)\0".utf8))).lowerBound - 8
      let message = start..<start + Int(bytes[start - 6])
      try #require(bytes[start] == 1 && message.upperBound <= bytes.count)
      var (closely, offset) = ([3, 0] + bytes[start + 2..<start + 8] + [0], start + 8)
      for part in [2, 4, 6] {
        let size = Int(bytes[start + part])
        closely += bytes[offset..<offset + size]
        offset += (size + 7) / 8 * 8
      }
      closely += bytes[offset..<message.upperBound]
      closely += [UInt8](repeating: 0, count: message.count)
      bytes.replaceSubrange(message, with: closely.prefix(message.count))
    }
    let path = try folder.write(bytes, to: "w.h5")
    try expectSame(path, attributes: ["text", "numbers"], objects: 7)
    let file = try HDF5File(path: path, describer: .reader)
    let found = try file.attributes(
      in: file.describe([.attribute("text"), .attribute("numbers")]))
    #expect(found == ["text": .text("abc"), "numbers": .numbers([1, 2])])
  }
}
