import AtomicFiles
import DepthErrors
import DepthImages
import OpenEXRFiles
import ProcessLimits

extension EXRHeader {
  /// Where a file has its depth, after all sizes are checked.
  struct DepthChannel {
    let part: Int
    let channel: Channel
    let dataWindow, displayWindow: Window
    let request: OpenEXRChannel.Request
  }

  /// The channel that holds depth: `Z`; else the only one whose name ends in `depth.Z` in any case, as
  /// layers of Blender and Nuke are named; else the only channel of the file.
  ///
  /// - Parameter bytes: Length of the file.
  /// - Throws: `DepthError` with code `unsupportedFormat` when there is none or more than one, or its
  ///   pixels are deep or subsampled; `damaged` or `tooLarge` when the sizes cannot be right.
  func depth(bytes: Int, file: String, limits: ImageLimits) throws -> DepthChannel {
    let all = parts.indices.flatMap { index in
      parts[index].channels.map { (part: index, channel: $0) }
    }
    let named = all.filter { $0.channel.name == "Z" }
    let layers = all.filter { ".\($0.channel.name.lowercased())".hasSuffix(".depth.z") }
    let found = [named, layers, all].first { !$0.isEmpty } ?? []
    guard found.count == 1, let (index, channel) = found.first else {
      let names = found.prefix(8).map(\.channel.name) + (found.count > 8 ? ["…"] : [])
      throw DepthError.unsupportedFormat(
        file: file, expected: "one channel Z",
        found: found.isEmpty
          ? "an OpenEXR picture without channels"
          : "an OpenEXR picture with the channels \(names.joined(separator: ", "))")
    }
    let part = parts[index]
    guard !part.isDeep else {
      throw DepthError.unsupportedFormat(
        file: file, expected: "scan lines or tiles", found: "an OpenEXR picture of deep pixels")
    }
    guard channel.sampling == [1, 1] else {
      throw DepthError.unsupportedFormat(
        file: file, expected: "a value for each pixel", found: "a subsampled channel")
    }
    guard let data = part.dataWindow, let display = part.displayWindow,
      let lines = part.linesPerChunk
    else {
      throw DepthError.damaged(
        file: file, format: "OpenEXR file", reason: "its header lacks windows or compression")
    }
    // B44 is for colors: it loses what halves have, and version 3.1 misreads other floats beside them.
    guard part.compression != 6, part.compression != 7 else {
      throw DepthError.unsupportedFormat(
        file: file, expected: "another compression, such as ZIP",
        found: "an OpenEXR picture with B44 compression")
    }
    for window in [data, display] {
      try limits.check(width: window.width, height: window.height, file: file)
    }
    let chunk =
      part.tile.map { (width: min($0.width, data.width), height: min($0.height, data.height)) }
      ?? (width: data.width, height: min(lines, data.height))
    let chunks =
      data.width.dividedRoundingUp(by: chunk.width)
      * data.height.dividedRoundingUp(by: chunk.height)
    // An offset, and at least a position and a length, for each.
    guard chunks * 16 <= bytes else {
      throw DepthError.damaged(
        file: file, format: "OpenEXR file",
        reason: "\(bytes) bytes cannot hold \(data.width)×\(data.height) pixels")
    }
    let pixelBytes = part.channels.reduce(0) { $0 + $1.bytes }
    let request = OpenEXRChannel.Request(
      part: index, channel: channel.name, height: data.height, width: data.width,
      chunkBytes: chunk.width * chunk.height * pixelBytes,
      partBytes: data.width * data.height * pixelBytes)
    let larger = max(data.width * data.height, display.width * display.height)
    var need = MemoryNeed.reading(width: 1, height: larger, channels: 2)
    need.bytes += 4 * request.chunkBytes
    try limits.check(need, for: file)
    return DepthChannel(
      part: index, channel: channel, dataWindow: data, displayWindow: display, request: request)
  }
}

extension EXRHeader.Window {
  var width: Int { x.count }
  var height: Int { y.count }
}

extension EXRHeader.Part {
  /// Rows that are compressed together; `nil` for a compression that the format does not have.
  var linesPerChunk: Int? {
    //  none RLE ZIPS ZIP PIZ PXR24 B44 B44A DWAA DWAB
    let lines = [1, 1, 1, 16, 32, 16, 32, 32, 32, 256]
    return compression.flatMap { lines.indices.contains(Int($0)) ? lines[Int($0)] : nil }
  }
}

extension Int {
  fileprivate func dividedRoundingUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
