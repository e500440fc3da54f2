import CDepthLibrary
import DepthImages
import DepthLibrary
import DepthPhotos
import DepthRefinement
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import ViewSynthesis
import _TestSupport

/// Calls of `depth.h`, as C programs make them.
@Suite struct LibraryCallTests {
  /// Requests the map's size with one call, and the map with a second call.
  private static func estimate(
    _ opened: CCalls.Opened, _ picture: inout depth_picture, _ options: depth_refine_options,
    facts: inout depth_estimate_facts
  ) throws -> DepthMap {
    var (options, failure, map) = (options, CCalls.failure, CCalls.map())
    try #require(
      depth_status(DEPTH_OK)
        == CCalls.depthEstimate(opened.pointer, &picture, &options, &map, nil, &failure),
      "\(CCalls.text(failure))")
    let (height, width) = (Int(map.height), Int(map.width))
    // Gaps of three floats between rows stay unchanged.
    let row = width + 3
    var values = [Float](repeating: -7, count: height * row)
    let count = values.count
    let status = values.withUnsafeMutableBufferPointer {
      map.values = $0.baseAddress
      map.value_count = UInt64(count)
      map.row_floats = Int64(row)
      return CCalls.depthEstimate(opened.pointer, &picture, &options, &map, &facts, &failure)
    }
    try #require(status == DEPTH_OK, "\(CCalls.text(failure))")
    for y in 0..<height { #expect(values[y * row + width..<(y + 1) * row].allSatisfy { $0 == -7 }) }
    return DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height).flatMap { values[$0 * row..<$0 * row + width] })
  }

  /// A WebP file of 64×48 pixels of one color.
  private static let webp =
    Array("RIFF$\0\0\0WEBPVP8L\u{17}\0\0\0/?".utf8) + [
      192, 11, 0, 7, 80, 173, 34, 215, 163, 255, 1, 32, 33, 252, 95, 47, 70, 244, 63, 245, 3, 0,
    ]

  @Test(
    "a WebP file gives the same map as an equal PNG file",
    .enabled(if: (try? Image(decoding: webp)) != nil, "libwebp is not installed"))
  func webPGivesTheMapOfPNG() throws {
    let photo = Image(
      height: 48, width: 64,
      pixels: (0..<48 * 64).flatMap { _ in [200, 90, 30] as [UInt8] })
    let opened = try CCalls.Opened()
    var facts = depth_estimate_facts()
    facts.struct_size = UInt32(MemoryLayout<depth_estimate_facts>.size)
    let maps = try [Self.webp, photo.encoded(as: .png)].map { file in
      try CCalls.withPicture(file) {
        try Self.estimate(opened, &$0, CCalls.refinement(), facts: &facts)
      }
    }
    #expect(maps[0] == maps[1])
  }

  @Test("depth.h and the library give equal maps", arguments: [(48, 64), (64, 48)])
  func mapsAreThoseOfTheLibrary(size: (Int, Int)) throws {
    let photo = CCalls.photo(height: size.0, width: size.1)
    let estimator = try DepthEstimator(
      WeightsSelection(
        files: [URL(fileURLWithPath: packageFolder + "/Weights/fcrn-lite2-nyu-int8.h5")],
        averagesMirrored: true))
    let estimate = try estimator.estimate(of: photo)
    let refined = estimate.depth
    let opened = try CCalls.Opened(mirrored: 1, threads: 2)
    var facts = depth_estimate_facts()
    facts.struct_size = UInt32(MemoryLayout<depth_estimate_facts>.size)
    let file = try CCalls.withPicture(photo.encoded(as: .png)) {
      try Self.estimate(opened, &$0, CCalls.refinement(), facts: &facts)
    }
    #expect(file == refined)
    #expect(facts.focal_length_source == 2 && facts.spread == estimate.spread)
    #expect(facts.uncertainty == estimate.uncertainty)
    #expect(facts.focal_length == estimate.camera.camera.focalLength)
    let bytes = size.1 * 3
    let rows = (0..<size.0).flatMap { (y: Int) -> [UInt8] in
      Array(photo.pixels[y * bytes..<(y + 1) * bytes]) + [1, 2, 3, 4, 5]
    }
    let array = try CCalls.withPicture(
      rows, format: DEPTH_PICTURE_RGB, height: size.0, width: size.1, rowBytes: bytes + 5
    ) {
      try Self.estimate(
        opened, &$0, CCalls.refinement { $0.method = Int32(DEPTH_REFINE_NONE) }, facts: &facts)
    }
    #expect(array == estimate.networkMap)
  }

  @Test("refinement and stereo by depth.h equal the library's results")
  func refineAndStereo() throws {
    let photo = CCalls.photo()
    var values = (0..<12).map { Float($0 % 4 + 1) }
    let small = DepthMap(height: 3, width: 4, unit: .disparity, values: values)
    var (failure, depth, result) = (CCalls.failure, CCalls.map(), CCalls.map())
    var filled = [Float](repeating: 0, count: 48 * 64)
    let room = UInt64(filled.count)
    (depth.height, depth.width, depth.unit) = (3, 4, Int32(DEPTH_DISPARITY))
    depth.value_count = 12
    try CCalls.withPicture(
      photo.pixels, format: DEPTH_PICTURE_RGB, height: 48, width: 64
    ) { picture in
      try values.withUnsafeMutableBufferPointer { source in
        depth.values = source.baseAddress
        let status = filled.withUnsafeMutableBufferPointer {
          (result.values, result.value_count) = ($0.baseAddress, room)
          return refine(&picture, &depth, nil, &result, &failure)
        }
        #expect(status == DEPTH_OK, "\(CCalls.text(failure))")
        #expect(result.unit == DEPTH_DISPARITY && result.height == 48 && result.width == 64)
        #expect(try small.refined(guidedBy: photo).values == filled)
        var views = depth_views()
        views.struct_size = UInt32(MemoryLayout<depth_views>.size)
        #expect(stereo(&picture, &depth, nil, &views, &failure) == DEPTH_OK)
        #expect(views.height == 48 && views.width == 64)
        var (left, right) = (
          [UInt8](repeating: 0, count: 9216), [UInt8](repeating: 0, count: 9216)
        )
        let made = left.withUnsafeMutableBufferPointer { left in
          right.withUnsafeMutableBufferPointer { right in
            (views.left, views.right) = (left.baseAddress, right.baseAddress)
            views.byte_count = 9216
            return stereo(&picture, &depth, nil, &views, &failure)
          }
        }
        #expect(made == DEPTH_OK, "\(CCalls.text(failure))")
        let pair = try photo.stereoPair(depth: small, options: .init())
        #expect(left == pair.left.pixels && right == pair.right.pixels && left != right)
      }
    }
  }

  @Test("stereo in a single call prefers the photo's depth") func stereoInOneCall() throws {
    let photo = CCalls.photo()
    let depth = DepthMap(
      height: 48, width: 64, unit: .metres, values: (0..<3072).map { $0 % 64 < 32 ? 1 : 4 })
    let own = try DepthPhoto.encode(photo, depth: depth, as: .gDepth)
    let opened = try CCalls.Opened()
    func made(
      _ bytes: [UInt8], _ source: Int, format: Int = DEPTH_PICTURE_FILE,
      estimator: OpaquePointer? = nil
    ) -> (status: depth_status, text: String, source: Int32, left: [UInt8]) {
      var (options, views, failure) = (depth_stereo_options(), depth_views(), CCalls.failure)
      options.struct_size = UInt32(MemoryLayout<depth_stereo_options>.size)
      (options.maximum_shift, options.convergence, options.balance) = (0.05, 0.5, 0.5)
      (options.depth_source, options.estimator) = (Int32(source), estimator)
      views.struct_size = UInt32(MemoryLayout<depth_views>.size)
      views.depth_source = -1
      var (left, right) = ([UInt8](repeating: 0, count: 9216), [UInt8](repeating: 0, count: 9216))
      let status = left.withUnsafeMutableBufferPointer { left in
        right.withUnsafeMutableBufferPointer { right in
          (views.left, views.right, views.byte_count) = (left.baseAddress, right.baseAddress, 9216)
          return CCalls.withPicture(bytes, format: format, height: 48, width: 64) {
            stereo(&$0, nil, &options, &views, &failure)
          }
        }
      }
      return (status, CCalls.text(failure), views.depth_source, left)
    }
    let taken = made(own, DEPTH_SOURCE_AUTO)
    #expect(taken.status == DEPTH_OK && taken.source == DEPTH_SOURCE_EMBEDDED, "\(taken.text)")
    var options = StereoOptions()
    options.amount = .shift(0.05)
    let pair = try Image(decoding: own).stereoPair(
      depth: DepthPhoto.depth(decoding: own, name: "p"), options: options)
    #expect(taken.left == pair.left.pixels)
    let estimated = made(own, DEPTH_SOURCE_NETWORK, estimator: opened.pointer)
    #expect(estimated.status == DEPTH_OK && estimated.source == DEPTH_SOURCE_NETWORK)
    #expect(estimated.left != taken.left)
    let plain = try photo.encoded(as: .png)
    let network = made(plain, DEPTH_SOURCE_AUTO, estimator: opened.pointer)
    #expect(network.status == DEPTH_OK && network.source == DEPTH_SOURCE_NETWORK)
    let pixels = made(
      photo.pixels, DEPTH_SOURCE_AUTO, format: DEPTH_PICTURE_RGB, estimator: opened.pointer)
    #expect(pixels.left == network.left, "\(pixels.text)")
    for (bytes, format) in [(plain, DEPTH_PICTURE_FILE), (photo.pixels, DEPTH_PICTURE_RGB)] {
      let none = made(bytes, DEPTH_SOURCE_EMBEDDED, format: format)
      #expect(none.status == DEPTH_NO_DEPTH && none.source == -1, "\(none.text)")
    }
    let wrong = made(own, DEPTH_SOURCE_GIVEN)
    #expect(wrong.status == DEPTH_INVALID_ARGUMENT && wrong.text.hasPrefix("depth_source is 3"))
  }

  @Test("depth.h gives the weights' identifier and the program's version")
  func identifierAndVersion() throws {
    let opened = try CCalls.Opened(mirrored: 1)
    var (needed, failure) = (UInt64(0), CCalls.failure)
    #expect(weightsIdentifier(opened.pointer, nil, 0, &needed, &failure) == DEPTH_OK)
    #expect(needed == 64 + 9 + 5 + 1)
    var text = [CChar](repeating: 1, count: Int(needed))
    #expect(weightsIdentifier(opened.pointer, &text, needed - 1, nil, &failure) != DEPTH_OK)
    #expect(weightsIdentifier(opened.pointer, &text, needed, nil, &failure) == DEPTH_OK)
    #expect(text.last == 0)
    #expect(
      String(decoding: text.dropLast().map(UInt8.init), as: UTF8.self).hasSuffix("+mirrored+int8"))
    #expect(abiVersion() == 1)
    let version = try CommandLineTool("depth").run(["--version"]).text
    #expect(version == "swift-depth \(String(cString: libraryVersion()))\n")
  }

  @Test("four threads with one estimator get equal maps") func callsAtTheSameTime() throws {
    let opened = try CCalls.Opened(threads: 2)
    let png = try CCalls.photo().encoded(as: .png)
    nonisolated(unsafe) let pointer = opened.pointer
    let maps = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4 * 3072)
    defer { maps.deallocate() }
    nonisolated(unsafe) let shared = maps
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      CCalls.withPicture(png) { picture in
        var map = CCalls.map()
        map.values = shared.baseAddress! + index * 3072
        map.value_count = 3072
        _ = CCalls.depthEstimate(pointer, &picture, nil, &map, nil, nil)
      }
    }
    for index in 1..<4 {
      #expect(maps[..<3072].elementsEqual(maps[index * 3072..<(index + 1) * 3072]))
    }
    #expect(maps[0] > 0.1)
    withExtendedLifetime(opened) {}
  }
}
