import AtomicFiles
import DepthErrors

/// The header of an OpenEXR file: what each part holds, without its pixels.
///
/// Read here so that every size is known and checked before OpenEXR sees the file, and so that builds
/// without OpenEXR can read a file's attributes.
///
/// > Source: “OpenEXR File Layout”, openexr.com.
struct EXRHeader {
  static let signature: [UInt8] = [0x76, 0x2F, 0x31, 0x01]

  /// Pixels from `min` to `max`, both included.
  struct Window: Equatable {
    var x: ClosedRange<Int>
    var y: ClosedRange<Int>
  }

  struct Channel: Equatable {
    enum Sample: UInt32 { case uint, half, float }

    let name: String
    let sample: Sample
    /// Pixels from one sample to the next, horizontally and vertically.
    let sampling: [UInt32]

    var bytes: Int { sample == .half ? 2 : 4 }
  }

  /// One picture of the file.
  struct Part {
    /// The first of a name counts; texts are attributes of type `string`.
    var texts: [String: String] = [:]
    var channels: [Channel] = []
    var compression: UInt8?
    var dataWindow, displayWindow: Window?
    /// Width and height of tiles; `nil` for scan lines.
    var tile: (width: Int, height: Int)?

    /// Several samples per pixel, at depths of their own.
    var isDeep: Bool { texts["type"].map { $0.hasPrefix("deep") } ?? false }
  }

  private(set) var parts: [Part] = []
  let isMultiPart: Bool
  /// The offset after all parts' attributes, where the offsets of the pixels begin.
  private(set) var end: Int

  /// - Parameter bytes: A whole file, or its beginning.
  /// - Throws: `DepthError` with code `damaged`.
  init(_ bytes: [UInt8], file: String) throws {
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: file, format: "OpenEXR file", reason: reason)
    }
    let reader = ByteReader(bytes: bytes, order: .little)
    guard let version = reader.integer(UInt32.self, at: 4) else {
      throw damaged("ends before its version")
    }
    guard bytes.starts(with: Self.signature), version & 0xFF == 2 else {
      throw damaged("its version is \(version & 0xFF), expected 2")
    }
    isMultiPart = version & 0x1000 != 0
    end = 8
    /// Text up to a zero byte, which is passed.
    func word() throws -> String {
      guard let zero = bytes[end...].prefix(256).firstIndex(of: 0) else {
        throw damaged("ends inside its header")
      }
      defer { end = zero + 1 }
      return String(decoding: bytes[end..<zero], as: UTF8.self)
    }
    repeat {
      var part = Part()
      while true {
        let name = try word()
        if name.isEmpty { break }
        let type = try word()
        guard let size = reader.integer(UInt32.self, at: end), end + 4 + Int(size) <= bytes.count
        else { throw damaged("ends inside its header") }
        let value = end + 4..<end + 4 + Int(size)
        guard part.add(name, type, bytes, value) else {
          throw damaged("its attribute '\(name)' is malformed")
        }
        end = value.upperBound
      }
      parts.append(part)
      // An empty header ends the list of a file of several parts.
      guard isMultiPart, bytes.indices.contains(end) else { break }
      if bytes[end] == 0 {
        end += 1
        break
      }
    } while true
  }
}

extension EXRHeader.Part {
  /// Takes what is needed of an attribute; returns false for one that is not well formed.
  fileprivate mutating func add(
    _ name: String, _ type: String, _ bytes: [UInt8], _ value: Range<Int>
  ) -> Bool {
    let reader = ByteReader(bytes: Array(bytes[value]), order: .little)
    switch (name, type) {
    case ("channels", "chlist"):
      guard let list = Self.channels(reader) else { return false }
      channels = list
    case ("compression", "compression"):
      compression = reader.integer(UInt8.self, at: 0)
    case ("dataWindow", "box2i"):
      dataWindow = Self.window(reader)
      return dataWindow != nil
    case ("displayWindow", "box2i"):
      displayWindow = Self.window(reader)
      return displayWindow != nil
    case ("tiles", "tiledesc"):
      guard let width = reader.integer(UInt32.self, at: 0),
        let height = reader.integer(UInt32.self, at: 4), width > 0, height > 0
      else { return false }
      tile = (Int(width), Int(height))
    case (_, "string"):
      if texts[name] == nil { texts[name] = String(decoding: reader.bytes, as: UTF8.self) }
    default: break
    }
    return true
  }

  private static func window(_ reader: ByteReader) -> EXRHeader.Window? {
    let numbers = stride(from: 0, to: 16, by: 4).compactMap { offset in
      reader.integer(UInt32.self, at: offset).map { Int(Int32(bitPattern: $0)) }
    }
    guard numbers.count == 4, numbers[0] <= numbers[2], numbers[1] <= numbers[3] else { return nil }
    return EXRHeader.Window(x: numbers[0]...numbers[2], y: numbers[1]...numbers[3])
  }

  /// Names and types: a name, four bytes of type, four of flags, eight of sampling; then a zero.
  private static func channels(_ reader: ByteReader) -> [EXRHeader.Channel]? {
    var channels: [EXRHeader.Channel] = []
    var offset = 0
    while let first = reader.integer(UInt8.self, at: offset), first != 0 {
      guard let zero = reader.bytes[offset...].prefix(256).firstIndex(of: 0),
        let sample = reader.integer(UInt32.self, at: zero + 1)
          .flatMap(EXRHeader.Channel.Sample.init),
        let across = reader.integer(UInt32.self, at: zero + 9),
        let down = reader.integer(UInt32.self, at: zero + 13)
      else { return nil }
      channels.append(
        EXRHeader.Channel(
          name: String(decoding: reader.bytes[offset..<zero], as: UTF8.self), sample: sample,
          sampling: [across, down]))
      offset = zero + 17
    }
    return channels
  }
}
