import DepthBase
import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import WeightsFiles

/// safetensors, ZIP and pickle files are untrusted. Their content is checked and never executed.
@Suite struct PublishedContainerTests {
  private func arrays(_ bytes: [UInt8]) throws -> ArrayFile? {
    try ArrayFile(RandomAccessFile(bytes: bytes.span, name: "file"))
  }

  private func expectRefusal(
    _ words: String, _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      let found = try arrays(bytes)
      Issue.record(
        "\(found?.form ?? "unknown") is not refused: \(words)", sourceLocation: sourceLocation)
    } catch {
      #expect("\(error)".contains(words), "\(error)", sourceLocation: sourceLocation)
    }
  }

  private func safetensors(_ header: String, bytes: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: header.utf8.count >> (8 * $0)) } + Array(header.utf8)
      + [UInt8](repeating: 0, count: bytes)
  }

  private func torchFile(_ pickle: [UInt8], storages: [[UInt8]] = []) -> [UInt8] {
    zipArchive(
      [("a/data.pkl", pickle)] + storages.enumerated().map { ("a/data/\($0.offset)", $0.element) })
  }

  @Test("a safetensors header that does not fit its file is refused")
  func headersThatDoNotFitTheFileAreRefused() throws {
    let one = #""a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}"#
    #expect(try arrays(safetensors("{\(one)}", bytes: 8))?.arrays["a"]?.shape == [2])
    for (words, header, bytes) in [
      ("do not fit", "{\(one)}", 4), ("end at byte", "{\(one)}", 12),
      ("holds no arrays", "{}", 0), ("not a JSON object", "{x", 0),
      ("do not fit", #"{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}"#, 8),
      ("do not fit", #"{"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}"#, 8),
      ("do not fit", #"{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#, 8),
      (
        "do not fit",
        #"{"a":{"dtype":"F32","shape":[9223372036854775807,9],"data_offsets":[0,8]}}"#, 8
      ),
      ("has the type F8_E4M3", #"{"a":{"dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8]}}"#, 8),
      ("do not fit", #"{\#(one),"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#, 8),
      // A wrong end or beginning causes gaps and overlaps.
      ("do not fit", #"{\#(one),"b":{"dtype":"F32","shape":[2],"data_offsets":[12,16]}}"#, 16),
      ("do not fit", #"{\#(one),"b":{"dtype":"F32","shape":[2],"data_offsets":[12,20]}}"#, 20),
      ("do not fit", #"{\#(one),"b":{"dtype":"F32","shape":[2],"data_offsets":[4,16]}}"#, 16),
      ("do not fit", #"{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}"#, 16),
    ] {
      expectRefusal(words, safetensors(header, bytes: bytes))
    }
  }

  @Test(
    "contiguity of a tensor is correct for extents of any size",
    arguments: [
      ([0, 1 << 62, 1 << 62], [1, 1 << 62, 1], true),
      ([1 << 62, 1 << 62, 1], [1 << 62, 1, 1], false),
      ([2, 3], [3, 1], true), ([2, 3], [1, 2], false), ([], [], true),
    ] as [([Int], [Int], Bool)])
  func extentsOfAnySizeAreMultiplied(shape: [Int], strides: [Int], isContiguous: Bool) {
    let tensor = PickledTensor(
      storage: PickledStorage(type: "FloatStorage", key: "0", count: 0), offset: 0, shape: shape,
      strides: strides)
    #expect(tensor.isContiguous == isContiguous)
  }

  @Test("a file from before PyTorch 1.6 is named") func filesOfEarlyPyTorchAreNamed() {
    expectRefusal(
      "before PyTorch 1.6",
      [0x80, 2, 0x8A, 10, 0x6C, 0xFC, 0x9C, 0x46, 0xF9, 0x20, 0x6A, 0xA8, 0x50, 0x19, 0x2E, 0x80])
  }

  @Test("a file of another kind is not a container") func otherFilesAreNoContainers() throws {
    for bytes in [
      [], [1, 2, 3], Array("\u{89}HDF\r\n\u{1a}\n".utf8), [UInt8](repeating: 0, count: 600),
    ] {
      #expect(try arrays(bytes) == nil)
    }
  }

  /// Names in a pickle are never looked up or called.
  @Test("a pickle of functions or unknown objects is refused")
  func picklesOfOtherThingsAreRefused() throws {
    func pickle(_ text: String) -> [UInt8] {
      [0x80, 2] + text.unicodeScalars.map { UInt8($0.value) }
    }
    for (words, bytes) in [
      ("contains 'os.system'", pickle("cos\nsystem\n(X\u{2}\0\0\0lst\u{85}R.")),
      ("contains 'builtins.eval'", pickle("cbuiltins\neval\n.")),
      ("contains 'torch.load'", pickle("ctorch\nload\n.")),
      ("contains the opcode 105", pickle("ios\nsystem\n.")),
      ("an empty stack", pickle(".")), ("a missing mark", pickle("t.")),
      ("an early end", pickle("X\u{7f}\0\0\0a")), ("a missing memo entry", pickle("h\u{5}.")),
      ("a protocol other than", [0x80, 5, 0x2E]), ("holds no dictionary", pickle("N.")),
      ("dictionary of 0 tensors", pickle("}.")),
      ("a call of something other than a function", pickle("NN\u{85}R.")),
      ("other than a list", pickle("}Na.")), ("other than a dictionary", pickle("]NNs.")),
      ("a container in itself", pickle("}q\u{0}Nh\u{0}s.")),
    ] {
      expectRefusal(words, torchFile(bytes))
    }
    let nested =
      [0x80, 2] + [UInt8](repeating: UInt8(ascii: ")"), count: 1)
      + [UInt8](repeating: 0x85, count: 100_000)
    expectRefusal("nested too deeply", torchFile(nested + [UInt8(ascii: ".")]))
    expectRefusal("expected at most 1048576", torchFile([UInt8](repeating: 0, count: 1 << 20 + 1)))
  }

  @Test("a PyTorch archive that contradicts itself is refused")
  func archivesThatContradictThemselvesAreRefused() throws {
    let whole = try PublishedWeights(GeneratedWeights.depthAnything(PublishedWeights.sizes))
      .torchFile()
    #expect(try arrays(whole)?.form == "pytorch state dict")
    expectRefusal("central directory is missing", Array(whole.dropLast(30)))
    var flipped = whole
    let middle = flipped.count / 2
    flipped[middle] ^= 1
    expectRefusal("differs from its checksum", flipped)
    let twice = zipArchive([("a/data.pkl", [1]), ("a/data.pkl", [2])])
    expectRefusal("two members", twice)
    expectRefusal("0 pickles", zipArchive([("a/other", [1])]))
    expectRefusal(
      "big-endian", zipArchive([("a/data.pkl", [1]), ("a/byteorder", Array("big".utf8))]))
    var compressed = zipArchive([("a/data.pkl", [1, 2, 3])])
    compressed[compressed.count - 22 - (46 + 10) + 10] = 8
    expectRefusal("is compressed, expected a file of torch.save", compressed)
    var encrypted = zipArchive([("a/data.pkl", [1, 2, 3])])
    encrypted[encrypted.count - 22 - (46 + 10) + 8] = 1
    expectRefusal("'a/data.pkl' is encrypted", encrypted)
    // The storage has seven numbers: three of the first tensor, then four of the second.
    var long = Self.two
    long.tensors["b"]?.shape = [5]
    expectRefusal("'b' extends beyond its stored values", long.torchFile(sharesStorage: true))
  }

  private static let two = PublishedWeights(tensors: [
    "a": .init(shape: [3], values: [1, 2, 3]), "b": .init(shape: [2, 2], values: [4, 5, 6, 7]),
  ])

  /// A tensor's offset in its storage is counted in elements.
  @Test("tensors may share a storage", arguments: PublishedWeights.Number.allCases, [false, true])
  func tensorsMayShareAStorage(number: PublishedWeights.Number, sharesStorage: Bool) throws {
    let bytes = Self.two.torchFile(number, sharesStorage: sharesStorage)
    let file = try #require(try arrays(bytes))
    #expect(Set(file.arrays.keys) == ["a", "b"])
    for (name, array) in file.arrays {
      #expect(try file.floats(name, array) == Self.two.tensors[name]?.values, "\(name)")
    }
  }

  /// The archive's last record is the record whose comment ends at the file's end.
  @Test("a ZIP comment may hold signatures") func commentsMayHoldSignatures() throws {
    let archive = Self.two.torchFile()
    let record = Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18)
    for comment in [Array("by hand".utf8), record + [1], [1] + record + record + [2, 3]] {
      let file = try arrays(archive.dropLast(2) + [UInt8(comment.count), 0] + comment)
      #expect(file?.arrays.count == 2)
    }
  }

  /// A byte in two members would be read twice.
  @Test("a ZIP file whose members overlap is refused") func membersThatOverlapAreRefused() throws {
    // Both names have three characters, like the name in the first member's header.
    let three = zipArchive([("a/x", [1, 2, 3]), ("a/y", [1, 2, 3]), ("a/data.pkl", [1])])
    var shared = three
    let (entry, directory) = (46 + 3, three.count - 22 - (46 + 10) - 2 * (46 + 3))
    shared.replaceSubrange(directory + entry + 42..<directory + entry + 46, with: [0, 0, 0, 0])
    expectRefusal("its members overlap", shared)
    let whole = zipArchive([("a/data.pkl", [1, 2, 3]), ("a/byteorder", Array("little".utf8))])
    // The first member extends over the next member's header and content.
    var long = whole
    let first = whole.count - 22 - (46 + 11) - (46 + 10)
    for field in [20, 24] { long[first + field] = UInt8(3 + 30 + 11 + 1) }
    expectRefusal("its members overlap", long)
    long[first + 20] -= 1
    long[first + 24] -= 1
    expectRefusal("differs from its checksum", long)
  }

  @Test("10000 changed containers give values or a DepthError", arguments: [0, 1])
  func changedFilesGiveValuesOrErrors(container: Int) throws {
    let weights = try PublishedWeights(GeneratedWeights.depthAnything(PublishedWeights.sizes))
    // The file is small, since changes of the header matter.
    var small = weights
    small.tensors = weights.tensors.filter { $0.value.values.count <= 64 }
    let whole = container == 0 ? small.safetensors() : small.torchFile()
    let stream = CounterStream("published \(container)")
    for round in 0..<10_000 {
      var bytes = whole
      for change in 0..<1 + Int(stream[8 * round] % 4) {
        let (place, kind) = (
          Int(stream[8 * round + 2 * change + 1]), stream[8 * round + 2 * change + 2]
        )
        // Half of the changes are in the list of members at the end.
        let index =
          kind & 64 == 0 ? place % bytes.count : bytes.count - 1 - place % min(bytes.count, 4096)
        bytes[index] =
          kind & 128 == 0 ? UInt8(truncatingIfNeeded: kind) : [0, 0xFF, 0x7F, 0x80][Int(kind % 4)]
      }
      if round % 16 == 0 { bytes = Array(bytes.prefix(Int(stream[8 * round + 7]) % bytes.count)) }
      do {
        guard let file = try arrays(bytes) else { continue }
        for (name, array) in file.arrays { _ = try? file.floats(name, array) }
      } catch is DepthError {}
    }
  }
}
