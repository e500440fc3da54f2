import CDepthLibrary
import DepthImages
import DepthLibrary
import Foundation
import Testing
import _TestSupport

/// The structures of `depth.h` as C programs fill them.
enum CCalls {
  /// An estimator that is closed with its owner.
  final class Opened {
    let pointer: OpaquePointer

    /// - Parameter structSize: The size that the options state. Programs compiled with an older
    ///   header state a smaller size.
    init(
      mirrored: Int32 = 0, threads: Int32 = 1, precision: Int = DEPTH_PRECISION_AUTO,
      structSize: Int = MemoryLayout<depth_open_options>.size
    ) throws {
      var options = depth_open_options()
      options.struct_size = UInt32(structSize)
      (options.mirrored, options.threads) = (mirrored, threads)
      options.precision = Int32(precision)
      let name = strdup(packageFolder + "/Weights/fcrn-lite2-nyu-int8.h5")
      defer { free(name) }
      var names: [UnsafePointer<CChar>?] = [UnsafePointer(name)]
      var opened: OpaquePointer?
      var failure = CCalls.failure
      let status = names.withUnsafeMutableBufferPointer {
        options.weights = UnsafePointer($0.baseAddress)
        options.weights_count = 1
        return openEstimator(&options, &opened, &failure)
      }
      pointer = try #require(opened, "\(CCalls.text(failure))")
      #expect(status == DEPTH_OK)
    }

    deinit { closeEstimator(pointer) }
  }

  static var failure: depth_failure {
    var failure = depth_failure()
    failure.struct_size = UInt32(MemoryLayout<depth_failure>.size)
    return failure
  }

  static func text(_ failure: depth_failure) -> String {
    withUnsafeBytes(of: failure.message) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  static func map() -> depth_map {
    var map = depth_map()
    map.struct_size = UInt32(MemoryLayout<depth_map>.size)
    return map
  }

  static func refinement(
    _ change: (inout depth_refine_options) -> Void = { _ in }
  ) -> depth_refine_options {
    var options = depth_refine_options()
    options.struct_size = UInt32(MemoryLayout<depth_refine_options>.size)
    options.detail = -1
    change(&options)
    return options
  }

  static func photo(height: Int = 48, width: Int = 64) -> Image {
    let pixels = (0..<height * width * 3).map { (index: Int) -> UInt8 in
      UInt8((index * 7 + index / 192 * 31) >> 2 & 255)
    }
    return Image(height: height, width: width, pixels: pixels)
  }

  /// Calls `body` with a picture in memory.
  static func withPicture<Result>(
    _ bytes: [UInt8], format: Int = DEPTH_PICTURE_FILE, height: Int = 0, width: Int = 0,
    rowBytes: Int = 0, _ body: (inout depth_picture) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBytes {
      var picture = depth_picture()
      picture.struct_size = UInt32(MemoryLayout<depth_picture>.size)
      picture.format = Int32(format)
      (picture.bytes, picture.byte_count) = ($0.baseAddress, UInt64($0.count))
      (picture.height, picture.width) = (Int32(height), Int32(width))
      picture.row_bytes = Int64(rowBytes)
      return try body(&picture)
    }
  }

  /// `depth_estimate` under another name, since Swift tests already use that name.
  static func depthEstimate(
    _ estimator: OpaquePointer?, _ photo: UnsafePointer<depth_picture>?,
    _ options: UnsafePointer<depth_refine_options>?, _ map: UnsafeMutablePointer<depth_map>?,
    _ facts: UnsafeMutablePointer<depth_estimate_facts>?,
    _ failure: UnsafeMutablePointer<depth_failure>?
  ) -> depth_status { estimate(estimator, photo, options, map, facts, failure) }

  static func depthAlign(
    _ photo: UnsafePointer<depth_picture>?, _ depth: UnsafePointer<depth_map>?,
    _ sparse: UnsafePointer<depth_map>?, _ noise: Double, _ map: UnsafeMutablePointer<depth_map>?,
    _ failure: UnsafeMutablePointer<depth_failure>?
  ) -> depth_status { align(photo, depth, sparse, noise, map, failure) }

  static func depthNormals(
    _ depth: UnsafePointer<depth_map>?, _ focalLength: Double,
    _ map: UnsafeMutablePointer<depth_map>?, _ failure: UnsafeMutablePointer<depth_failure>?
  ) -> depth_status { normals(depth, focalLength, map, failure) }
}
