public import CDepthLibrary
import DepthBase
import DepthImages
import DepthPhotos
import MonocularDepth
import ViewSynthesis

/// `depth_stereo`.
@_cdecl("depth_stereo")
public func stereo(
  _ photo: UnsafePointer<depth_picture>?, _ depth: UnsafePointer<depth_map>?,
  _ options: UnsafePointer<depth_stereo_options>?, _ views: UnsafeMutablePointer<depth_views>?,
  _ failure: UnsafeMutablePointer<depth_failure>?
) -> depth_status {
  unsafe call(failure) {
    let options = try unsafe stereoOptions(options)
    let photo = try unsafe CallerPicture(photo)
    let target = try unsafe required(views, "the views")
    var views = try unsafe read(target, defaults: depth_views(), "depth_views")
    unsafe (views.height, views.width) = try sides(photo.height, photo.width)
    if let left = unsafe views.left, let right = unsafe views.right {
      let row = try unsafe rowBytes(views, photo)
      let (image, depth, source) = try unsafe pictureAndDepth(photo, depth, options)
      unsafe views.depth_source = source
      let threads = try unsafe ThreadCount.checked(DepthLibrary.threads(options.threads))
      let pair = try ThreadShare.run(of: threads) {
        try image.stereoPair(
          depth: depth, options: unsafe StereoOptions(options), limits: photo.limits,
          call: CallContext(threads: $0))
      }
      unsafe copy(pair.left, to: left, row: row)
      unsafe copy(pair.right, to: right, row: row)
    } else {
      try require(
        unsafe views.left == nil && views.right == nil,
        "one of left and right is NULL, expected both or neither")
    }
    unsafe write(views, to: target)
  }
}

private func stereoOptions(
  _ options: UnsafePointer<depth_stereo_options>?
) throws -> depth_stereo_options {
  var defaults = unsafe depth_stereo_options()
  unsafe (defaults.maximum_shift, defaults.convergence, defaults.balance) = (0.01, 0.5, 0.5)
  let options = try unsafe read(options, defaults: defaults, "depth_stereo_options")
  try unsafe checkReserved(options.reserved)
  return unsafe options
}

extension StereoOptions {
  fileprivate init(_ options: depth_stereo_options) {
    self.init()
    amount = unsafe .shift(options.maximum_shift)
    convergence = unsafe options.convergence < 0 ? nil : options.convergence
    balance = unsafe options.balance
  }
}

/// The picture, the map for its views, and the map's `DEPTH_SOURCE_…`.
private func pictureAndDepth(
  _ photo: CallerPicture, _ depth: UnsafePointer<depth_map>?, _ options: depth_stereo_options
) throws -> (Image, DepthMap, Int32) {
  let given = MemoryNeed(
    .stereo, pixels: photo.height * photo.width,
    decodingBytesPerPixel: photo.decodingBytesPerPixel)
  if let depth = unsafe depth {
    let map = try unsafe CallerMap.map(depth, limits: photo.limits)
    return (try photo.image(for: given), map, Int32(DEPTH_SOURCE_GIVEN))
  }
  var network: DepthEstimator?
  var estimation = DepthOptions(limits: photo.limits)
  // Shifts as shares of the width need no metres.
  estimation.relativeDepth = .relative
  let choice = try unsafe DepthChoice(caller: options.depth_source)
  let picture = try photo.withDepth(choice) { isEstimate in
    guard isEstimate else { return given }
    let estimator = try unsafe EstimatorHandle.estimatorOrDefault(options.estimator)
    network = estimator
    // The network's memory was reserved when the weights were loaded.
    var need = try estimator.memoryNeed(
      .stereo, height: photo.height, width: photo.width, options: estimation,
      decodingBytesPerPixel: photo.decodingBytesPerPixel)
    need.bytes -= estimator.networkBytes
    return need
  }
  if let own = picture.depth { return (picture.image, own, Int32(DEPTH_SOURCE_EMBEDDED)) }
  guard let network else { preconditionFailure("neither depth nor an estimator") }
  estimation.fitForViews(of: picture.image)
  let made = try ThreadShare.run(of: network.threads) {
    try network.estimate(
      of: picture.image, options: estimation, named: "the picture",
      call: CallContext(threads: $0))
  }
  return (picture.image, made.depth, Int32(DEPTH_SOURCE_NETWORK))
}

extension DepthChoice {
  /// - Throws: ``CallFailure`` for another number.
  fileprivate init(caller number: Int32) throws {
    switch Int(number) {
    case DEPTH_SOURCE_AUTO: self = .auto
    case DEPTH_SOURCE_NETWORK: self = .network
    case DEPTH_SOURCE_EMBEDDED: self = .embedded
    default:
      throw CallFailure.invalidArgument(
        "depth_source is \(number), expected DEPTH_SOURCE_AUTO, DEPTH_SOURCE_NETWORK or DEPTH_SOURCE_EMBEDDED"
      )
    }
  }
}

/// The distance between rows, after checking that both views have enough memory.
private func rowBytes(_ views: depth_views, _ photo: CallerPicture) throws -> Int {
  let least = 3 * photo.width
  let row = unsafe views.row_bytes == 0 ? least : Int(views.row_bytes)
  // A range would trap if `least` exceeded the upper bound. Headers of files may state such a width.
  try require(
    row >= least && row <= 1 << 32,
    "the rows of the views are \(row) bytes apart, expected \(least) to \(1 << 32)")
  let needed = UInt64((photo.height - 1) * row + least)
  let count = unsafe views.byte_count
  try require(
    count >= needed,
    "each view has \(count) bytes, expected at least \(needed) for \(photo.width)×\(photo.height)")
  return row
}

private func copy(_ view: Image, to bytes: UnsafeMutablePointer<UInt8>, row: Int) {
  unsafe view.pixels.withUnsafeBufferPointer { pixels in
    for y in 0..<view.height {
      unsafe (bytes + y * row).update(
        from: pixels.baseAddress! + y * view.width * 3, count: view.width * 3)
    }
  }
}
