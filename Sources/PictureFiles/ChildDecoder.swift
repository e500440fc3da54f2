import DepthBase
import DepthErrors
import DepthImages
import SystemEssentials

#if Codecs
  import CDepthBase
#endif

/// Decodes HEIC and AVIF by libheif and WebP by libwebp, which are loaded on first use. Each picture is decoded in a child
/// process, so damaged data can crash or stall only that process.
struct ChildDecoder {
  /// A decoded picture.
  struct Decoded {
    var height = 0, width = 0
    /// RGB for a photo, gray for a depth picture.
    var pixels: [UInt8] = []
    /// The stored samples instead of pixels, if requested.
    var stored: StoredSamples?
    var exif, iccProfile: [UInt8]?
    /// The XMP packet of a depth picture.
    var packet: [UInt8]?
    var range: HEIFDepth.Range?
  }

  enum Format: String {
    case heic = "HEIC"
    case avif = "AVIF"
    case webp = "WebP"
  }

  enum Task: Equatable {
    case photo
    /// The samples of a HEIC or AVIF photo, unconverted.
    case samples(isMonochrome: Bool)
    case depth(maximumPixels: Int)
  }

  let format: Format
  /// The file's name in errors.
  let file: String

  /// Decodes a file whose photo has the given rows and columns.
  ///
  /// - Parameter stored: Rows and columns before boxes rotate and crop the photo.
  /// - Throws: `DepthError`: code `unsupportedFormat` if the library is not installed; code `unreadable` if no process can
  ///   be started; code `noDepth` without a depth picture to decode; code `damaged` for a damaged file.
  func decode(
    _ task: Task, in bytes: [UInt8], height: Int, width: Int,
    stored: (height: Int, width: Int) = (0, 0), hasAlpha: Bool = false
  ) throws -> Decoded {
    #if Codecs
      try decodeByLibrary(
        task, in: bytes, height: height, width: width, stored: stored, hasAlpha: hasAlpha)
    #else
      throw DepthError.withoutCodecs(format: format.rawValue, file: file)
    #endif
  }

  #if Codecs
    private func decodeByLibrary(
      _ task: Task, in bytes: [UInt8], height: Int, width: Int,
      stored: (height: Int, width: Int), hasAlpha: Bool
    ) throws -> Decoded {
      try checkRoomForLibrary()
      guard format == .webp ? cdc_load_webp() : cdc_load_heif() else { throw missingLibrary }
      // The libraries' numbers have 32 bits, so larger photos are rejected whatever the limits.
      guard max(height, width) <= Int(Int32.max), height * width <= 1 << 32 else {
        throw DepthError.tooLarge(file: file, width: width, height: height, limit: 1 << 32)
      }
      let area = height * width
      // Unwritten pages occupy no memory. The Exif block and profile are at most as long as the file.
      let capacity = UInt64(
        Self.room(task, area: area, hasAlpha: hasAlpha) + 2 * bytes.count + (1 << 16))
      guard let memory = unsafe cds_share(capacity) else {
        throw DepthError(.unreadable, file: file, "cannot be decoded: out of memory")
      }
      defer { unsafe cds_unshare(memory, capacity) }
      let result = unsafe memory.assumingMemoryBound(to: cdc_result.self)
      unsafe result.pointee.capacity = capacity
      // Decoders need about 10 bytes per pixel and at most a few seconds per megapixel.
      let seconds = UInt32(10 + area / 250_000)
      let limits = cds_limits(
        bytes: UInt64(32 * area + (1 << 29)), processor_seconds: seconds, seconds: 50 + seconds,
        is_alone: true)
      var child = cds_child()
      let hasStarted = unsafe bytes.withUnsafeBufferPointer { bytes in
        var request = unsafe cdc_request(
          task: task.kind(format), bytes: bytes.baseAddress, count: bytes.count,
          width: Int32(width), height: Int32(height), stored_width: Int32(stored.width),
          stored_height: Int32(stored.height),
          compression: format == .avif ? CDC_AV1 : CDC_HEVC, samples: task.samples,
          depth_pixels: task.maximumPixels, has_alpha: hasAlpha, result: result)
        return unsafe cdc_start(&request, limits, &child)
      }
      guard hasStarted else {
        throw DepthError(
          .unreadable, file: file,
          "cannot be decoded, no process can be started: \(systemReason())",
          cause: SystemFailure(EAGAIN))
      }
      // Cancellation sends no signal to this thread, so the thread polls.
      while !cds_wait(child, 50) {
        guard Cancellation.current?.isCancelled == true else { continue }
        cds_kill(child)
        throw CancellationError()
      }
      let outcome = unsafe withUnsafePointer(to: &result.pointee.is_done) {
        unsafe cds_end(child, $0)
      }
      guard outcome == CDS_FINISHED else {
        throw damaged(outcome == CDS_TIMED_OUT ? "its decoding timed out" : Self.undecodable)
      }
      return try unsafe decoded(
        result.pointee, task, height: height, width: width,
        isWhole: { format == .webp || ISOBoxes(bytes).areWhole },
        in: UnsafeRawBufferPointer(start: memory, count: Int(capacity)))
    }

    /// Throws if the free address space is too small for libheif, which would otherwise abort this process.
    private func checkRoomForLibrary() throws {
      guard format != .webp, MemoryBudget.hasAddressLimit, !Self.isHEIFLoaded.read(\.self) else {
        return
      }
      try MemoryNeed(bytes: Self.libraryBytes).require(for: file)
      Self.isHEIFLoaded.update { $0 = true }
    }

    /// Address space of libheif and its plugins: 30 MB in Debian 12.
    private static let libraryBytes = 64_000_000
    private static let isHEIFLoaded = Monitor(false)

    /// Bytes of the samples that the child returns.
    private static func room(_ task: Task, area: Int, hasAlpha: Bool) -> Int {
      switch task {
      case .photo: area * (hasAlpha ? 4 : 3)
      case .samples: area * 8
      case .depth(let maximumPixels): maximumPixels
      }
    }

    /// The picture of an untrusted result.
    func decoded(
      _ result: cdc_result, _ task: Task, height: Int, width: Int, isWhole: () -> Bool = { false },
      in memory: UnsafeRawBufferPointer
    ) throws -> Decoded {
      switch cdc_status(UInt32(bitPattern: result.status)) {
      case CDC_DECODED: break
      case CDC_NO_DEPTH: throw DepthError.noDepthPicture(file: file)
      case CDC_NO_DECODER: throw missingDecoder
      case CDC_OTHER_SIZE: throw damaged("its size differs from the one in its header")
      default:
        let text = unsafe withUnsafeBytes(of: result.message) {
          unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        throw refused(
          Self.words(text), isUnread: result.is_open == 0 && isWhole(), error: result.error)
      }
      /// The bytes of a block; `nil` if the block extends beyond the memory.
      func bytes(_ block: cdc_block) -> [UInt8]? {
        guard block.offset > 0, block.offset <= memory.count,
          block.count <= memory.count - Int(block.offset)
        else { return nil }
        return unsafe Array(memory[Int(block.offset)..<Int(block.offset + block.count)])
      }
      var decoded = Decoded(height: Int(result.height), width: Int(result.width))
      let area = decoded.height * decoded.width
      // Sizes are untrusted. A photo must have the requested size; a depth picture must not exceed the limit.
      let hasRightSize =
        switch task {
        case .photo, .samples: (decoded.height, decoded.width) == (height, width)
        case .depth(let maximumPixels): area <= maximumPixels
        }
      guard decoded.height > 0, decoded.width > 0, hasRightSize,
        let pixels = bytes(result.pixels)
      else { throw damaged(Self.undecodable) }
      if case .samples = task {
        decoded.stored = StoredSamples(
          pixels, opacity: bytes(result.opacity), count: area,
          channels: Int(result.channels), bits: Int(result.bits),
          isPremultiplied: result.is_premultiplied != 0, isLimited: result.is_limited != 0)
        guard decoded.stored != nil else { throw damaged(Self.undecodable) }
      } else {
        guard pixels.count == area * (task == .photo ? 3 : 1) else {
          throw damaged(Self.undecodable)
        }
        decoded.pixels = pixels
      }
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

  /// A library's message in lower case, without the line end.
  static func words(_ text: String) -> String {
    var text = Substring(text)
    while let last = text.last, last.isWhitespace || text.hasSuffix("\\n") {
      text = text.dropLast(last.isWhitespace ? 1 : 2)
    }
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  #if Codecs
    /// The error for a file that the library does not decode: damaged, or newer than the library.
    ///
    /// - Parameters:
    ///   - isUnread: Whether the library cannot read the boxes of a complete file.
    ///   - error: The number of `heif_error_code`.
    private func refused(_ words: String, isUnread: Bool, error: Int32) -> DepthError {
      let isUnsupported = error == 3 || error == 4  // of a file type, or a feature
      guard format != .webp, isUnread || isUnsupported else {
        return damaged(words.isEmpty ? Self.undecodable : words)
      }
      let version = unsafe String(cString: cdc_heif_version())
      return DepthError(
        .unsupportedFormat, file: file,
        "libheif \(version) cannot read it (\(words)); a newer one may")
    }
  #endif

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

#if Codecs
  extension ChildDecoder.Task {
    fileprivate func kind(_ format: ChildDecoder.Format) -> cdc_task {
      if case .depth = self { return CDC_HEIF_DEPTH }
      return format == .webp ? CDC_WEBP : CDC_HEIF_PHOTO
    }

    fileprivate var samples: cdc_samples {
      guard case .samples(let isMonochrome) = self else { return CDC_RGB }
      return isMonochrome ? CDC_LUMA : CDC_ALL_BITS
    }

    fileprivate var maximumPixels: Int64 {
      if case .depth(let maximumPixels) = self { Int64(maximumPixels) } else { 0 }
    }
  }
#endif

extension DepthError {
  /// The error for a HEIC or AVIF photo without a depth picture.
  static func noDepthPicture(file: String) -> DepthError {
    DepthError(.noDepth, file: file, "has no depth map (looked for an auxiliary depth picture)")
  }
}
