import DepthBase
import DepthErrors
import SystemEssentials

/// The safetensors format: the length of a JSON header in 8 bytes, the header, and the arrays without gaps.
///
/// > Source: Hugging Face, “safetensors”, format description.
extension ArrayFile {
  /// Maximum bytes of a header. The largest published network's header has 50 kB.
  private static let longestHeader = 8 << 20

  /// The header's length if a file may be safetensors; otherwise `nil`.
  static func safetensorsHeaderBytes(_ start: [UInt8], of file: RandomAccessFile) -> Int? {
    guard start.count > 8, start[8] == UInt8(ascii: "{") else { return nil }
    let count = start.number(at: 0, bytes: 8)
    return count <= UInt64(max(file.size - 8, 0)) ? Int(count) : nil
  }

  /// - Throws: `DepthError` for a header that is too long or invalid, and for arrays that overlap or leave gaps.
  static func safetensors(_ file: RandomAccessFile, headerBytes: Int) throws -> ArrayFile {
    guard headerBytes <= longestHeader else {
      throw DepthError(
        .unsupportedFormat, file: file.name,
        "has a header of \(headerBytes) bytes, expected at most \(longestHeader)")
    }
    let text = try file.bytes(8..<8 + headerBytes, "its header")
    let header: SafetensorsHeader
    do { header = try JSONDecoder().decode(SafetensorsHeader.self, from: Data(text)) } catch {
      throw file.damaged("its header is not a JSON object of arrays")
    }
    guard header.arrays.count <= mostArrays else {
      throw file.damaged("it lists \(header.arrays.count) arrays, expected at most \(mostArrays)")
    }
    var end = 8 + headerBytes
    var arrays: [String: StoredArray] = [:]
    let order = header.arrays.sorted {
      ($0.value.offsets.first ?? 0, $0.value.offsets.last ?? 0, $0.key)
        < ($1.value.offsets.first ?? 0, $1.value.offsets.last ?? 0, $1.key)
    }
    for (name, entry) in order {
      guard let bytes = entry.elementBytes else {
        throw DepthError(
          .unsupportedFormat, file: file.name,
          "'\(name)' has the type \(entry.dtype), expected one of safetensors, such as F32")
      }
      let first = end - 8 - headerBytes
      guard let count = entry.shape.checkedProduct, entry.offsets.count == 2,
        entry.offsets[0] == first, entry.offsets[1] >= first,
        entry.offsets[1] - first == count * bytes, entry.offsets[1] <= file.size - 8 - headerBytes
      else {
        throw file.damaged(
          "the offsets of '\(name)' do not fit its shape, the previous array or the file")
      }
      arrays[name] = StoredArray(
        format: entry.format, typeName: entry.dtype, shape: entry.shape, offset: end)
      end += count * bytes
    }
    guard end == file.size, !arrays.isEmpty else {
      throw file.damaged(
        arrays.isEmpty
          ? "it holds no arrays" : "its arrays end at byte \(end), expected \(file.size)")
    }
    return ArrayFile(file: file, form: "safetensors", arrays: arrays)
  }
}

/// The JSON object at the beginning of a safetensors file.
private struct SafetensorsHeader: Decodable {
  struct Entry: Decodable {
    let dtype: String
    let shape: [Int]
    let offsets: [Int]

    private enum CodingKeys: String, CodingKey {
      case dtype, shape
      case offsets = "data_offsets"
    }

    /// `nil` for types other than floats.
    var format: FloatFormat? {
      switch dtype {
      case "F16": .float16
      case "BF16": .bfloat16
      case "F32": .float32
      case "F64": .float64
      default: nil
      }
    }

    /// Bytes per element; `nil` for unsupported types.
    var elementBytes: Int? {
      format?.bytes ?? ["I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1][dtype]
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let arrays: [String: Entry]

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Name.self)
    arrays = try object.allKeys.reduce(into: [:]) { arrays, name in
      guard name.stringValue != "__metadata__" else { return }
      arrays[name.stringValue] = try object.decode(Entry.self, forKey: name)
    }
  }
}
