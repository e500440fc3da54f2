import CDepthLibrary
import DepthGeometry
import DepthImages
import DepthLibrary
import DepthRefinement
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

/// Expected errors, calibrations and depth files through `depth.h`.
@Suite struct LibraryFactsTests {
  private struct Made {
    var status: depth_status = 0
    var message = ""
    var unit: Int32 = 0
    var values = [Float](repeating: 0, count: 48 * 64)
    var errors = [Float](repeating: 0, count: 48 * 64)
    var errorUnit: Int32 = 0
    var uncertainty = 0.0
  }

  /// Estimates a photo and returns every kind of result.
  private static func make(
    _ opened: CCalls.Opened, calibration: String? = nil, method: Int = DEPTH_REFINE_JOINT,
    errorRoom: Int = 48 * 64
  ) throws -> Made {
    var made = Made()
    var (map, errors, failure) = (CCalls.map(), CCalls.map(), CCalls.failure)
    var facts = depth_estimate_facts()
    facts.struct_size = UInt32(MemoryLayout<depth_estimate_facts>.size)
    let path = calibration.map { strdup($0) }
    defer { free(path ?? nil) }
    var options = CCalls.refinement {
      ($0.method, $0.size) = (Int32(method), Int32(DEPTH_SIZE_PICTURE))
      $0.calibration = path.map { UnsafePointer($0!) }
    }
    let photo = CCalls.photo()
    made.status = CCalls.withPicture(
      photo.pixels, format: DEPTH_PICTURE_RGB, height: 48, width: 64
    ) { picture in
      made.values.withUnsafeMutableBufferPointer { values in
        made.errors.withUnsafeMutableBufferPointer { known in
          withUnsafeMutablePointer(to: &errors) { errors in
            (map.values, map.value_count) = (values.baseAddress, UInt64(values.count))
            (errors.pointee.values, errors.pointee.value_count) = (
              known.baseAddress, UInt64(errorRoom)
            )
            facts.expected_error = errors
            return CCalls.depthEstimate(
              opened.pointer, &picture, &options, &map, &facts, &failure)
          }
        }
      }
    }
    (made.message, made.unit, made.errorUnit) = (CCalls.text(failure), map.unit, errors.unit)
    made.uncertainty = facts.uncertainty
    return made
  }

  private func estimator() throws -> DepthEstimator {
    try DepthEstimator(.file(URL(filePath: packageFolder + "/Weights/fcrn-lite2-nyu-int8.h5")))
  }

  @Test("depth.h and the library give equal errors") func eachPixelHasItsExpectedError() throws {
    let made = try Self.make(CCalls.Opened())
    #expect(made.status == DEPTH_OK, "\(made.message)")
    #expect(made.errorUnit == DEPTH_RELATIVE_ERROR && made.unit == DEPTH_METRES)
    let estimate = try estimator().estimate(of: CCalls.photo(), options: .unrefined)
    let errors = try #require(estimate.expectedError).resized(height: 48, width: 64)
    #expect(made.errors == errors.values && made.uncertainty == estimate.uncertainty)
  }

  @Test("a too small buffer for errors is refused and stays unchanged")
  func tooLittleRoomForErrorsChangesNothing() throws {
    let made = try Self.make(CCalls.Opened(), errorRoom: 48 * 64 - 1)
    #expect(made.status == DEPTH_INVALID_ARGUMENT && made.message.contains("3071 values"))
    #expect(made.values.allSatisfy { $0 == 0 })
  }

  @Test("a calibration is refused for another refinement or other weights")
  func calibrationsCorrectTheMap() throws {
    let folder = try TemporaryFolder()
    let estimator = try estimator()
    var calibration = DepthCalibration(scale: 0.5, shift: 0.1, refinement: RefinementMethod(.joint))
    calibration.weightsIdentifier = try estimator.weightsIdentifier()
    try calibration.write(to: folder.url("c.json"))
    let opened = try CCalls.Opened()
    let made = try Self.make(opened, calibration: folder.path("c.json"))
    #expect(made.status == DEPTH_OK, "\(made.message)")
    let photo = CCalls.photo()
    let expected = try estimator.depth(
      of: photo, options: DepthOptions(calibration: calibration))
    #expect(made.values == expected.values)
    // The uncertainty of the calibrated map is unknown.
    #expect(made.uncertainty.isNaN)
    let other = try Self.make(
      opened, calibration: folder.path("c.json"), method: DEPTH_REFINE_NONE)
    #expect(other.status == DEPTH_INVALID_ARGUMENT)
    #expect(
      other.message.hasSuffix(
        "c.json: the calibration was fitted to maps refined by joint, and these are refined by none"
      ))
    calibration.weightsIdentifier = String(repeating: "0", count: 64)
    try calibration.write(to: folder.url("c.json"))
    let foreign = try Self.make(opened, calibration: folder.path("c.json"))
    #expect(foreign.message.hasSuffix("c.json: the calibration was made with other weights"))
  }

  @Test("depth.h and the library give equal normals") func normalsAreThoseOfTheLibrary() throws {
    let map = DepthMap(
      height: 6, width: 8, unit: .metres,
      values: (0..<48).map { $0 == 20 ? 0 : 2 + Float($0 % 8) / 10 + Float($0 / 8) / 30 })
    let expected = try map.normals(camera: Camera(width: 8, height: 6, focalLength: 7)).values
    var values = map.values
    var (found, failure) = ([Float](repeating: 5, count: 6 * 25), CCalls.failure)
    var (depth, normals) = (CCalls.map(), CCalls.map())
    (depth.height, depth.width, depth.value_count) = (6, 8, 48)
    func call(_ focalLength: Double) -> depth_status {
      values.withUnsafeMutableBufferPointer { values in
        depth.values = values.baseAddress
        return CCalls.depthNormals(&depth, focalLength, &normals, &failure)
      }
    }
    #expect(call(7) == DEPTH_OK && (normals.height, normals.width) == (6, 24))
    (normals.value_count, normals.row_floats) = (150, 25)
    let status = found.withUnsafeMutableBufferPointer { found in
      normals.values = found.baseAddress
      return call(7)
    }
    #expect(status == DEPTH_OK && normals.unit == DEPTH_NORMALS, "\(CCalls.text(failure))")
    for index in 0..<144 {
      let (value, wanted) = (found[index / 24 * 25 + index % 24], expected[index])
      #expect(index / 3 == 20 ? value.isNaN : value == wanted)
    }
    #expect(found[24] == 5)
    #expect(call(0) == DEPTH_INVALID_ARGUMENT && call(.nan) == DEPTH_INVALID_ARGUMENT)
    depth.unit = Int32(DEPTH_RELATIVE_DISPARITY)
    #expect(call(7) == DEPTH_UNKNOWN_UNIT)
  }

  @Test("depth.h and the library give equal aligned maps")
  func alignedMapsAreThoseOfTheLibrary() throws {
    let (photo, truth) = (TestPhoto.image(), TestPhoto.depth())
    let sparse = DepthMap(
      height: 48, width: 64, unit: .metres,
      values: truth.values.enumerated().map { $0 % 19 == 0 ? $1 * 1.2 : 0 })
    let expected = try truth.aligned(to: sparse, guidedBy: photo, noise: 0.02)
    var (given, points, found) = (
      truth.values, sparse.values, [Float](repeating: 0, count: 48 * 64)
    )
    var (depth, known, map, failure) = (
      CCalls.map(), CCalls.map(), CCalls.map(), CCalls.failure
    )
    (depth.height, depth.width, depth.value_count) = (48, 64, 48 * 64)
    (known.height, known.width, known.value_count) = (48, 64, 48 * 64)
    map.value_count = 48 * 64
    func call(_ noise: Double) -> depth_status {
      CCalls.withPicture(photo.pixels, format: DEPTH_PICTURE_RGB, height: 48, width: 64) {
        picture in
        given.withUnsafeMutableBufferPointer { given in
          points.withUnsafeMutableBufferPointer { points in
            found.withUnsafeMutableBufferPointer { found in
              (depth.values, known.values) = (given.baseAddress, points.baseAddress)
              map.values = found.baseAddress
              return CCalls.depthAlign(&picture, &depth, &known, noise, &map, &failure)
            }
          }
        }
      }
    }
    #expect(call(0.02) == DEPTH_OK && map.unit == DEPTH_METRES, "\(CCalls.text(failure))")
    #expect(found == expected.values)
    #expect(call(0) == DEPTH_INVALID_ARGUMENT && call(.nan) == DEPTH_INVALID_ARGUMENT)
    known.unit = Int32(DEPTH_RELATIVE_DISPARITY)
    #expect(call(0.02) == DEPTH_UNKNOWN_UNIT)
    (known.unit, known.height, known.width) = (Int32(DEPTH_METRES), 16, 192)
    #expect(call(0.02) == DEPTH_SIZE_MISMATCH)
  }

  @Test("a map file is replaced only on request") func filesRecordTheUnit() throws {
    let folder = try TemporaryFolder()
    var values: [Float] = [0.25, 0.5, 1, 0, 2, 4]
    func write(_ name: String, unit: Int, overwrite: Int32 = 0) -> depth_failure {
      var (map, failure) = (CCalls.map(), CCalls.failure)
      (map.height, map.width, map.value_count, map.unit) = (2, 3, 6, Int32(unit))
      _ = values.withUnsafeMutableBufferPointer {
        map.values = $0.baseAddress
        return writeMap(&map, folder.path(name), overwrite, &failure)
      }
      return failure
    }
    let written = write("d.png", unit: DEPTH_DISPARITY)
    #expect(written.status == DEPTH_OK, "\(CCalls.text(written))")
    let map = try DepthMap(contentsOf: folder.url("d.png"))
    #expect(map.unit == .disparity && map.height == 2 && map.width == 3)
    #expect(zip(map.values, values).allSatisfy { abs($0 - $1) < 1e-4 })
    #expect(CCalls.text(write("d.png", unit: DEPTH_METRES)).contains("exists already"))
    #expect(write("d.png", unit: DEPTH_METRES, overwrite: 1).status == DEPTH_OK)
    #expect(try DepthMap(contentsOf: folder.url("d.png")).unit == .metres)
    #expect(write("d.tiff", unit: DEPTH_METRES).status == DEPTH_UNSUPPORTED_FORMAT)
    #expect(write("d.pfm", unit: DEPTH_RELATIVE_ERROR).status == DEPTH_INVALID_ARGUMENT)
  }
}
