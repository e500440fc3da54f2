/// An OpenEXR file without compression, written by the format's description and not by the library.
///
/// > Source: “OpenEXR File Layout”, openexr.com.
package struct EXRFixture {
  package enum Sample: UInt32, CaseIterable, Sendable { case uint, half, float }

  package struct Part {
    /// In the order of the alphabet, as the format wants them.
    package var channels: [(name: String, sample: Sample)]
    /// First and last column, first and last row.
    package var data: (x: ClosedRange<Int>, y: ClosedRange<Int>)
    package var display: (x: ClosedRange<Int>, y: ClosedRange<Int>)?
    package var tile: Int?
    package var texts: [(name: String, text: String)] = []
    package var type: String?
    package var sampling: UInt32 = 1
    package var compression: UInt8 = 0

    package init(
      _ channels: [(name: String, sample: Sample)], x: ClosedRange<Int>, y: ClosedRange<Int>
    ) {
      (self.channels, self.data) = (channels, (x, y))
    }
  }

  package var parts: [Part]
  /// The value of a channel of a part at a column and a row.
  package var value: (_ part: Int, _ channel: String, _ x: Int, _ y: Int) -> Float = {
    part, channel, x, y in
    Float(1 + x + 4 * y) + (channel == "Z" ? 0 : 100) + Float(1000 * part)
  }

  package init(_ parts: [Part]) { self.parts = parts }

  /// One channel `Z` of floats, `4 × 3`.
  package init() { self.init([Part([("Z", .float)], x: 0...3, y: 0...2)]) }

  package var bytes: [UInt8] {
    let isMultiPart = parts.count > 1
    let tiled = !isMultiPart && parts[0].tile != nil
    var file: [UInt8] = [0x76, 0x2F, 0x31, 0x01]
    file += little(UInt32(2 | (tiled ? 0x200 : 0) | (isMultiPart ? 0x1000 : 0)))
    for part in parts { file += header(part, named: isMultiPart) + [0] }
    if isMultiPart { file.append(0) }
    let all: [[UInt8]] = parts.indices.flatMap { chunks(of: $0) }
    var offset = UInt64(file.count + 8 * all.count)
    for chunk in all {
      file += little(offset)
      offset += UInt64(chunk.count)
    }
    return file + all.joined()
  }

  private func header(_ part: Part, named: Bool) -> [UInt8] {
    var channels: [UInt8] = []
    for channel in part.channels {
      channels += text(channel.name)
      for number in [channel.sample.rawValue, 0, part.sampling, part.sampling] {
        channels += little(number)
      }
    }
    var result = attribute("channels", "chlist", channels + [0])
    result += attribute("compression", "compression", [part.compression])
    result += attribute("dataWindow", "box2i", box(part.data))
    result += attribute("displayWindow", "box2i", box(part.display ?? part.data))
    result += attribute("lineOrder", "lineOrder", [0])
    result += attribute("pixelAspectRatio", "float", little(Float(1).bitPattern))
    result += attribute("screenWindowCenter", "v2f", [UInt8](repeating: 0, count: 8))
    result += attribute("screenWindowWidth", "float", little(Float(1).bitPattern))
    if let tile = part.tile {
      let side = little(UInt32(tile))
      result += attribute("tiles", "tiledesc", side + side + [0])
    }
    if named {
      result += attribute("name", "string", Array("part \(part.channels[0].name)".utf8))
      result += attribute("chunkCount", "int", little(UInt32(places(part).count)))
    }
    if let type = part.type ?? (named ? "scanlineimage" : nil) {
      result += attribute("type", "string", Array(type.utf8))
    }
    for (name, text) in part.texts { result += attribute(name, "string", Array(text.utf8)) }
    return result
  }

  /// Where the chunks of a part begin, in columns and rows from the corner of its data window, and their sides.
  private func places(_ part: Part) -> [(x: Int, y: Int, width: Int, height: Int)] {
    let (width, height) = (part.data.x.count, part.data.y.count)
    let (across, down) = (part.tile ?? width, part.tile ?? 1)
    return stride(from: 0, to: height, by: down).flatMap { y in
      stride(from: 0, to: width, by: across).map { x in
        (x, y, min(across, width - x), min(down, height - y))
      }
    }
  }

  private func chunks(of index: Int) -> [[UInt8]] {
    let part = parts[index]
    return places(part).map { place in
      var pixels: [UInt8] = []
      for y in place.y..<place.y + place.height {
        for channel in part.channels {
          for x in place.x..<place.x + place.width {
            let value = value(
              index, channel.name, part.data.x.lowerBound + x, part.data.y.lowerBound + y)
            switch channel.sample {
            case .uint: pixels += little(UInt32(value))
            case .half: pixels += little(Self.half(value))
            case .float: pixels += little(value.bitPattern)
            }
          }
        }
      }
      var chunk: [UInt8] = parts.count > 1 ? little(UInt32(index)) : []
      if let tile = part.tile {
        for number in [place.x / tile, place.y / tile, 0, 0] { chunk += little(UInt32(number)) }
      } else {
        chunk += little(Int32(part.data.y.lowerBound + place.y))
      }
      chunk += little(UInt32(pixels.count))
      return chunk + pixels
    }
  }

  private func box(_ window: (x: ClosedRange<Int>, y: ClosedRange<Int>)) -> [UInt8] {
    [window.x.lowerBound, window.y.lowerBound, window.x.upperBound, window.y.upperBound]
      .flatMap { little(Int32($0)) }
  }

  private func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
    text(name) + text(type) + little(UInt32(value.count)) + value
  }

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  private func little<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Number($0 * 8)) }
  }

  /// The half of a number between 2⁻¹⁴ and 65504 that has one.
  private static func half(_ value: Float) -> UInt16 {
    guard value != 0 else { return 0 }
    return UInt16(value.exponent + 15) << 10 | UInt16((value.bitPattern & 0x7F_FFFF) >> 13)
  }
}
