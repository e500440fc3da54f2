import DepthEffects
import DepthErrors
import DepthImages
import DepthRefinement
import Testing
import _TestSupport

/// O. L. Brown's mask equals two clamped lines in 64 bits.
@Suite struct FocusMaskTests {
  /// The minimum of the two lines in Brown's `createMask(for:withFocus:)`.
  static func reference(_ d: Double, focus: Double, slope: Double, width: Double) -> Double {
    let filterWidth = 2 / slope + width
    let left = slope * d - slope * (focus - filterWidth / 2)
    let right = -slope * d + slope * (focus + filterWidth / 2)
    return min(min(max(left, 0), 1), min(max(right, 0), 1))
  }

  /// A map with the normalized disparities `shares`, between 0.5 and 4 metres.
  private static func map(_ shares: [Double], unit: DepthMap.Unit, width: Int) -> DepthMap {
    let values = shares.map { share -> Float in
      let disparity = 0.25 + share * 1.75
      return switch unit {
      case .metres: Float(1 / disparity)
      case .disparity: Float(disparity)
      case .relativeDisparity: Float(disparity * 12 - 3)
      case .normalized(.white): Float(share)
      case .normalized(.black): Float(1 - share)
      }
    }
    return DepthMap(height: shares.count / width, width: width, unit: unit, values: values)
  }

  private static let units: [DepthMap.Unit] = [
    .metres, .disparity, .relativeDisparity, .normalized(near: .white), .normalized(near: .black),
  ]

  @Test(
    "focus mask is the lower of two clamped lines",
    arguments: units, [(1, 2), (3, 7), (13, 31)])
  func isTheLowerOfTwoClampedLines(unit: DepthMap.Unit, size: (Int, Int)) throws {
    let count = size.0 * size.1
    var shares = MadeUpPictures.values(count).map(Double.init)
    (shares[0], shares[count - 1]) = (0, 1)
    let map = Self.map(shares, unit: unit, width: size.1)
    let photo = MadeUpPictures.photo(height: size.0, width: size.1)
    for (focus, slope, width) in [(0.75, 4.0, 0.1), (0, 9, 0), (0.3, 0.5, 1)] {
      let shape = FocusMask(slope: slope, width: width)
      let masks = try [1, 2, 5].map {
        try photo.focusMask(
          depth: map, focus: .normalized(focus), shape: shape, threads: $0)
      }
      #expect(masks[0] == masks[1] && masks[0] == masks[2])
      let expected = shares.map {
        Self.reference($0, focus: focus, slope: slope, width: width)
      }
      expectClose(masks[0].values, expected, absolute: 1e-5)
    }
  }

  @Test("the default mask is 1 within 0.05, 0 beyond 0.3") func plateauAndZeroPoints() throws {
    let shares = [0, 0.449, 0.451, 0.575, 0.701, 0.75, 0.799, 0.9, 1]
    let mask = try MadeUpPictures.photo(height: 1, width: shares.count).focusMask(
      depth: Self.map(shares, unit: .metres, width: shares.count), focus: .normalized(0.75))
    let expected = [0, 0, 0.004, 0.5, 1, 1, 1, 0.6, 0.2]
    expectClose(mask.values, expected, absolute: 1e-4)
  }

  @Test("metres, point and share of one distance give equal masks")
  func metresAndPointsAreTheSameFocus() throws {
    let shares = (0..<40).map { Double($0) / 39 }
    let map = Self.map(shares, unit: .metres, width: 8)
    let photo = MadeUpPictures.photo(height: 5, width: 8)
    let wanted = try photo.focusMask(depth: map, focus: .normalized(shares[19]))
    let metres = try photo.focusMask(depth: map, focus: .metres(1 / (0.25 + shares[19] * 1.75)))
    let point = try photo.focusMask(depth: map, focus: .point(x: 3, y: 2))
    expectClose(metres.values, wanted.values.map(Double.init), absolute: 1e-5)
    expectClose(point.values, wanted.values.map(Double.init), absolute: 1e-5)
  }

  @Test("missing depth is black in masks") func noValueIsBlackAndAConstantMapIsTheMiddle() throws {
    let photo = MadeUpPictures.photo(height: 1, width: 4)
    let gaps = DepthMap(height: 1, width: 4, unit: .metres, values: [1, 0, .nan, 2])
    #expect(try photo.focusMask(depth: gaps, focus: .normalized(1)).values == [1, 0, 0, 0])
    let flat = DepthMap(height: 1, width: 4, unit: .metres, values: [2, 2, 2, 2])
    #expect(
      try photo.focusMask(depth: flat, focus: .normalized(0.5)).values == [1, 1, 1, 1])
    #expect(try photo.focusMask(depth: flat, focus: .normalized(1)).values == [0, 0, 0, 0])
  }

  /// Cubic interpolation of the small mask with Keys' kernel for a = −0.75.
  @Test("bicubic scaling of masks uses Keys' kernel for -0.75")
  func bicubicScalingIsThatOfBrown() throws {
    var shares = MadeUpPictures.values(5 * 6).map(Double.init)
    (shares[0], shares[29]) = (0, 1)
    let map = Self.map(shares, unit: .metres, width: 6)
    let photo = MadeUpPictures.photo(height: 13, width: 17)
    let mask = try photo.focusMask(
      depth: map, focus: .normalized(0.4), shape: FocusMask(scaling: .bicubic), threads: 2)
    let small = shares.map { Self.reference($0, focus: 0.4, slope: 4, width: 0.1) }
    func kernel(_ t: Double) -> Double {
      let a = -0.75
      if t < 1 { return (a + 2) * t * t * t - (a + 3) * t * t + 1 }
      return t < 2 ? a * t * t * t - 5 * a * t * t + 8 * a * t - 4 * a : 0
    }
    var expected: [Double] = []
    for y in 0..<13 {
      for x in 0..<17 {
        let (v, u) = ((Double(y) + 0.5) * 5 / 13 - 0.5, (Double(x) + 0.5) * 6 / 17 - 0.5)
        var sum = 0.0
        for row in -3..<9 {
          for column in -3..<10 {
            let value = small[min(max(row, 0), 4) * 6 + min(max(column, 0), 5)]
            sum += kernel(abs(v - Double(row))) * kernel(abs(u - Double(column))) * value
          }
        }
        expected.append(min(max(sum, 0), 1))
      }
    }
    expectClose(mask.values, expected, absolute: 1e-5)
  }

  @Test("a photo's point maps to the map pixel that covers it") func pointsAreThoseOfTheMap() {
    // A map of 2 columns and 3 rows over a photo of 4 × 6.
    let map = DepthMap(height: 3, width: 2, unit: .metres, values: [1, 2, 3, 4, 5, 6])
    for (x, column) in [0, 0, 1, 1].enumerated() {
      for (y, row) in [0, 0, 1, 1, 2, 2].enumerated() {
        #expect(
          DepthFocus.point(x: x, y: y).scaled(fromHeight: 6, width: 4, to: map)
            == .point(x: column, y: row))
      }
    }
    // The center of three columns is on the boundary, which belongs to the right column.
    for (x, column) in [0, 1, 1].enumerated() {
      #expect(
        DepthFocus.point(x: x, y: 0).scaled(fromHeight: 3, width: 3, to: map)
          == .point(x: column, y: 0))
    }
    // This map is larger than the photo.
    for (x, column) in [1, 4, 7].enumerated() {
      let large = DepthMap(
        height: 1, width: 9, unit: .metres, values: .init(repeating: 1, count: 9))
      #expect(
        DepthFocus.point(x: x, y: 0).scaled(fromHeight: 1, width: 3, to: large)
          == .point(x: column, y: 0))
    }
    // Points outside stay outside, so they are refused. Metres are not scaled.
    #expect(
      DepthFocus.point(x: 4, y: 0).scaled(fromHeight: 6, width: 4, to: map) == .point(x: 4, y: 0))
    #expect(DepthFocus.metres(2).scaled(fromHeight: 6, width: 4, to: map) == .metres(2))
  }

  @Test("a mask refuses maps of other proportions", arguments: [FocusMask.Scaling.bicubic, .joint])
  func mapsOfOtherProportionsAreRefused(scaling: FocusMask.Scaling) throws {
    let photo = MadeUpPictures.photo(height: 20, width: 10)
    for (height, isThePhotos) in [(10, false), (19, true), (20, true)] {
      let map = DepthMap(
        height: height, width: 10, unit: .metres, values: MadeUpPictures.values(10 * height))
      func mask() throws -> DepthMask {
        try photo.focusMask(depth: map, focus: .normalized(0.5), shape: FocusMask(scaling: scaling))
      }
      guard !isThePhotos else {
        #expect(try mask().height == 20)
        continue
      }
      let error = #expect(throws: DepthError.self) { try mask() }
      #expect(error?.code == .sizeMismatch)
    }
  }

  /// A map larger than the photo has exact edges. A smaller map needs the photo's edges.
  @Test("only a map smaller than the photo is filtered") func largerMapsAreNotFiltered() throws {
    let photo = MadeUpPictures.photo(height: 6, width: 8)
    for (height, width, method) in [
      (12, 16, RefinementMethod.none), (7, 8, .none), (6, 9, .none), (5, 8, .joint(JointFilter())),
      (3, 4, .joint(JointFilter())),
    ] {
      let map = DepthMap(
        height: height, width: width, unit: .metres,
        values: (0..<height * width).map { $0 % width * 2 < width ? 1 : 4 })
      let filtered = try map.refined(guidedBy: photo, method: .joint(JointFilter()))
      let plain = try map.refined(guidedBy: photo, method: .none)
      let wanted = try map.refined(guidedBy: photo, method: method)
      #expect(filtered != plain)
      #expect(try map.sized(for: photo, threads: 2) == wanted, "\(width)×\(height)")
    }
    let same = DepthMap(height: 6, width: 8, unit: .metres, values: MadeUpPictures.values(48))
    #expect(try same.sized(for: photo, threads: 2) == same)
  }

  @Test("a jointly scaled mask has the photo's size") func jointScalingHasThePhotosSize() throws {
    let map = Self.map((0..<30).map { Double($0) / 29 }, unit: .metres, width: 6)
    let photo = MadeUpPictures.photo(height: 25, width: 30)
    let mask = try photo.focusMask(depth: map, focus: .normalized(0.5))
    #expect(mask.height == 25 && mask.width == 30)
    #expect(mask.values.contains { $0 > 0.9 } && mask.values.contains { $0 < 0.1 })
  }

  private static func refusal(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing"
    } catch let error as DepthError { return error.message } catch { return "\(error)" }
  }

  /// A lens may focus where nothing is. A mask for this distance would be empty.
  @Test(
    "a lens may focus outside the map's range, a mask may not",
    arguments: [0.05, 0.5, 30] as [Double])
  func lensesAreFocusedAnywhere(distance: Double) throws {
    let photo = MadeUpPictures.photo(height: 40, width: 60)
    let map = DepthMap(
      height: 40, width: 60, unit: .metres, values: (0..<2400).map { $0 % 60 < 30 ? 2 : 4 })
    let blurred = try photo.lensBlur(
      depth: map, focus: .metres(distance), lens: Lens(radius: 0.05), threads: 1)
    #expect(blurred.pixels != photo.pixels)
    let mixed = try photo.maskedBlur(
      depth: map, focus: .metres(distance), radius: 0.05, threads: 1)
    #expect(mixed.pixels != photo.pixels)
    #expect(throws: DepthError.self) { try photo.focusMask(depth: map, focus: .metres(distance)) }
    for nonsense in [0, -1, .nan, 1e9] as [Double] {
      #expect(throws: DepthError.self) {
        try photo.lensBlur(depth: map, focus: .metres(nonsense), lens: Lens())
      }
    }
  }

  @Test("a wrong focus, map or shape is refused with a reason") func badFocusIsRefused() throws {
    let photo = MadeUpPictures.photo(height: 1, width: 4)
    let metric = DepthMap(height: 1, width: 4, unit: .metres, values: [1, 0, 3, 2])
    let bare = DepthMap(
      height: 1, width: 4, unit: .normalized(near: .white), values: [0, 1, 0.5, .nan])
    for (map, focus, message) in [
      (
        metric, DepthFocus.normalized(1.2),
        "the focus is 1.2, expected 0 (farthest) to 1 (nearest)"
      ),
      (metric, .normalized(.nan), "the focus is nan, expected 0 (farthest) to 1 (nearest)"),
      (
        metric, .metres(5), "the focus is 5.0 m, expected 1.0 to 3.0 m, the range of the depth map"
      ),
      (
        metric, .metres(-1),
        "the focus is -1.0 m, expected 1.0 to 3.0 m, the range of the depth map"
      ),
      (
        bare, .metres(2),
        "a focus in metres needs depth in metres or disparity, found a normalized map, which has no unit"
      ),
      (
        metric, .point(x: 4, y: 0), "the point of focus is 4,0, expected a pixel of the 4×1 photo"
      ),
      (
        metric, .point(x: 0, y: -1), "the point of focus is 0,-1, expected a pixel of the 4×1 photo"
      ),
      (
        metric, .point(x: 1, y: 0),
        "the depth map has no value at the point of focus 1,0; choose another"
      ),
      (
        bare, .point(x: 3, y: 0),
        "the depth map has no value at the point of focus 3,0; choose another"
      ),
    ] {
      #expect(
        Self.refusal { _ = try photo.focusMask(depth: map, focus: focus) } == message)
      // A lens may be focused at any distance.
      if case .metres = focus, map.unit == .metres { continue }
      #expect(Self.refusal { _ = try photo.lensBlur(depth: map, focus: focus) } == message)
    }
    let empty = DepthMap(height: 1, width: 4, unit: .metres, values: [0, 0, 0, 0])
    #expect(throws: DepthError.self) {
      try photo.focusMask(depth: empty, focus: .normalized(0.5))
    }
    let turned = DepthMap(height: 4, width: 1, unit: .metres, values: [1, 2, 3, 4])
    #expect(throws: DepthError.self) {
      try photo.focusMask(depth: turned, focus: .normalized(0.5))
    }
    for shape in [FocusMask(slope: 0), FocusMask(slope: .nan), FocusMask(width: -1)] {
      #expect(throws: DepthError.self) {
        try photo.focusMask(depth: metric, focus: .normalized(0.5), shape: shape)
      }
    }
  }

  /// A distance from the map is rounded to two digits, and may then exceed the map's range.
  @Test("a focus up to 1 % beyond the map's range is accepted")
  func aFocusRoundedToTwoDigitsIsAccepted() {
    let map = DepthMap(height: 1, width: 4, unit: .metres, values: [0.8, 1.5, 2.5, 2])
    let photo = MadeUpPictures.photo(height: 1, width: 4)
    for metres in [0.793, 2.524] {
      #expect(throws: Never.self, "\(metres)") {
        try photo.focusMask(depth: map, focus: .metres(metres))
      }
    }
    for metres in [0.791, 2.526] {
      #expect(throws: DepthError.self, "\(metres)") {
        try photo.focusMask(depth: map, focus: .metres(metres))
      }
    }
  }
}
