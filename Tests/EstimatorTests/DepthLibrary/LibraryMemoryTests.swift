import CDepthLibrary
import DepthImages
import DepthLibrary
import DepthRefinement
import Testing
import ViewSynthesis
import _TestSupport

/// The caller's memory: reads, writes, and the meaning of numbers.
@Suite struct LibraryMemoryTests {
  private struct Refined {
    let status: depth_status
    let text: String
    let map: depth_map
    let values: [Float]
  }

  /// Calls `depth_refine` with a photo of 48 × 64 pixels and a striped map of 24 × 32 pixels.
  ///
  /// - Parameters:
  ///   - room: The buffer's stated size. The true size is slightly larger.
  ///   - row: The distance between rows, in floats.
  private func refined(
    unit: Int = DEPTH_DISPARITY, sides: (Int, Int) = (24, 32), room: Int = 48 * 64, row: Int = 0,
    _ options: depth_refine_options = CCalls.refinement()
  ) -> Refined {
    let (photo, numbers) = (CCalls.photo(), Self.numbers)
    var (source, options, values) = (numbers, options, [Float](repeating: -7, count: room + 64))
    var (depth, map, failure) = (CCalls.map(), CCalls.map(), CCalls.failure)
    (depth.height, depth.width, depth.unit) = (Int32(sides.0), Int32(sides.1), Int32(unit))
    depth.value_count = UInt64(source.count)
    let status = CCalls.withPicture(
      photo.pixels, format: DEPTH_PICTURE_RGB, height: 48, width: 64
    ) { picture in
      source.withUnsafeMutableBufferPointer { source in
        values.withUnsafeMutableBufferPointer { values in
          depth.values = source.baseAddress
          (map.values, map.value_count) = (values.baseAddress, UInt64(room))
          map.row_floats = Int64(row)
          return refine(&picture, &depth, &options, &map, &failure)
        }
      }
    }
    return Refined(status: status, text: CCalls.text(failure), map: map, values: values)
  }

  private static let numbers: [Float] = (0..<24 * 32).map { (pixel: Int) -> Float in
    Float(1 + pixel % 32 / 8) / 5
  }

  @Test("a buffer may end with the last row's pixels") func theLastRowEndsWithItsPixels() {
    let (row, room) = (70, 47 * 70 + 64)
    let plain = refined()
    let found = refined(room: room, row: row)
    #expect(found.status == DEPTH_OK, "\(found.text)")
    for y in 0..<48 {
      #expect(found.values[y * row..<y * row + 64] == plain.values[y * 64..<(y + 1) * 64])
    }
    let short = refined(room: room - 1, row: row)
    #expect(short.status == DEPTH_INVALID_ARGUMENT && short.values.allSatisfy { $0 == -7 })
  }

  @Test(
    "a map refined through depth.h keeps its unit",
    arguments: [
      DEPTH_METRES, DEPTH_DISPARITY, DEPTH_NORMALIZED_NEAR_WHITE, DEPTH_NORMALIZED_NEAR_BLACK,
      DEPTH_RELATIVE_DISPARITY,
    ])
  func unitsComeBack(unit: Int) {
    let found = refined(unit: unit)
    #expect(found.status == DEPTH_OK && found.map.unit == Int32(unit), "\(found.text)")
  }

  @Test("depth.h refines with the caller's detail") func theDetailIsTheCallers() throws {
    let map = DepthMap(height: 24, width: 32, unit: .disparity, values: Self.numbers)
    let maps = try [Float(0.1), 0.9].map { (detail: Float) -> [Float] in
      let method = RefinementMethod(.joint, detail: detail)
      let wanted = try map.refined(guidedBy: CCalls.photo(), method: method).values
      let found = refined(CCalls.refinement { $0.detail = detail })
      #expect(found.status == DEPTH_OK && found.values[..<3072] == wanted[...], "\(found.text)")
      return wanted
    }
    #expect(maps[0] != maps[1])
  }

  @Test("a map rotated by 90° gives a size mismatch") func mapsOfAnotherPhotoHaveTheirStatus() {
    let found = refined(sides: (32, 24))
    #expect(found.status == DEPTH_SIZE_MISMATCH, "\(found.text)")
  }

  /// Programs with an older header may keep other data after the shorter structure.
  @Test("no byte is written beyond a shorter structure")
  func nothingIsWrittenBehindAShorterStructure() {
    var bytes = [UInt8](repeating: 0xAA, count: 64)
    var (depth, failure, numbers) = (CCalls.map(), CCalls.failure, Self.numbers)
    (depth.height, depth.width, depth.unit) = (24, 32, Int32(DEPTH_METRES))
    depth.value_count = UInt64(numbers.count)
    // The structure ends with `width`, without a field for values.
    let known = 32
    let status = numbers.withUnsafeMutableBufferPointer { numbers in
      depth.values = numbers.baseAddress
      return bytes.withUnsafeMutableBytes { raw in
        for offset in 0..<known { raw[offset] = 0 }
        raw.storeBytes(of: UInt32(known), as: UInt32.self)
        let map = raw.baseAddress!.assumingMemoryBound(to: depth_map.self)
        return CCalls.withPicture(
          CCalls.photo().pixels, format: DEPTH_PICTURE_RGB, height: 48, width: 64
        ) { refine(&$0, &depth, nil, map, &failure) }
      }
    }
    #expect(status == DEPTH_OK, "\(CCalls.text(failure))")
    #expect(bytes[24] == 48 && bytes[28] == 64)
    #expect(bytes[known...].allSatisfy { $0 == 0xAA })
  }

  /// An angle that is read as millimetres would change all distances by half.
  @Test("a field of view is an angle, not millimetres") func anglesOfViewAreAngles() throws {
    let opened = try CCalls.Opened()
    var (map, failure, facts) = (CCalls.map(), CCalls.failure, depth_estimate_facts())
    facts.struct_size = UInt32(MemoryLayout<depth_estimate_facts>.size)
    var options = CCalls.refinement {
      $0.method = Int32(DEPTH_REFINE_NONE)
      ($0.focal_length_kind, $0.focal_length) = (Int32(DEPTH_FOCAL_LENGTH_FIELD_OF_VIEW), 60)
    }
    var values = [Float](repeating: 0, count: PackagedMap.area)
    let status = values.withUnsafeMutableBufferPointer { values in
      (map.values, map.value_count) = (values.baseAddress, UInt64(values.count))
      return CCalls.withPicture(
        CCalls.photo().pixels, format: DEPTH_PICTURE_RGB, height: 48, width: 64
      ) { CCalls.depthEstimate(opened.pointer, &$0, &options, &map, &facts, &failure) }
    }
    #expect(status == DEPTH_OK, "\(CCalls.text(failure))")
    let wanted = try Camera(of: CCalls.photo(), focalLength: .fieldOfView(60)).focalLength
    #expect(facts.focal_length_source == 1 && abs(facts.focal_length - wanted) < 1e-9)
  }

  @Test("a short message ends with a whole character") func shortSentencesAreWholeCharacters() {
    for size in 12..<60 {
      var bytes = [UInt8](repeating: 0xAA, count: 64)
      bytes.withUnsafeMutableBytes { raw in
        raw.storeBytes(of: UInt32(size), as: UInt32.self)
        let failure = raw.baseAddress!.assumingMemoryBound(to: depth_failure.self)
        let status = CCalls.withPicture([9], format: DEPTH_PICTURE_GRAY) {
          stereo(&$0, nil, nil, nil, failure)
        }
        #expect(status == DEPTH_INVALID_ARGUMENT)
      }
      let text = bytes[8..<size].prefix { $0 != 0 }
      #expect(String(validating: text, as: UTF8.self) != nil, "\(size)")
      #expect(text.count >= size - 11 || text.count > 40, "\(size)")
    }
  }

  private struct Views {
    let status: depth_status
    let left, right: [UInt8]
  }

  /// Calls `depth_stereo` with a map in rows with gaps. A negative `convergence` means automatic.
  private func views(
    convergence: Double = 0.5, row: Int = 0, room: Int = 48 * 64 * 3
  ) -> Views {
    var (depth, failure, numbers) = (CCalls.map(), CCalls.failure, Self.numbers)
    var (options, views) = (depth_stereo_options(), depth_views())
    options.struct_size = UInt32(MemoryLayout<depth_stereo_options>.size)
    (options.maximum_shift, options.convergence, options.balance) = (0.05, convergence, 0.5)
    views.struct_size = UInt32(MemoryLayout<depth_views>.size)
    (depth.height, depth.width, depth.unit) = (24, 32, Int32(DEPTH_DISPARITY))
    depth.value_count = UInt64(numbers.count)
    // The buffer is larger than the caller states.
    var left = [UInt8](repeating: 0xAA, count: room + 1000)
    var right = left
    let status = numbers.withUnsafeMutableBufferPointer { numbers in
      left.withUnsafeMutableBufferPointer { left in
        right.withUnsafeMutableBufferPointer { right in
          depth.values = numbers.baseAddress
          (views.left, views.right) = (left.baseAddress, right.baseAddress)
          (views.byte_count, views.row_bytes) = (UInt64(room), Int64(row))
          return CCalls.withPicture(
            CCalls.photo().pixels, format: DEPTH_PICTURE_RGB, height: 48, width: 64
          ) { stereo(&$0, &depth, &options, &views, &failure) }
        }
      }
    }
    return Views(status: status, left: left, right: right)
  }

  private func pair(convergence: Double?) throws -> StereoPair {
    var options = StereoOptions()
    (options.amount, options.convergence) = (.shift(0.05), convergence)
    let depth = DepthMap(height: 24, width: 32, unit: .disparity, values: Self.numbers)
    return try CCalls.photo().stereoPair(depth: depth, options: options)
  }

  /// Rows of pictures in memory are often aligned to words.
  @Test("stereo views keep the gaps between rows") func viewsKeepTheGapsBetweenRows() throws {
    let (row, width) = (200, 192)
    let room = 47 * row + width
    let found = views(row: row, room: room)
    let wanted = try pair(convergence: 0.5)
    #expect(found.status == DEPTH_OK)
    for (bytes, view) in [(found.left, wanted.left), (found.right, wanted.right)] {
      for y in 0..<48 {
        #expect(bytes[y * row..<y * row + width] == view.pixels[y * width..<(y + 1) * width])
        #expect(bytes[y * row + width..<(y + 1) * row].allSatisfy { $0 == 0xAA })
      }
    }
    let short = views(row: row, room: room - 1)
    #expect(short.status == DEPTH_INVALID_ARGUMENT && short.left.allSatisfy { $0 == 0xAA })
  }

  @Test("a negative convergence is automatic") func aNegativeScreenIsTheAutomaticOne() throws {
    let found = views(convergence: -1)
    let wanted = try pair(convergence: nil)
    #expect(found.status == DEPTH_OK && found.left[..<9216] == wanted.left.pixels[...])
    #expect(try pair(convergence: 0.5) != wanted)
  }
}
