import CDepthLibrary
import DepthLibrary
import PictureFiles
import Testing
import _TestSupport

/// Invalid calls of `depth.h` return a status and a sentence instead of a crash.
@Suite struct LibraryRefusalTests {
  @Test("fields of a newer structure must be zero") func structuresOfOtherVersions() throws {
    let opened = try CCalls.Opened()
    var map = CCalls.map()
    let bytes = try CCalls.photo().encoded(as: .png)
    func status(_ words: [UInt32]) -> (depth_status, String) {
      var failure = CCalls.failure
      let status = words.withUnsafeBytes { raw in
        CCalls.withPicture(bytes) { picture in
          CCalls.depthEstimate(
            opened.pointer, &picture,
            raw.baseAddress!.assumingMemoryBound(to: depth_refine_options.self), &map, nil,
            &failure)
        }
      }
      return (status, CCalls.text(failure))
    }
    let unrefined = UInt32(DEPTH_REFINE_NONE)
    // The structure ends with the field `method`.
    #expect(status([12, 0, unrefined]).0 == DEPTH_OK)
    #expect(map.height == PackagedMap.height && map.width == PackagedMap.width)
    let known = [64, 0, unrefined, Float(-1).bitPattern] + [UInt32](repeating: 0, count: 10)
    #expect(status(known + [0, 0]).0 == DEPTH_OK)
    #expect(
      status(known + [0, 1])
        == (
          depth_status(DEPTH_INVALID_ARGUMENT),
          "depth_refine_options has a field at byte 60 that this version of the library does not support"
        ))
    #expect(status([4, 0]).0 == DEPTH_INVALID_ARGUMENT)
    #expect(status([1 << 31, 0]).0 == DEPTH_INVALID_ARGUMENT)
  }

  @Test("invalid pictures, maps and options are refused with a reason")
  func invalidArgumentsAreRefused() throws {
    let opened = try CCalls.Opened()
    let png = try CCalls.photo().encoded(as: .png)
    var failure = CCalls.failure
    func expect(
      _ expected: Int, _ text: String, _ change: (inout depth_picture, inout depth_map) -> Void,
      options: depth_refine_options = CCalls.refinement(),
      location: SourceLocation = #_sourceLocation
    ) {
      var (map, options) = (CCalls.map(), options)
      let status = CCalls.withPicture(png) { picture in
        change(&picture, &map)
        return CCalls.depthEstimate(opened.pointer, &picture, &options, &map, nil, &failure)
      }
      #expect(status == Int32(expected), sourceLocation: location)
      #expect(failure.status == status, sourceLocation: location)
      #expect(
        CCalls.text(failure).contains(text), "\(CCalls.text(failure))", sourceLocation: location)
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
    expect(DEPTH_UNSUPPORTED_FORMAT, "expected a JPEG, PNG, HEIC, WebP or AVIF picture") {
      picture, _ in
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
      expect(DEPTH_INVALID_ARGUMENT, " is ", { _, _ in }, options: CCalls.refinement(change))
    }
    // Every pointer is NULL.
    #expect(CCalls.depthEstimate(nil, nil, nil, nil, nil, nil) == DEPTH_INVALID_ARGUMENT)
    #expect(
      CCalls.depthEstimate(opened.pointer, nil, nil, nil, nil, &failure) == DEPTH_INVALID_ARGUMENT)
    #expect(refine(nil, nil, nil, nil, nil) == DEPTH_INVALID_ARGUMENT)
    #expect(stereo(nil, nil, nil, nil, nil) == DEPTH_INVALID_ARGUMENT)
    #expect(openEstimator(nil, nil, &failure) == DEPTH_INVALID_ARGUMENT)
    closeEstimator(nil)
  }

  /// The limit of pixels allows the side, but the row's length overflows.
  @Test("every call refuses the longest sides") func longestSidesAreRefused() {
    var (failure, map, depth, views) = (
      CCalls.failure, CCalls.map(), CCalls.map(), depth_views()
    )
    views.struct_size = UInt32(MemoryLayout<depth_views>.size)
    (depth.height, depth.width) = (1, 2)
    var (values, bytes): ([Float], [UInt8]) = ([1, 2], [0])
    func expectRefusal(_ status: depth_status, _ rows: String) {
      #expect(status == DEPTH_INVALID_ARGUMENT)
      #expect(CCalls.text(failure).hasPrefix("the rows of the \(rows) are "))
    }
    values.withUnsafeMutableBufferPointer { values in
      bytes.withUnsafeMutableBufferPointer { bytes in
        (map.values, map.value_count) = (values.baseAddress, 1 << 40)
        (depth.values, depth.value_count) = (values.baseAddress, 2)
        (views.left, views.right) = (bytes.baseAddress, bytes.baseAddress)
        views.byte_count = 1 << 40
        CCalls.withPicture(
          [9], format: DEPTH_PICTURE_GRAY, height: 1, width: Int(Int32.max)
        ) { picture in
          picture.max_pixels = 1 << 40
          expectRefusal(refine(&picture, &depth, nil, &map, &failure), "map")
          expectRefusal(stereo(&picture, &depth, nil, &views, &failure), "views")
          (depth.width, depth.value_count) = (Int32.max, 1 << 40)
          expectRefusal(refine(&picture, &depth, nil, &map, &failure), "map")
        }
      }
    }
  }

  @Test("a message is cut to fit a short failure structure") func shortStructuresForFailures() {
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
}
