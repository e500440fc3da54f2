import CKernels

/// What a zlib stream holds, when it is whole and holds exactly `count` bytes.
///
/// Takes half of zlib's time for depth maps. It says nothing about what is wrong with a stream: who
/// wants to know asks zlib.
///
/// - Returns: `count` bytes, whose Adler-32 is the stream's; `nil` when the stream is damaged, ends early
///   or holds another number of bytes.
///
/// > Source: RFC 1950 and RFC 1951.
package func inflated(
  _ stream: some Collection<UInt8>, count: Int, isa: InstructionSet = .current
) -> [UInt8]? {
  var isWhole = false
  let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
    let whole: Bool? = stream.withContiguousStorageIfAvailable { stream in
      guard let input = stream.baseAddress, let start = output.baseAddress else { return false }
      var sum: UInt32 = 0
      return ck_inflate(input, stream.count, start, count, &sum)
        && sum == isa.kernels.pointee.adler32(count, start)
    }
    isWhole = whole ?? false
    initialized = isWhole ? count : 0
  }
  return isWhole ? bytes : nil
}
