public import CDepthLibrary
import DepthBase
import DepthImages
import ViewSynthesis

/// `depth_stereo`.
@_cdecl("depth_stereo")
public func stereo(
  _ photo: UnsafePointer<depth_picture>?, _ depth: UnsafePointer<depth_map>?,
  _ options: UnsafePointer<depth_stereo_options>?, _ views: UnsafeMutablePointer<depth_views>?,
  _ failure: UnsafeMutablePointer<depth_failure>?
) -> depth_status {
  unsafe call(failure) {
    var stereo = try unsafe stereoOptions(options)
    let photo = try unsafe CallerPicture(photo)
    let target = try unsafe required(views, "the views")
    var views = try unsafe read(target, defaults: depth_views(), "depth_views")
    unsafe (views.height, views.width) = (Int32(photo.height), Int32(photo.width))
    if let left = unsafe views.left, let right = unsafe views.right {
      let row = try unsafe rowBytes(views, photo)
      let depth = try unsafe CallerMap.map(depth, limits: photo.limits)
      let image = try photo.image(
        for: MemoryNeed(
          .stereo, pixels: photo.height * photo.width,
          decodingBytesPerPixel: photo.decodingBytesPerPixel))
      let pair = try ThreadShare.run(of: ThreadCount.checked(stereo.threads)) { threads in
        stereo.threads = threads
        return try image.stereoPair(
          depth: depth, options: stereo, limits: photo.limits, call: CallContext(threads: threads))
      }
      unsafe copy(pair.left, to: left, row: row)
      unsafe copy(pair.right, to: right, row: row)
    } else if unsafe views.left != nil || views.right != nil {
      throw CallFailure.invalidArgument(
        "one of left and right is NULL, expected both or neither")
    }
    unsafe write(views, to: target)
  }
}

private func stereoOptions(
  _ options: UnsafePointer<depth_stereo_options>?
) throws -> StereoOptions {
  var defaults = depth_stereo_options()
  (defaults.maximum_shift, defaults.convergence, defaults.balance) = (0.01, 0.5, 0.5)
  let options = try unsafe read(options, defaults: defaults, "depth_stereo_options")
  var stereo = StereoOptions()
  stereo.amount = .shift(options.maximum_shift)
  stereo.convergence = options.convergence < 0 ? nil : options.convergence
  stereo.balance = options.balance
  stereo.threads = threads(options.threads)
  return stereo
}

/// The distance of rows, where both views have room for all of them.
private func rowBytes(_ views: depth_views, _ photo: CallerPicture) throws -> Int {
  let least = 3 * photo.width
  let row = unsafe views.row_bytes == 0 ? least : Int(views.row_bytes)
  // Not a range: a header may promise rows that are longer than any distance.
  guard row >= least, row <= 1 << 32 else {
    throw CallFailure.invalidArgument(
      "the rows of the views are \(row) bytes apart, expected \(least) to \(1 << 32)")
  }
  let needed = UInt64((photo.height - 1) * row + least)
  let count = unsafe views.byte_count
  guard count >= needed else {
    throw CallFailure.invalidArgument(
      "each view has \(count) bytes, expected at least \(needed) for "
        + "\(photo.width)×\(photo.height)")
  }
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
