import AtomicFiles
import DepthErrors
import DepthImages
import OpenEXRFiles
import ProcessLimits

/// OpenEXR files of one depth map: the channel `Z`, distances along the optical axis.
///
/// > Source: “Technical Introduction to OpenEXR”, openexr.com, channel names; Blender Manual, “Passes”, for
/// > 10¹⁰ where a ray hits nothing.
package enum EXR {
  /// The channel's name in files that are written.
  static let channel = "Z"
  /// The channel of relative disparity, which no reader takes for a distance.
  private static let relativeChannel = "disparity"
  /// Blender's number for rays that hit nothing; such a number, and any farther one, is no value.
  private static let nothing: Float = 1e10

  /// Reads the depth channel of a file, as large as its display window: pixels outside of its data window
  /// have no value, and what the data window has besides is left out.
  ///
  /// - Returns: The values, and the file's texts.
  /// - Throws: `DepthError`; see ``EXRHeader/depth(bytes:file:limits:)``.
  static func decode(
    _ bytes: [UInt8], file: String, limits: ImageLimits = ImageLimits()
  ) throws -> (grid: FloatGrid, texts: [String: String]) {
    guard OpenEXRChannel.isAvailable else { throw DepthError.withoutOpenEXR(file: file) }
    let header = try EXRHeader(bytes, file: file)
    let depth = try header.depth(bytes: bytes.count, file: file, limits: limits)
    var values = try OpenEXRChannel.values(of: bytes, depth.request, name: file)
    let isInteger = depth.channel.sample == .uint
    if !isInteger {
      for index in values.indices where values[index] >= nothing && values[index].isFinite {
        values[index] = 0
      }
    }
    let (data, display) = (depth.dataWindow, depth.displayWindow)
    if data != display { values = framed(values, of: data, in: display) }
    let grid = FloatGrid(
      height: display.height, width: display.width, values: values,
      integerMaximum: isInteger ? Float(UInt32.max) : nil)
    return (grid, header.parts[depth.part].texts)
  }

  /// The values of a window as another shows them, 0 outside of the first.
  private static func framed(
    _ values: [Float], of data: EXRHeader.Window, in display: EXRHeader.Window
  ) -> [Float] {
    var result = [Float](repeating: 0, count: display.width * display.height)
    guard data.x.overlaps(display.x), data.y.overlaps(display.y) else { return result }
    let (columns, rows) = (data.x.clamped(to: display.x), data.y.clamped(to: display.y))
    for y in rows {
      let source = (y - data.y.lowerBound) * data.width + columns.lowerBound - data.x.lowerBound
      let target =
        (y - display.y.lowerBound) * display.width + columns.lowerBound - display.x.lowerBound
      result.replaceSubrange(
        target..<target + columns.count, with: values[source..<source + columns.count])
    }
    return result
  }

  /// A file that records its unit, with the same texts as a depth PNG.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` where the build has no OpenEXR.
  static func encode(_ grid: FloatGrid, metadata: DepthFileMetadata) throws -> [UInt8] {
    let isRelative = metadata.unit == .relativeDisparity
    let comment =
      isRelative
      ? "disparity: unknown scale and shift, larger is nearer, NaN = no value"
      : "Z: distance along the optical axis in metres, 0 = no value"
    return try OpenEXRChannel.file(
      of: grid.values, height: grid.height, width: grid.width,
      channel: isRelative ? relativeChannel : channel,
      texts: [("comments", comment)] + metadata.texts(metres: .metre))
  }
}
