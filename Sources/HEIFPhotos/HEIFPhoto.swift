// Built with the package's trait HEIF only: libheif is one library more to install.
#if HEIF
  import DepthBase
  import CDepthHEIF
  import DepthErrors
  import PictureFiles
  import DepthPhotos
  public import DepthImages
  public import SystemEssentials

  /// A HEIC photo and the depth that a portrait camera stored beside it.
  public struct HEIFPhoto: Sendable {
    /// The upright photo, with its Exif block and color profile.
    public let image: Image
    /// The upright depth map, often smaller than the photo; `nil` if the file has none.
    public let depth: DepthMap?

    /// - Parameter limits: Applied to each picture's header before it is decoded.
    /// - Throws: `DepthError`.
    public init(contentsOf url: URL, limits: ImageLimits = ImageLimits()) throws {
      try self.init(decoding: InputFile.bytes(of: url), name: url.relativePath, limits: limits)
    }

    /// Decodes a photo held in memory; errors call it `name`.
    ///
    /// - Parameter limits: Applied to each picture's header before it is decoded.
    /// - Throws: `DepthError` with code `damaged`, `tooLarge` or `unreadable`.
    public init(
      decoding bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits()
    ) throws {
      let file = try HEIFFile(bytes, name: name, limits: limits)
      let photo = try file.primary()
      image = try photo.image()
      depth = try photo.depth()?.map()
    }
  }

  /// An open file. libheif reads from the bytes until the context is freed.
  @safe
  final class HEIFFile {
    let name: String
    let limits: ImageLimits
    let context: OpaquePointer
    private let bytes: UnsafeMutableRawBufferPointer

    /// - Throws: `DepthError` when libheif cannot be initialized or does not take the file.
    init(_ content: [UInt8], name: String, limits: ImageLimits) throws {
      (self.name, self.limits) = (name, limits)
      unsafe bytes = .allocate(byteCount: max(1, content.count), alignment: 1)
      unsafe bytes.copyBytes(from: content)
      guard let context = unsafe heif_context_alloc() else {
        unsafe bytes.deallocate()
        throw DepthError.unreadable(file: name, reason: "libheif cannot be initialized")
      }
      unsafe self.context = context
      try unsafe check(
        heif_context_read_from_memory_without_copy(context, bytes.baseAddress, content.count, nil))
    }

    deinit {
      unsafe heif_context_free(context)
      unsafe bytes.deallocate()
    }

    /// Turns an error of libheif into one of the package.
    ///
    /// - Throws: `DepthError` with code `damaged` unless `error` means success.
    func check(_ error: heif_error) throws {
      guard unsafe error.code != heif_error_Ok else { return }
      let message = unsafe String(cString: error.message)
      throw DepthError.damaged(
        file: name, format: "HEIC", reason: message.prefix(1).lowercased() + message.dropFirst())
    }

    /// The photo itself.
    ///
    /// - Throws: `DepthError` with code `damaged`.
    func primary() throws -> HEIFImage {
      var handle: OpaquePointer?
      try unsafe check(heif_context_get_primary_image_handle(context, &handle))
      return try unsafe HEIFImage(handle, in: self)
    }
  }

  /// A picture inside a file, photo or depth.
  @safe
  final class HEIFImage {
    let file: HEIFFile
    let handle: OpaquePointer
    /// The photo's description of its depth picture.
    private var representation: DepthRepresentation?

    /// Takes over the handle of a picture.
    ///
    /// - Throws: `DepthError` when there is no picture, or its size is zero or too large.
    init(_ handle: OpaquePointer?, in file: HEIFFile) throws {
      guard let handle = unsafe handle else {
        throw DepthError.damaged(file: file.name, format: "HEIC", reason: "holds no picture")
      }
      // All properties are set: if this throws, `deinit` releases the handle.
      unsafe (self.handle, self.file) = (handle, file)
      let width = unsafe Int(heif_image_handle_get_width(handle))
      let height = unsafe Int(heif_image_handle_get_height(handle))
      guard width > 0 && height > 0 else {
        throw DepthError.noPixels(file: file.name, width: width, height: height)
      }
      guard width * height <= file.limits.maximumPixels else {
        throw DepthError.tooLarge(
          file: file.name, width: width, height: height, limit: file.limits.maximumPixels)
      }
    }

    deinit { unsafe heif_image_handle_release(handle) }

    /// The decoded pixels, rows without padding, and their sides.
    private func rgb() throws -> (bytes: [UInt8], height: Int, width: Int) {
      var decoded: OpaquePointer?
      try unsafe file.check(
        heif_decode_image(handle, &decoded, heif_colorspace_RGB, heif_chroma_interleaved_RGB, nil))
      let plane = heif_channel_interleaved
      guard let decoded = unsafe decoded, unsafe heif_image_has_channel(decoded, plane) != 0 else {
        throw DepthError.damaged(
          file: file.name, format: "HEIC", reason: "decodes to an empty picture")
      }
      defer { unsafe heif_image_release(decoded) }
      let width = unsafe Int(heif_image_get_width(decoded, plane))
      let height = unsafe Int(heif_image_get_height(decoded, plane))
      var stride: Int32 = 0
      guard let rows = unsafe heif_image_get_plane_readonly(decoded, plane, &stride), width > 0,
        height > 0
      else {
        throw DepthError.noPixels(file: file.name, width: width, height: height)
      }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(height * width * 3)
      for y in 0..<height {
        unsafe bytes += UnsafeBufferPointer(start: rows + y * Int(stride), count: width * 3)
      }
      return (bytes, height, width)
    }

    /// The picture as an upright photo with its metadata.
    ///
    /// - Throws: `DepthError` with code `damaged`.
    func image() throws -> Image {
      let (pixels, height, width) = try rgb()
      var metadata = ImageMetadata()
      // Four bytes before the block say where it begins; all cameras say 0, with or without "Exif".
      if let block = try blocks("Exif").first, block.count > 10 {
        let tiff = block.dropFirst(block.dropFirst(4).starts(with: "Exif".utf8) ? 10 : 4)
        metadata = ImageMetadata(decodingExif: Array(tiff), width: width, height: height)
      }
      let size = unsafe heif_image_handle_get_raw_color_profile_size(handle)
      if size > 0 {
        var profile = [UInt8](repeating: 0, count: size)
        try unsafe file.check(heif_image_handle_get_raw_color_profile(handle, &profile))
        metadata.iccProfile = profile
      }
      return Image(height: height, width: width, pixels: pixels, metadata: metadata)
    }

    /// Metadata of one type that belong to this picture.
    private func blocks(_ type: String) throws -> [[UInt8]] {
      let count = unsafe heif_image_handle_get_number_of_metadata_blocks(handle, type)
      guard count > 0 else { return [] }
      var ids = [heif_item_id](repeating: 0, count: Int(count))
      let found = unsafe heif_image_handle_get_list_of_metadata_block_IDs(handle, type, &ids, count)
      return try ids.prefix(Int(found)).map { id in
        var block = unsafe [UInt8](
          repeating: 0, count: heif_image_handle_get_metadata_size(handle, id))
        try unsafe file.check(heif_image_handle_get_metadata(handle, id, &block))
        return block
      }
    }

    /// The depth picture of this photo.
    ///
    /// - Throws: `DepthError` with code `damaged`.
    func depth() throws -> HEIFImage? {
      var id: heif_item_id = 0
      guard unsafe heif_image_handle_get_list_of_depth_image_IDs(handle, &id, 1) == 1 else {
        return nil
      }
      var depth: OpaquePointer?
      try unsafe file.check(heif_image_handle_get_depth_image_handle(handle, id, &depth))
      let image = try unsafe HEIFImage(depth, in: file)
      var info: UnsafePointer<heif_depth_representation_info>?
      if unsafe heif_image_handle_get_depth_image_representation_info(handle, id, &info) != 0,
        let info = unsafe info
      {
        image.representation = unsafe DepthRepresentation(info.pointee)
        unsafe heif_depth_representation_info_free(info)
      }
      return image
    }

    /// This depth picture as a map, by the packet that phones attach to it, else by what the
    /// standard foresees; without either only the order of depths is known, nearest brightest.
    ///
    /// - Throws: `DepthError` with code `damaged`.
    func map() throws -> DepthMap {
      // Gray is stored with and without color planes; all conversions lead to RGB.
      let (pixels, height, width) = try rgb()
      let numbers = stride(from: 0, to: pixels.count, by: 3).map { pixels[$0] }
      let packet = try blocks("mime").compactMap { PixelDataInfo(packet: $0) }.first
      let representation = packet.map { DepthRepresentation($0) } ?? representation
      return (representation ?? .ordered).map(numbers, height: height, width: width)
    }
  }
#endif
