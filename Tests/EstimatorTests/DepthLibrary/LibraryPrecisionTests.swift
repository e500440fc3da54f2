import CDepthLibrary
import DepthImages
import DepthLibrary
import Foundation
import MonocularDepth
import Testing
import _TestSupport

/// The precision of `depth_open`.
@Suite struct LibraryPrecisionTests {
  private static let weights = URL(
    fileURLWithPath: packageFolder + "/Weights/fcrn-lite2-nyu-int8.h5")

  private func precision(of opened: CCalls.Opened) throws -> Int {
    var (precision, failure) = (Int32(-1), CCalls.failure)
    let status = estimatorPrecision(opened.pointer, &precision, &failure)
    try #require(status == DEPTH_OK, "\(CCalls.text(failure))")
    return Int(precision)
  }

  private func map(of photo: Image, by opened: CCalls.Opened) throws -> [Float] {
    var (map, failure) = (CCalls.map(), CCalls.failure)
    var options = CCalls.refinement { $0.method = Int32(DEPTH_REFINE_NONE) }
    var values = [Float](repeating: 0, count: PackagedMap.area)
    let count = UInt64(values.count)
    let status = CCalls.withPicture(
      photo.pixels, format: DEPTH_PICTURE_RGB, height: photo.height, width: photo.width
    ) { picture in
      values.withUnsafeMutableBufferPointer {
        (map.values, map.value_count) = ($0.baseAddress, count)
        return CCalls.depthEstimate(opened.pointer, &picture, &options, &map, nil, &failure)
      }
    }
    try #require(status == DEPTH_OK, "\(CCalls.text(failure))")
    return values
  }

  @Test(
    "depth.h and the library give equal maps at each precision",
    arguments: [
      (DEPTH_PRECISION_FLOAT32, Precision.float32), (DEPTH_PRECISION_INT8, .int8),
      (DEPTH_PRECISION_AUTO, .auto),
    ])
  func mapsAreThoseOfTheLibrary(number: Int, precision: Precision) throws {
    let estimator = try DepthEstimator(.file(Self.weights), threads: 1, precision: precision)
    let opened = try CCalls.Opened(precision: number)
    let taken = estimator.precision == .int8 ? DEPTH_PRECISION_INT8 : DEPTH_PRECISION_FLOAT32
    #expect(try self.precision(of: opened) == taken)
    let photo = CCalls.photo()
    #expect(
      try map(of: photo, by: opened)
        == estimator.estimate(of: photo, options: .unrefined).depth.values)
  }

  /// Bytes beyond the structure of an older program are not read.
  @Test("a program with an older structure gets floats") func olderStructuresGetFloats() throws {
    let opened = try CCalls.Opened(precision: DEPTH_PRECISION_INT8, structSize: 24)
    #expect(try precision(of: opened) == DEPTH_PRECISION_FLOAT32)
  }

  @Test("an unknown precision and missing pointers are refused")
  func unknownPrecisionsAreRefused() throws {
    for (precision, inputSize, text) in [
      (Int32(3), Int32(0), "the precision is 3, expected one of DEPTH_PRECISION_…"),
      (-1, 0, "the precision is -1, expected one of DEPTH_PRECISION_…"),
    ] {
      var (options, failure) = (depth_open_options(), CCalls.failure)
      options.struct_size = UInt32(MemoryLayout<depth_open_options>.size)
      (options.precision, options.input_size) = (precision, inputSize)
      var estimator: OpaquePointer?
      #expect(openEstimator(&options, &estimator, &failure) == DEPTH_INVALID_ARGUMENT)
      #expect(CCalls.text(failure) == text && estimator == nil)
    }
    var failure = CCalls.failure
    var precision: Int32 = -1
    #expect(estimatorPrecision(nil, &precision, &failure) == DEPTH_INVALID_ARGUMENT)
    let opened = try CCalls.Opened()
    #expect(estimatorPrecision(opened.pointer, nil, &failure) == DEPTH_INVALID_ARGUMENT)
    #expect(precision == -1)
  }

  @Test("int8 is refused for uncalibrated weights")
  func uncalibratedWeightsHaveNoIntegers() throws {
    let folder = try TemporaryFolder()
    let weights = GeneratedWeights(widthDivisor: 16)
    try writeHDF5(weights, attributes: weights.attributes, to: folder.path("w.h5"), version: 2)
    var (options, failure) = (depth_open_options(), CCalls.failure)
    options.struct_size = UInt32(MemoryLayout<depth_open_options>.size)
    options.precision = Int32(DEPTH_PRECISION_INT8)
    var estimator: OpaquePointer?
    let status = folder.path("w.h5").withCString { path in
      var names: [UnsafePointer<CChar>?] = [path]
      return names.withUnsafeMutableBufferPointer {
        options.weights = UnsafePointer($0.baseAddress)
        options.weights_count = 1
        return openEstimator(&options, &estimator, &failure)
      }
    }
    #expect(status == DEPTH_WEIGHTS && estimator == nil)
    #expect(CCalls.text(failure).contains("has no activation scales"))
  }
}
