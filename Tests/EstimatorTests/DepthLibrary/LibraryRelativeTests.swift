import CDepthLibrary
import DepthImages
import DepthLibrary
import Foundation
import Testing
import _TestSupport

/// Relative weights and input sizes through `depth.h`.
@Suite struct LibraryRelativeTests {
  private func opened(
    _ path: String, inputSize: Int32, tokens: Int32 = 0, _ failure: inout depth_failure
  ) -> (estimator: OpaquePointer?, status: depth_status) {
    var options = depth_open_options()
    options.struct_size = UInt32(MemoryLayout<depth_open_options>.size)
    (options.threads, options.mirrored) = (2, 0)
    (options.input_size, options.tokens) = (inputSize, tokens)
    let name = strdup(path)
    defer { free(name) }
    var names: [UnsafePointer<CChar>?] = [UnsafePointer(name)]
    var estimator: OpaquePointer?
    let status = names.withUnsafeMutableBufferPointer {
      options.weights = UnsafePointer($0.baseAddress)
      options.weights_count = 1
      return openEstimator(&options, &estimator, &failure)
    }
    return (estimator, status)
  }

  @Test("a map states whether its unit is metric or relative") func mapsSayTheirUnit() throws {
    let folder = try TemporaryFolder()
    for (largest, unit) in [(nil, DEPTH_RELATIVE_DISPARITY), (20.0, DEPTH_METRES)] {
      let weights = GeneratedWeights.depthAnything(largest: largest)
      let path = folder.path("w\(unit).h5")
      try writeHDF5(weights, attributes: weights.attributes, to: path, version: 2)
      var failure = CCalls.failure
      for size in [Int32(238), 253, -1, 2000] {
        let refused = opened(path, inputSize: size, &failure)
        #expect(refused.status == DEPTH_INVALID_ARGUMENT && refused.estimator == nil)
        #expect(CCalls.text(failure).contains("a multiple of 14"))
      }
      #expect(
        opened(path, inputSize: 0, tokens: 1200, &failure).status == DEPTH_INVALID_ARGUMENT)
      #expect(CCalls.text(failure).contains("does not take a number of tokens"))
      let (pointer, _) = opened(path, inputSize: 252, &failure)
      let estimator = try #require(pointer, "\(CCalls.text(failure))")
      defer { closeEstimator(estimator) }
      let pixels = testImage(height: 30, width: 40).pixels
      pixels.withUnsafeBufferPointer { bytes in
        var photo = depth_picture()
        photo.struct_size = UInt32(MemoryLayout<depth_picture>.size)
        (photo.format, photo.bytes) = (
          Int32(DEPTH_PICTURE_RGB), UnsafeRawPointer(bytes.baseAddress)
        )
        (photo.byte_count, photo.height, photo.width) = (UInt64(bytes.count), 30, 40)
        var options = CCalls.refinement { $0.method = Int32(DEPTH_REFINE_NONE) }
        var map = CCalls.map()
        #expect(estimate(estimator, &photo, &options, &map, nil, &failure) == DEPTH_OK)
        #expect((map.height, map.width, map.unit) == (252, 336, Int32(unit)))
        var values = [Float](repeating: -1, count: 252 * 336)
        var facts = depth_estimate_facts()
        facts.struct_size = UInt32(MemoryLayout<depth_estimate_facts>.size)
        values.withUnsafeMutableBufferPointer {
          (map.values, map.value_count) = ($0.baseAddress, UInt64($0.count))
          #expect(estimate(estimator, &photo, &options, &map, &facts, &failure) == DEPTH_OK)
        }
        // The depth factor exists only for metres.
        #expect(facts.depth_factor.isNaN == (largest == nil))
        #expect(facts.focal_exponent.isNaN == (largest == nil))
        #expect(values.allSatisfy { $0 >= 0 } && map.unit == Int32(unit))
        // The resulting map is a valid input in the map's unit.
        var refined = CCalls.map()
        values.withUnsafeMutableBufferPointer {
          (map.values, map.value_count) = ($0.baseAddress, UInt64($0.count))
          #expect(refine(&photo, &map, nil, &refined, &failure) == DEPTH_OK)
        }
        #expect((refined.height, refined.width, refined.unit) == (30, 40, Int32(unit)))
      }
    }
  }

  @Test("a network of fixed input size refuses other sizes") func otherNetworksTakeNoSize() throws {
    var failure = CCalls.failure
    let refused = opened(
      packageFolder + "/Weights/fcrn-lite2-nyu-int8.h5", inputSize: 308, &failure)
    #expect(refused.status == DEPTH_INVALID_ARGUMENT)
    #expect(CCalls.text(failure).contains("has one input size"))
  }
}
