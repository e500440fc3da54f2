import CDepthLibrary
import DepthLibrary

/// Calls of `depth.h` with structures of these bytes. Pointers and counts are right, as a caller must see to;
/// every other field says anything.
extension FuzzTarget {
  func callLibrary(_ bytes: [UInt8]) throws {
    var input = CallerBytes(bytes)
    let call = input.byte()
    var memory = CallerMemory()
    defer { memory.free() }
    let failure = memory.structure(depth_failure.self, &input)
    let status: depth_status
    switch call & 3 {
    case 0, 1:
      let photo = unsafe memory.picture(&input)
      let depth = unsafe memory.map(&input)
      if call & 3 == 0 {
        let options = unsafe memory.structure(depth_refine_options.self, &input)
        unsafe options.limitThreads(at: \.threads)
        // No pointer into nothing.
        unsafe options.set(\.calibration, nil)
        let result = unsafe memory.map(&input)
        status = unsafe refine(photo.start, depth.start, options.start, result.start, failure.start)
      } else {
        let options = unsafe memory.structure(depth_stereo_options.self, &input)
        unsafe options.limitThreads(at: \.threads)
        // No pointer into nothing, and no network.
        unsafe options.set(\.estimator, nil)
        unsafe options.set(\.depth_source, Int32(DEPTH_SOURCE_EMBEDDED))
        let views = unsafe memory.views(&input)
        status = unsafe stereo(photo.start, depth.start, options.start, views.start, failure.start)
      }
    default:
      let options = unsafe memory.openOptions(&input)
      var estimator: OpaquePointer?
      status = unsafe openEstimator(options.start, &estimator, failure.start)
      unsafe closeEstimator(estimator)
    }
    try require((0...12).contains(status), "a status that the header does not know")
    if failure.count > 8 {
      try require(failure.hasText, "a message that does not end")
    }
    guard status == DEPTH_OK else { throw Refused() }
  }
}

/// A fuzzer's bytes, one after the other, then zeros.
struct CallerBytes {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// 0…65535.
  mutating func number() -> Int { Int(byte()) << 8 | Int(byte()) }

  mutating func bytes(_ count: Int) -> [UInt8] {
    let taken = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return taken + [UInt8](repeating: 0, count: count - taken.count)
  }
}
