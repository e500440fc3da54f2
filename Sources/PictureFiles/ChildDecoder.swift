import DepthBase
import DepthErrors
import DepthImages
import SystemEssentials

#if Codecs
  import CDepthBase
#endif

/// Decodes pictures by libheif and libwebp, which are loaded when the first such picture comes, each picture in a child process: one
/// that is damaged can end or delay only that.
struct ChildDecoder {
  /// A decoded picture.
  struct Decoded {
    var height = 0, width = 0
    /// RGB for a photo, gray for a depth picture.
    var pixels: [UInt8] = []
    var exif, iccProfile: [UInt8]?
    /// XMP of a depth picture.
    var packet: [UInt8]?
    var range: HEIFDepth.Range?
  }

  enum Format: String {
    case heic = "HEIC"
    case avif = "AVIF"
    case webp = "WebP"
  }

  enum Task { case photo, depth }

  let format: Format
  /// The file's name in errors.
  let file: String

  /// Decodes a file whose photo has this many rows and columns.
  ///
  /// - Throws: `DepthError`: `unsupportedFormat` where the library is not installed, `unreadable` when no process can be started,
  ///   `damaged`, and `noDepth` where a depth picture is wanted and there is none.
  func decode(
    _ task: Task, in bytes: [UInt8], height: Int, width: Int, hasAlpha: Bool = false
  ) throws -> Decoded {
    #if Codecs
      try decodeByLibrary(task, in: bytes, height: height, width: width, hasAlpha: hasAlpha)
    #else
      throw DepthError.withoutCodecs(format: format.rawValue, file: file)
    #endif
  }

  #if Codecs
    private func decodeByLibrary(
      _ task: Task, in bytes: [UInt8], height: Int, width: Int, hasAlpha: Bool
    ) throws -> Decoded {
      try checkRoomForLibrary()
      guard format == .webp ? cdc_load_webp() : cdc_load_heif() else { throw missingLibrary }
      // Whatever a caller's limits are: numbers of the libraries have 32 bits.
      guard max(height, width) <= Int(Int32.max), height * width <= 1 << 32 else {
        throw DepthError.tooLarge(file: file, width: width, height: height, limit: 1 << 32)
      }
      let area = height * width
      // Pages that are never written take no memory. Exif block and profile are parts of the file.
      let capacity = UInt64(area * (hasAlpha ? 4 : 3) + 2 * bytes.count + (1 << 16))
      guard let memory = unsafe cds_share(capacity) else {
        throw DepthError(.unreadable, file: file, "cannot be decoded: out of memory")
      }
      defer { unsafe cds_unshare(memory, capacity) }
      let result = unsafe memory.assumingMemoryBound(to: cdc_result.self)
      unsafe result.pointee.capacity = capacity
      // Decoders need about 10 bytes for each pixel, and at most some seconds for a million.
      let seconds = UInt32(10 + area / 250_000)
      let limits = cds_limits(
        bytes: UInt64(32 * area + (1 << 29)), processor_seconds: seconds, seconds: 50 + seconds,
        is_alone: true)
      var child = cds_child()
      let hasStarted = unsafe bytes.withUnsafeBufferPointer { bytes in
        var request = unsafe cdc_request(
          task: format == .webp ? CDC_WEBP : task == .photo ? CDC_HEIF_PHOTO : CDC_HEIF_DEPTH,
          bytes: bytes.baseAddress, count: bytes.count, width: Int32(width),
          height: Int32(height), compression: format == .avif ? CDC_AV1 : CDC_HEVC,
          has_alpha: hasAlpha, result: result)
        return unsafe cdc_start(&request, limits, &child)
      }
      guard hasStarted else {
        throw DepthError(
          .unreadable, file: file,
          "cannot be decoded, no process can be started: \(systemReason())",
          cause: SystemFailure(EAGAIN))
      }
      // Nobody wakes a thread whose caller gives up.
      while !cds_wait(child, 50) {
        guard Cancellation.current?.isCancelled == true else { continue }
        cds_kill(child)
        throw CancellationError()
      }
      let outcome = unsafe withUnsafePointer(to: &result.pointee.is_done) {
        unsafe cds_end(child, $0)
      }
      guard outcome == CDS_FINISHED else {
        throw damaged(outcome == CDS_TIMED_OUT ? "decoding it does not end" : Self.undecodable)
      }
      return try unsafe decoded(
        result.pointee, task, height: height, width: width,
        in: UnsafeRawBufferPointer(start: memory, count: Int(capacity)))
    }

    /// Fails where the addresses that are left do not do for libheif: its own code would abort this process.
    private func checkRoomForLibrary() throws {
      guard format != .webp, MemoryBudget.hasAddressLimit, !Self.isHEIFLoaded.read(\.self) else {
        return
      }
      try MemoryNeed(bytes: Self.libraryBytes).require(for: file)
      Self.isHEIFLoaded.update { $0 = true }
    }

    /// Addresses that libheif takes with its plugins: 30 MB in Debian 12.
    private static let libraryBytes = 64_000_000
    private static let isHEIFLoaded = Monitor(false)

    /// The picture that a result describes, which nobody can trust.
    func decoded(
      _ result: cdc_result, _ task: Task, height: Int, width: Int,
      in memory: UnsafeRawBufferPointer
    ) throws -> Decoded {
      switch cdc_status(UInt32(bitPattern: result.status)) {
      case CDC_DECODED: break
      case CDC_NO_DEPTH: throw DepthError.noDepthPicture(file: file)
      case CDC_NO_DECODER: throw missingDecoder
      case CDC_OTHER_SIZE: throw damaged("its size is not the one that it states")
      default:
        let text = unsafe withUnsafeBytes(of: result.message) {
          unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        throw damaged(
          text.isEmpty ? Self.undecodable : text.prefix(1).lowercased() + text.dropFirst())
      }
      /// The bytes of a block, if it lies inside the memory.
      func bytes(_ block: cdc_block) -> [UInt8]? {
        guard block.offset > 0, block.offset <= memory.count,
          block.count <= memory.count - Int(block.offset)
        else { return nil }
        return unsafe Array(memory[Int(block.offset)..<Int(block.offset + block.count)])
      }
      var decoded = Decoded(height: Int(result.height), width: Int(result.width))
      // A photo has the size that was asked for, and its depth no more pixels; so the products cannot overflow.
      let hasRightSize =
        task == .photo
        ? (decoded.height, decoded.width) == (height, width)
        : decoded.height > 0 && (1...height * width).contains(decoded.width)
          && decoded.height <= height * width / decoded.width
      guard hasRightSize, let pixels = bytes(result.pixels),
        pixels.count == decoded.height * decoded.width * (task == .photo ? 3 : 1)
      else { throw damaged(Self.undecodable) }
      decoded.pixels = pixels
      (decoded.exif, decoded.iccProfile) = (bytes(result.exif), bytes(result.profile))
      decoded.packet = bytes(result.packet)
      decoded.range = HEIFDepth.Range(
        representation: result.representation, near: result.z_near, far: result.z_far)
      return decoded
    }
  #endif

  private static let undecodable = "it cannot be decoded"

  private func damaged(_ reason: String) -> DepthError {
    .damaged(file: file, format: format.rawValue, reason: reason)
  }

  var missingLibrary: DepthError {
    let (library, package) =
      format == .webp ? ("libwebp", "libwebp7") : ("libheif", "libheif1")
    return DepthError(
      .unsupportedFormat, file: file,
      "is \(format == .avif ? "an" : "a") \(format.rawValue) photo, which needs \(library); "
        + "install it, as with 'apt install \(package)'"
    )
  }

  var missingDecoder: DepthError {
    let (codec, plugin) =
      format == .avif ? ("AV1", "libheif-plugin-dav1d") : ("HEVC", "libheif-plugin-libde265")
    return DepthError(
      .unsupportedFormat, file: file,
      "needs a decoder of \(codec) for libheif; install one, as with 'apt install \(plugin)'")
  }
}

extension DepthError {
  /// A HEIC or AVIF photo has no depth picture.
  static func noDepthPicture(file: String) -> DepthError {
    DepthError(.noDepth, file: file, "carries no depth map (looked for an auxiliary depth picture)")
  }
}
