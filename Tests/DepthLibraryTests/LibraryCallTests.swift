import CDepthLibrary
import DepthImages
import DepthLibrary
import DepthRefinement
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import ViewSynthesis
import _TestSupport

/// The calls of `depth.h`, made as C makes them.
struct LibraryCallTests {
  /// An estimator for as long as its owner lives.
  private final class Opened {
    let pointer: OpaquePointer

    init(mirrored: Int32 = 0, threads: Int32 = 1) throws {
      var options = depth_open_options()
      options.struct_size = UInt32(MemoryLayout<depth_open_options>.size)
      (options.mirrored, options.threads) = (mirrored, threads)
      let name = strdup(packageFolder + "/Weights/fcrn18-nyu-int8.h5")
      defer { free(name) }
      var names: [UnsafePointer<CChar>?] = [UnsafePointer(name)]
      var opened: OpaquePointer?
      var failure = LibraryCallTests.failure
      let status = names.withUnsafeMutableBufferPointer {
        options.weights = UnsafePointer($0.baseAddress)
        options.weights_count = 1
        return openEstimator(&options, &opened, &failure)
      }
      pointer = try #require(opened, "\(LibraryCallTests.text(failure))")
      #expect(status == DEPTH_OK)
    }

    deinit { closeEstimator(pointer) }
  }

  private static var failure: depth_failure {
    var failure = depth_failure()
    failure.struct_size = UInt32(MemoryLayout<depth_failure>.size)
    return failure
  }

  private static func text(_ failure: depth_failure) -> String {
    withUnsafeBytes(of: failure.message) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static func map() -> depth_map {
    var map = depth_map()
    map.struct_size = UInt32(MemoryLayout<depth_map>.size)
    return map
  }

  private static func refinement(
    _ change: (inout depth_refine_options) -> Void = { _ in }
  ) -> depth_refine_options {
    var options = depth_refine_options()
    options.struct_size = UInt32(MemoryLayout<depth_refine_options>.size)
    options.detail = -1
    change(&options)
    return options
  }

  private static func photo(height: Int = 48, width: Int = 64) -> Image {
    let pixels = (0..<height * width * 3).map { (index: Int) -> UInt8 in
      UInt8((index * 7 + index / 192 * 31) >> 2 & 255)
    }
    return Image(height: height, width: width, pixels: pixels)
  }

  /// Calls `body` with a picture in memory.
  private static func withPicture<Result>(
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

  /// Asks for the size of a map, then for the map.
  private static func estimate(
    _ opened: Opened, _ picture: inout depth_picture, _ options: depth_refine_options,
    facts: inout depth_estimate_facts
  ) throws -> DepthMap {
    var (options, failure, map) = (options, failure, map())
    try #require(
      depth_status(DEPTH_OK)
        == LibraryEstimate.call(opened.pointer, &picture, &options, &map, nil, &failure),
      "\(text(failure))")
    let (height, width) = (Int(map.height), Int(map.width))
    // A gap between rows, which stays as it is.
    let row = width + 3
    var values = [Float](repeating: -7, count: height * row)
    let count = values.count
    let status = values.withUnsafeMutableBufferPointer {
      map.values = $0.baseAddress
      map.value_count = UInt64(count)
      map.row_floats = Int64(row)
      return LibraryEstimate.call(opened.pointer, &picture, &options, &map, &facts, &failure)
    }
    try #require(status == DEPTH_OK, "\(text(failure))")
    for y in 0..<height { #expect(values[y * row + width..<(y + 1) * row].allSatisfy { $0 == -7 }) }
    return DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height).flatMap { values[$0 * row..<$0 * row + width] })
  }

  /// Files, arrays and rows with gaps give the bits of the library.
  @Test(arguments: [(48, 64), (64, 48)]) func mapsAreThoseOfTheLibrary(size: (Int, Int)) throws {
    let photo = Self.photo(height: size.0, width: size.1)
    let estimator = try DepthEstimator(
      weights: URL(fileURLWithPath: packageFolder + "/Weights/fcrn18-nyu-int8.h5"),
      averagesMirrored: true)
    let estimate = try estimator.estimate(of: photo)
    let refined = try estimate.depth.refined(guidedBy: photo)
    let opened = try Opened(mirrored: 1, threads: 2)
    var facts = depth_estimate_facts()
    facts.struct_size = UInt32(MemoryLayout<depth_estimate_facts>.size)
    let file = try Self.withPicture(photo.encoded(as: .png)) {
      try Self.estimate(opened, &$0, Self.refinement(), facts: &facts)
    }
    #expect(file == refined)
    #expect(facts.focal_length_source == 2 && facts.spread == estimate.spread)
    #expect(facts.uncertainty == estimate.uncertainty)
    #expect(facts.focal_length == estimate.camera.camera.focalLength)
    let bytes = size.1 * 3
    let rows = (0..<size.0).flatMap { (y: Int) -> [UInt8] in
      Array(photo.pixels[y * bytes..<(y + 1) * bytes]) + [1, 2, 3, 4, 5]
    }
    let array = try Self.withPicture(
      rows, format: DEPTH_PICTURE_RGB, height: size.0, width: size.1, rowBytes: bytes + 5
    ) {
      try Self.estimate(
        opened, &$0, Self.refinement { $0.method = Int32(DEPTH_REFINE_NONE) }, facts: &facts)
    }
    #expect(array == estimate.depth)
  }

  @Test func refineAndStereo() throws {
    let photo = Self.photo()
    var values = (0..<12).map { Float($0 % 4 + 1) }
    let small = DepthMap(height: 3, width: 4, unit: .disparity, values: values)
    var (failure, depth, result) = (Self.failure, Self.map(), Self.map())
    var filled = [Float](repeating: 0, count: 48 * 64)
    let room = UInt64(filled.count)
    (depth.height, depth.width, depth.unit) = (3, 4, Int32(DEPTH_DISPARITY))
    depth.value_count = 12
    try Self.withPicture(
      photo.pixels, format: DEPTH_PICTURE_RGB, height: 48, width: 64
    ) { picture in
      try values.withUnsafeMutableBufferPointer { source in
        depth.values = source.baseAddress
        let status = filled.withUnsafeMutableBufferPointer {
          (result.values, result.value_count) = ($0.baseAddress, room)
          return refine(&picture, &depth, nil, &result, &failure)
        }
        #expect(status == DEPTH_OK, "\(Self.text(failure))")
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
        #expect(made == DEPTH_OK, "\(Self.text(failure))")
        let pair = try photo.stereoPair(depth: small, options: .init())
        #expect(left == pair.left.pixels && right == pair.right.pixels && left != right)
      }
    }
  }

  /// A structure of another version: known fields count, unknown ones must be zero.
  @Test func structuresOfOtherVersions() throws {
    let opened = try Opened()
    var map = Self.map()
    let bytes = try Self.photo().encoded(as: .png)
    func status(_ words: [UInt32]) -> (depth_status, String) {
      var failure = Self.failure
      let status = words.withUnsafeBytes { raw in
        Self.withPicture(bytes) { picture in
          LibraryEstimate.call(
            opened.pointer, &picture,
            raw.baseAddress!.assumingMemoryBound(to: depth_refine_options.self), &map, nil,
            &failure)
        }
      }
      return (status, Self.text(failure))
    }
    let unrefined = UInt32(DEPTH_REFINE_NONE)
    // Ends behind `method`.
    #expect(status([12, 0, unrefined]).0 == DEPTH_OK)
    #expect(map.height == 128 && map.width == 160)
    let known = [56, 0, unrefined, Float(-1).bitPattern] + [UInt32](repeating: 0, count: 8)
    #expect(status(known + [0, 0]).0 == DEPTH_OK)
    #expect(
      status(known + [0, 1])
        == (
          depth_status(DEPTH_INVALID_ARGUMENT),
          "depth_refine_options has a field at byte 52 that this version of the library does not know"
        ))
    #expect(status([4, 0]).0 == DEPTH_INVALID_ARGUMENT)
    #expect(status([1 << 31, 0]).0 == DEPTH_INVALID_ARGUMENT)
  }

  @Test func whatMakesNoSenseIsRefused() throws {
    let opened = try Opened()
    let png = try Self.photo().encoded(as: .png)
    var failure = Self.failure
    func expect(
      _ expected: Int, _ text: String, _ change: (inout depth_picture, inout depth_map) -> Void,
      options: depth_refine_options = LibraryCallTests.refinement(),
      location: SourceLocation = #_sourceLocation
    ) {
      var (map, options) = (Self.map(), options)
      let status = Self.withPicture(png) { picture in
        change(&picture, &map)
        return LibraryEstimate.call(opened.pointer, &picture, &options, &map, nil, &failure)
      }
      #expect(status == Int32(expected), sourceLocation: location)
      #expect(failure.status == status, sourceLocation: location)
      #expect(
        Self.text(failure).contains(text), "\(Self.text(failure))", sourceLocation: location)
    }
    var few: [Float] = [0]
    few.withUnsafeMutableBufferPointer { few in
      expect(DEPTH_INVALID_ARGUMENT, "expected at least 3072 for 64×48") {
        ($1.values, $1.value_count) = (few.baseAddress, 1)
      }
      expect(DEPTH_INVALID_ARGUMENT, "expected 64 to") {
        ($1.values, $1.value_count, $1.row_floats) = (few.baseAddress, 1 << 40, 63)
      }
    }
    expect(DEPTH_INVALID_ARGUMENT, "the picture has no bytes") { picture, _ in picture.bytes = nil }
    expect(DEPTH_DAMAGED, "the picture") { picture, _ in picture.byte_count = 50 }
    expect(DEPTH_UNSUPPORTED_FORMAT, "expected a JPEG or PNG picture") { picture, _ in
      picture.bytes = picture.bytes?.advanced(by: 1)
      picture.byte_count -= 1
    }
    expect(DEPTH_TOO_LARGE, "expected at most 100 in all") { picture, _ in picture.max_pixels = 100
    }
    expect(DEPTH_INVALID_ARGUMENT, "max_pixels is -1") { picture, _ in picture.max_pixels = -1 }
    expect(DEPTH_INVALID_ARGUMENT, "one of DEPTH_PICTURE_") { picture, _ in picture.format = 9 }
    expect(DEPTH_INVALID_ARGUMENT, "0×0 pixels") { picture, _ in
      picture.format = Int32(DEPTH_PICTURE_GRAY)
    }
    for change: (inout depth_refine_options) -> Void in [
      { $0.method = 7 }, { $0.detail = .nan }, { $0.detail = 2 }, { $0.size = 4 },
      { $0.size = Int32(DEPTH_SIZE_GIVEN) }, { $0.fill = 2 }, { $0.reserved = 1 },
    ] {
      expect(DEPTH_INVALID_ARGUMENT, " is ", { _, _ in }, options: Self.refinement(change))
    }
    // NULL in every place.
    #expect(LibraryEstimate.call(nil, nil, nil, nil, nil, nil) == DEPTH_INVALID_ARGUMENT)
    #expect(
      LibraryEstimate.call(opened.pointer, nil, nil, nil, nil, &failure) == DEPTH_INVALID_ARGUMENT)
    #expect(refine(nil, nil, nil, nil, nil) == DEPTH_INVALID_ARGUMENT)
    #expect(stereo(nil, nil, nil, nil, nil) == DEPTH_INVALID_ARGUMENT)
    #expect(openEstimator(nil, nil, &failure) == DEPTH_INVALID_ARGUMENT)
    closeEstimator(nil)
  }

  /// The sentence is cut to the room that a caller has, between characters.
  @Test func shortStructuresForFailures() {
    for size in [0, 7, 8, 9, 10, 20] {
      var bytes = [UInt8](repeating: 0xAA, count: 32)
      bytes.withUnsafeMutableBytes { raw in
        raw.storeBytes(of: UInt32(size), as: UInt32.self)
        let failure = raw.baseAddress!.assumingMemoryBound(to: depth_failure.self)
        #expect(openEstimator(nil, nil, failure) == DEPTH_INVALID_ARGUMENT)
      }
      #expect(bytes[max(size, 4)...].allSatisfy { $0 == 0xAA }, "\(size)")
      if size > 8 { #expect(bytes[8..<size].contains(0)) }
    }
  }

  @Test func identifierAndVersion() throws {
    let opened = try Opened(mirrored: 1)
    var (needed, failure) = (UInt64(0), Self.failure)
    #expect(weightsIdentifier(opened.pointer, nil, 0, &needed, &failure) == DEPTH_OK)
    #expect(needed == 64 + 9 + 1)
    var text = [CChar](repeating: 1, count: Int(needed))
    #expect(weightsIdentifier(opened.pointer, &text, needed - 1, nil, &failure) != DEPTH_OK)
    #expect(weightsIdentifier(opened.pointer, &text, needed, nil, &failure) == DEPTH_OK)
    #expect(text.last == 0)
    #expect(String(decoding: text.dropLast().map(UInt8.init), as: UTF8.self).hasSuffix("+mirrored"))
    #expect(abiVersion() == 1)
    let version = try CommandLineTool("depth").run(["--version"]).text
    #expect(version == "swift-depth \(String(cString: libraryVersion()))\n")
  }

  /// Several threads with one estimator.
  @Test func callsAtTheSameTime() throws {
    let opened = try Opened(threads: 2)
    let png = try Self.photo().encoded(as: .png)
    nonisolated(unsafe) let pointer = opened.pointer
    let maps = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4 * 3072)
    defer { maps.deallocate() }
    nonisolated(unsafe) let shared = maps
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      Self.withPicture(png) { picture in
        var map = Self.map()
        map.values = shared.baseAddress! + index * 3072
        map.value_count = 3072
        _ = LibraryEstimate.call(pointer, &picture, nil, &map, nil, nil)
      }
    }
    for index in 1..<4 {
      #expect(maps[..<3072].elementsEqual(maps[index * 3072..<(index + 1) * 3072]))
    }
    #expect(maps[0] > 0.1)
    withExtendedLifetime(opened) {}
  }
}

/// `estimate` of the module, whose name tests use themselves.
private enum LibraryEstimate {
  static func call(
    _ estimator: OpaquePointer?, _ photo: UnsafePointer<depth_picture>?,
    _ options: UnsafePointer<depth_refine_options>?, _ map: UnsafeMutablePointer<depth_map>?,
    _ facts: UnsafeMutablePointer<depth_estimate_facts>?,
    _ failure: UnsafeMutablePointer<depth_failure>?
  ) -> depth_status { estimate(estimator, photo, options, map, facts, failure) }
}
