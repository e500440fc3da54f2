import DepthBase

/// Weights as they are published, of one array.
enum PublishedSeed {
  static var all: [FuzzSeed] { [FuzzSeed(safetensors), FuzzSeed(torchFile)] }

  private static let numbers: [UInt8] = [0, 0, 128, 63, 0, 0, 0, 64]

  private static var safetensors: [UInt8] {
    let header = Array(#"{"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}"#.utf8)
    return number(header.count, 8) + header + numbers
  }

  /// The output of `torch.save` for `OrderedDict(a=tensor)`.
  private static var torchFile: [UInt8] {
    func text(_ text: String) -> [UInt8] { [0x58] + number(text.utf8.count, 4) + Array(text.utf8) }
    func name(_ words: String) -> [UInt8] { [0x63] + Array(words.utf8) }
    let dictionary = name("collections\nOrderedDict\n") + Array(")R".utf8)
    let storage =
      Array("(".utf8) + text("storage") + name("torch\nFloatStorage\n") + text("0") + text("cpu")
      + Array("K\u{2}tQ".utf8)
    let tensor =
      name("torch._utils\n_rebuild_tensor_v2\n") + Array("(".utf8) + storage
      + Array("K\u{0}K\u{1}K\u{2}\u{86}K\u{2}K\u{1}\u{86}".unicodeScalars.map { UInt8($0.value) })
      + [0x89] + dictionary + Array("tR".utf8)
    let pickle = [0x80, 2] + dictionary + Array("(".utf8) + text("a") + tensor + Array("u.".utf8)
    return archive([("a/data.pkl", pickle), ("a/data/0", numbers)])
  }

  private static func archive(_ members: [(name: String, content: [UInt8])]) -> [UInt8] {
    var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
    for (name, content) in members {
      let sum = CRC32.checksum(content[...])
      let facts =
        number(Int(sum), 4) + number(content.count, 4) + number(content.count, 4)
        + number(name.utf8.count, 2) + number(0, 2)
      directory += number(0x0201_4B50, 4) + number(0, 8) + number(0, 4) + facts + number(0, 10)
      directory += number(bytes.count, 4) + Array(name.utf8)
      bytes += number(0x0403_4B50, 4) + number(0, 8) + number(0, 2) + facts
      bytes += Array(name.utf8) + content
    }
    let end =
      number(0x0605_4B50, 4) + number(0, 4) + number(members.count, 2) + number(members.count, 2)
      + number(directory.count, 4) + number(bytes.count, 4) + number(0, 2)
    return bytes + directory + end
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
