import DepthBase
import DepthErrors

#if Codecs
  import CDepthDeflate
  import CDepthZlib
#endif

/// Deflate streams, compressed by zlib in independent pieces; `Inflate` reads them.
///
/// All pieces but the last end at a whole byte (`Z_SYNC_FLUSH`), so pieces from different threads can be joined
/// to one stream.
///
/// > Source: RFC 1951; M. Adler's pigz for the method.
package enum Deflate {
  /// The maximum distance of a match.
  static let window = 32_768

  /// The range of the search for repetitions.
  enum Method {
    /// Only repetitions of the previous byte. This search is fast, and finds nearly all repetitions in a noisy
    /// photo.
    case runs
    /// Repetitions in the preceding window, for filtered data of small numbers.
    case matches(Search)
    /// zlib's defaults.
    case plain
  }

  /// The effort of the search for repetitions, as zlib's level and optional `deflateTune` numbers.
  struct Search: Sendable {
    /// 1…9.
    let level: Int32
    /// A match of `goodLength` shortens the search for a better match. A match longer than `maxLazy` ends the
    /// search, and a match of `niceLength` is accepted at once. `maxChain` candidates are tried.
    let tuning: (goodLength: Int32, maxLazy: Int32, niceLength: Int32, maxChain: Int32)?

    static func level(_ level: Int32) -> Search { Search(level: level, tuning: nil) }

    /// Level 5 with half the candidates. On refined depth maps of 12 megapixels, this search takes 0.3 of level 6's time for
    /// 1.04 of the size. Level 4 takes 0.24 of the time for 1.07 of the size.
    static let brief = Search(level: 5, tuning: (8, 16, 32, 16))
  }

  /// - Parameters:
  ///   - bytes: Bytes to compress, at most 2³² - 1.
  ///   - before: The preceding bytes of the stream, in which matches may begin.
  /// - Throws: `DepthError` with code `unsupportedFormat` when memory is exhausted.
  static func piece(
    _ bytes: [UInt8], after before: [UInt8] = [], by method: Method, isLast: Bool
  ) throws -> [UInt8] {
    #if Codecs
      var stream = unsafe z_stream()
      // zlib stores the address of its stream, so the address must not change.
      return try unsafe withUnsafeMutablePointer(to: &stream) { stream in
        let (search, strategy) =
          switch method {
          case .runs: (Search.level(1), Z_RLE)
          case .matches(let search): (search, Z_FILTERED)
          case .plain: (Search.level(6), Z_DEFAULT_STRATEGY)
          }
        guard unsafe czlib_deflate_init_raw(stream, search.level, strategy) == Z_OK else {
          throw failure
        }
        defer { unsafe deflateEnd(stream) }
        if let tuning = search.tuning {
          unsafe deflateTune(
            stream, tuning.goodLength, tuning.maxLazy, tuning.niceLength, tuning.maxChain)
        }
        unsafe before.suffix(window).withUnsafeBufferPointer { before in
          _ = unsafe deflateSetDictionary(stream, before.baseAddress, uInt(before.count))
        }
        // A flush adds an empty block of five bytes, after up to seven bits.
        let capacity = unsafe Int(deflateBound(stream, uLong(bytes.count))) + 16
        return try unsafe bytes.withUnsafeBufferPointer { input in
          try unsafe [UInt8](unsafeUninitializedCapacity: capacity) { output, initialized in
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe stream.pointee.avail_in = uInt(input.count)
            unsafe stream.pointee.next_out = output.baseAddress
            unsafe stream.pointee.avail_out = uInt(capacity)
            let status = unsafe deflate(stream, isLast ? Z_FINISH : Z_SYNC_FLUSH)
            guard status == (isLast ? Z_STREAM_END : Z_OK), unsafe stream.pointee.avail_out > 0
            else {
              throw failure
            }
            initialized = unsafe capacity - Int(stream.pointee.avail_out)
          }
        }
      }
    #else
      throw DepthError.withoutCodecs(format: "PNG", file: nil)
    #endif
  }

  /// The checksum of a whole stream, from the checksums of its pieces in order.
  static func adler32(joining pieces: some Sequence<(sum: UInt32, count: Int)>) -> UInt32 {
    #if Codecs
      UInt32(
        pieces.reduce(uLong(1)) { sum, piece in
          adler32_combine(sum, uLong(piece.sum), piece.count)
        })
    #else
      preconditionFailure("a stream is joined without the trait Codecs")
    #endif
  }

  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    #if Codecs
      // libdeflate computes the checksum by vector instructions.
      unsafe libdeflate_adler32(1, bytes, bytes.count)
    #else
      preconditionFailure("a stream is summed up without the trait Codecs")
    #endif
  }

  /// A whole zlib stream.
  ///
  /// - Throws: `DepthError` when zlib runs out of memory.
  static func compressed(_ bytes: [UInt8], by method: Method = .plain) throws -> [UInt8] {
    // Deflate, a window of 32 KiB, default effort.
    var stream: [UInt8] = [0x78, 0x9C]
    stream += try piece(bytes, by: method, isLast: true)
    stream.append(bigEndian: adler32(bytes))
    return stream
  }

  /// The content of a zlib stream; `nil` if the stream is damaged or the content is longer than `limit` bytes.
  static func decompressed(_ bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
    var capacity = min(16 * bytes.count + 64, limit)
    while true {
      if let result = Inflate.content(of: bytes, capacity: capacity) { return result }
      guard capacity < limit else { return nil }
      capacity = min(4 * capacity, limit)
    }
  }

  /// The content of a zlib stream; `nil` if the stream is damaged or the content has not exactly `count` bytes.
  static func decompressed(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    Inflate.content(of: bytes, capacity: count).flatMap { $0.count == count ? $0 : nil }
  }

  private static var failure: DepthError {
    .unencodable(format: "PNG", reason: "zlib has no memory for it")
  }
}
