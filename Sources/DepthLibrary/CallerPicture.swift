import CDepthLibrary
import DepthBase
import DepthImages
import DepthPhotos
import PictureFiles

/// A picture in the caller's memory.
@safe struct CallerPicture {
  @unsafe private enum Content {
    /// The parsed header of a photo file, with the file's bytes.
    case file(PhotoFile)
    case pixels(UnsafeRawBufferPointer, PixelFormat, bytesPerRow: Int?)
  }

  private let content: Content
  /// Rows and columns of the upright picture.
  let height, width: Int
  let limits: ImageLimits

  /// Checks a picture. For a file, only the header is read.
  ///
  /// - Throws: ``CallFailure``, or `DepthError`.
  init(_ picture: UnsafePointer<depth_picture>?) throws {
    let picture = try unsafe read(
      required(picture, "the picture"), defaults: depth_picture(), "depth_picture")
    guard let start = unsafe picture.bytes, let count = unsafe Int(exactly: picture.byte_count),
      count > 0
    else { throw CallFailure.invalidArgument("the picture has no bytes, expected at least 1") }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    let pixels = unsafe picture.max_pixels
    try require(pixels >= 0, "max_pixels is \(pixels), expected at least 1, or 0")
    limits = pixels == 0 ? ImageLimits() : ImageLimits(maximumPixels: Int(pixels))
    guard let format = try unsafe Self.format(picture.format) else {
      let file = try unsafe PhotoFile(decoding: Array(bytes), name: "the picture", limits: limits)
      unsafe content = .file(file)
      (height, width) = file.uprightSize
      return
    }
    (height, width) = unsafe (Int(picture.height), Int(picture.width))
    let row = unsafe Int(picture.row_bytes)
    unsafe content = .pixels(bytes, format, bytesPerRow: row == 0 ? nil : row)
    try require(
      height > 0 && width > 0, "the picture is \(width)×\(height) pixels, expected at least 1×1")
    try limits.check(width: width, height: height, file: "the picture")
  }

  /// The pixel layout; `nil` for a file.
  private static func format(_ format: Int32) throws -> PixelFormat? {
    switch Int(format) {
    case DEPTH_PICTURE_FILE: nil
    case DEPTH_PICTURE_RGB: .rgb
    case DEPTH_PICTURE_RGBA: .rgba
    case DEPTH_PICTURE_BGRA: .bgra
    case DEPTH_PICTURE_GRAY: .gray
    default:
      throw CallFailure.invalidArgument(
        "the format of the picture is \(format), expected one of DEPTH_PICTURE_…")
    }
  }

  /// The picture and a file's embedded depth, by the rules of all commands.
  ///
  /// - Parameter need: The memory of the whole call, depending on whether depth is estimated.
  /// - Throws: `DepthError`.
  func withDepth(
    _ choice: DepthChoice, need: (_ isEstimate: Bool) throws -> MemoryNeed
  ) throws -> PhotoWithDepth {
    guard case .file(let file) = unsafe content else {
      guard choice != .embedded else {
        throw CallFailure(
          status: DEPTH_NO_DEPTH,
          description: "the picture is pixels, expected a file with depth inside")
      }
      return PhotoWithDepth(try image(for: need(true)))
    }
    return try PhotoWithDepth(file, choice, metresFor: nil, limits: limits) {
      try limits.check(need($0), for: "the picture")
    }
  }

  /// Bytes per pixel for decoding.
  var decodingBytesPerPixel: Double {
    if case .file(let file) = unsafe content { file.decodingBytesPerPixel } else { 0 }
  }

  /// Decodes the file, or copies the pixels.
  ///
  /// - Parameter need: The memory of the whole call, which is checked first.
  /// - Throws: `DepthError`.
  func image(for need: MemoryNeed) throws -> Image {
    try limits.check(need, for: "the picture")
    return switch unsafe content {
    case .file(let file): try file.decoded()
    case .pixels(let bytes, let format, let bytesPerRow):
      try unsafe Image(
        height: height, width: width, pixels: bytes, format: format, bytesPerRow: bytesPerRow,
        limits: limits)
    }
  }
}
