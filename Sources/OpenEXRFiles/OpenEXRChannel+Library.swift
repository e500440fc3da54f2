#if EXR
  import CDepthEXR
  import CDepthSandbox
  import DepthErrors
  import SystemEssentials
  import ThreadTeams

  extension OpenEXRChannel {
    /// Memory of the child process besides what its chunks need; bytes that it decodes in a second at the
    /// least; seconds of processor time that it may take at the most.
    private static let (memory, speed, longest) = (256 << 20, 20_000_000, 3600)

    static func read(_ bytes: [UInt8], _ request: Request, name: String) throws -> [Float] {
      let count = request.height * request.width
      guard let arena = OpenEXRArena(count: count) else {
        throw DepthError.unreadable(file: name, reason: "out of memory for its values")
      }
      let outcome = unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe request.channel.withCString { channel in
          var wanted = unsafe cexr_request(
            bytes: bytes.baseAddress, count: UInt64(bytes.count), part: Int32(request.part),
            channel: channel, width: Int32(request.width), height: Int32(request.height))
          return unsafe cexr_read_apart(
            &wanted, arena.start, UInt64(memory + 4 * request.chunkBytes),
            UInt32(min(10 + request.partBytes / speed, longest)))
        }
      }
      func damaged(_ reason: String) -> DepthError {
        .damaged(file: name, format: "OpenEXR file", reason: reason)
      }
      switch outcome {
      case CDS_FINISHED: break
      case CDS_NO_PROCESS:
        throw DepthError.unreadable(
          file: name, reason: "cannot be read, no process can be started: \(systemReason())")
      case CDS_TIMED_OUT: throw damaged("reading its pixels does not end")
      default: throw damaged("its pixels cannot be read")
      }
      let result = arena.result
      guard result != EXR_ERR_FEATURE_NOT_IMPLEMENTED.rawValue else {
        throw DepthError.unsupportedFormat(
          file: name, expected: "another compression, such as ZIP",
          found: "pixels that the installed OpenEXRCore cannot read")
      }
      guard result == 0 else { throw damaged(message(result)) }
      return arena.values()
    }

    static func write(
      _ values: [Float], height: Int, width: Int, channel: String,
      texts: [(name: String, text: String)]
    ) throws -> [UInt8] {
      precondition(values.count == height * width, "\(values.count) values of \(height)×\(width)")
      var file = unsafe cexr_file()
      defer { unsafe free(file.bytes) }
      let result = unsafe values.withUnsafeBufferPointer { values in
        unsafe channel.withCString { channel in
          var picture = unsafe cexr_picture(
            channel: channel, width: Int32(width), height: Int32(height),
            values: values.baseAddress, compression: EXR_COMPRESSION_ZIP, level: 4)
          var context: exr_context_t?
          var result = unsafe cexr_start(&picture, &file, &context)
          guard unsafe context != nil else { return result }
          for (name, text) in texts where result == 0 {
            result = unsafe exr_attr_set_string(context, 0, name, text)
          }
          guard result == 0 else {
            unsafe cexr_abandon(&context)
            return result
          }
          return unsafe cexr_finish(&picture, &context)
        }
      }
      guard result == 0 else {
        throw DepthError(.unwritable, "OpenEXR cannot write the map: \(message(result))")
      }
      return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.count)))
    }

    /// The library's words for a result.
    private static func message(_ result: exr_result_t) -> String {
      guard let words = unsafe exr_get_default_error_message(result) else { return "failed" }
      let text = unsafe String(cString: words)
      return text.prefix(1).lowercased() + text.dropFirst()
    }
  }

  /// The memory in which a child process leaves the values. A child that hostile bytes have corrupted may
  /// have written it, so nothing in it is a size or an offset.
  @safe
  struct OpenEXRArena: ~Copyable {
    let start: UnsafeMutablePointer<cexr_arena>
    private let count: Int

    /// Returns `nil` when the system has no address space left.
    init?(count: Int) {
      guard let start = unsafe cexr_make_arena(UInt64(count)) else { return nil }
      unsafe (self.start, self.count) = (start, count)
    }

    deinit { unsafe cexr_free_arena(start, UInt64(count)) }

    var result: exr_result_t { unsafe start.pointee.result }

    func values() -> [Float] {
      unsafe filledThroughPointer(count: count) { target in
        unsafe target.initialize(from: cexr_values(start), count: count)
      }
    }
  }
#endif
