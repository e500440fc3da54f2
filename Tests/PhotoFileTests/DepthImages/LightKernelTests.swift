import DepthBase
import Testing
import _TestSupport

@testable import DepthImages

/// Kernels for means, mixtures and levels equal their scalar references on all instruction sets.
@Suite struct LightKernelTests {
  @Test(
    "area mean in linear light equals the reference",
    arguments: [
      (1, 1, 1, 3), (2, 8, 2, 4), (8, 6, 4, 6), (9, 31, 9, 15), (17, 33, 5, 7), (40, 3, 1, 1),
      (3, 5, 7, 9),
    ])
  func areaMean(size: (height: Int, width: Int, toHeight: Int, toWidth: Int)) {
    let photo = MadeUpPictures.photo(height: size.height, width: size.width)
    func resized(_ isa: InstructionSet, threads: Int) -> [UInt8] {
      resizedByArea(
        photo.pixels, height: size.height, width: size.width, toHeight: size.toHeight,
        toWidth: size.toWidth, isa: isa, threads: threads)
    }
    let expected = ReferenceLight.areaMean(
      photo.pixels, height: size.height, width: size.width, toHeight: size.toHeight,
      toWidth: size.toWidth)
    let first = resized(.baseline, threads: 1)
    expectClose(first.map(Double.init), expected, absolute: 0.502)
    for isa in InstructionSet.supported { #expect(resized(isa, threads: 3) == first) }
  }

  /// Each byte begins at the light of the byte's code minus ½, also in the dark.
  @Test("light becomes the nearest sRGB code") func codesAreTheNearest() {
    let codes = SRGB.codes
    for byte in 1...255 {
      let threshold = Float(ReferenceLight.light(ofCode: Double(byte) - 0.5))
      #expect(codes.code(of: threshold * 0.99999) == UInt8(byte - 1))
      #expect(codes.code(of: threshold * 1.00001) == UInt8(byte))
      #expect(codes.code(of: SRGB.linear[byte]) == UInt8(byte))
    }
    #expect(
      [-1, 0, 1e-30, 1, 7, .infinity].map { codes.code(of: $0) } == [0, 0, 0, 255, 255, 255])
  }

  @Test("mixtures in linear light equal the reference", arguments: [1, 2, 5, 63])
  func mixtures(width: Int) {
    let left = MadeUpPictures.photo(height: 3, width: width, seed: 5).pixels
    let right = MadeUpPictures.photo(height: 3, width: width, seed: 6).pixels
    // Negative and large factors clip some sums at both ends.
    let a: [Float] = [0.437, 0.449, 0.164, -0.062, -0.062, -0.024, -0.048, -0.05, -0.017]
    let b: [Float] = [-0.011, -0.032, -0.007, 0.377, 0.761, 0.009, -0.026, -0.093, 1.934]
    func mixed(_ isa: InstructionSet, threads: Int) -> [UInt8] {
      mixedInLinearLight(
        left, right, height: 3, width: width, leftMatrix: a, rightMatrix: b, isa: isa,
        threads: threads)
    }
    let first = mixed(.baseline, threads: 1)
    // Steps of light are coarse in the dark.
    expectClose(
      first.map(Double.init),
      ReferenceLight.mixed(left, right, leftMatrix: a, rightMatrix: b), absolute: 0.65)
    for isa in InstructionSet.supported { #expect(mixed(isa, threads: 2) == first) }
  }

  @Test(
    "levels and colors of a map equal their formula",
    arguments: InstructionSet.supported, [(1, 1), (3, 7), (2, 65)])
  func levels(isa: InstructionSet, size: (height: Int, width: Int)) {
    let count = size.height * size.width
    var values: [Float] = MadeUpPictures.values(count).map { 0.2 + 5 * $0 }
    let special: [Float] = [0, .nan, .infinity, -1, .leastNonzeroMagnitude, 1e30]
    for (index, value) in special.enumerated() where index < count / 2 {
      values[2 * index] = value
    }
    let colors = (0..<256 * 3).map { (index: Int) -> UInt8 in UInt8((index * 37 + 5) % 256) }
    let cases: [(ClosedRange<Float>, Int)] = [(0.25...2, 255), (0.25...2, 65535), (1...1, 255)]
    for unit in [DepthMap.Unit.metres, .disparity, .relativeDisparity] {
      let map = DepthMap(height: size.height, width: size.width, unit: unit, values: values)
      for (range, steps) in cases {
        let expected = values.map { value -> UInt16 in
          guard map.hasValue(value) else { return 77 }
          let disparity = unit == .metres ? 1 / value : value
          let low = Double(range.lowerBound)
          let share = (Double(disparity) - low) / (Double(range.upperBound) - low)
          guard !share.isNaN else { return 0 }
          let level = min(max(share, 0), 1) * Double(steps)
          return UInt16(level.rounded())
        }
        let found = map.levels(range, steps: steps, missing: 77, isa: isa)
        #expect(
          zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(unit), \(steps)")
        #expect(found == map.levels(range, steps: steps, missing: 77, isa: .baseline))
        guard steps == 255 else { continue }
        let picture = map.colored(colors, range, missing: 128, isa: isa)
        for (index, level) in found.enumerated() {
          let color = (0..<3).map {
            map.hasValue(values[index]) ? colors[Int(level) * 3 + $0] : 128
          }
          #expect(Array(picture[3 * index..<3 * index + 3]) == color)
        }
      }
    }
  }
}
