import CDepthLibrary
import DepthImages

/// Depth maps in the caller's memory.
enum CallerMap {
  /// Copies a map from the caller's memory.
  ///
  /// - Throws: ``CallFailure``, or `DepthError` above the limits.
  static func map(_ map: UnsafePointer<depth_map>?, limits: ImageLimits) throws -> DepthMap {
    let map = try unsafe read(required(map, "the depth map"), defaults: depth_map(), "depth_map")
    let (height, width) = unsafe (Int(map.height), Int(map.width))
    try limits.check(width: width, height: height, file: "the depth map")
    guard let values = unsafe map.values else {
      throw CallFailure.invalidArgument("the values of the depth map are NULL, expected floats")
    }
    let row = try unsafe rowFloats(map, width: width)
    try unsafe checkRoom(map, height: height, width: width, row: row)
    let unit = try unsafe unit(map.unit)
    let copied = unsafe [Float](unsafeUninitializedCapacity: height * width) { to, count in
      for y in 0..<height {
        unsafe (to.baseAddress! + y * width).initialize(from: values + y * row, count: width)
      }
      count = height * width
    }
    return DepthMap(height: height, width: width, unit: unit, values: copied)
  }

  /// The destination of a result in the caller's memory, whose size is checked before the computation.
  @safe struct Target {
    private let target: UnsafeMutablePointer<depth_map>
    private let map: depth_map
    private let row: Int

    /// - Parameters:
    ///   - map: The caller's structure.
    ///   - size: Rows and columns of the result.
    ///   - unit: A unit of `depth.h`, such as `DEPTH_METRES`.
    /// - Throws: ``CallFailure`` if the memory is too small.
    init(
      _ map: UnsafeMutablePointer<depth_map>?, size: (height: Int, width: Int), unit: Int32
    ) throws {
      unsafe target = try unsafe required(map, "the map")
      var map = try unsafe read(target, defaults: depth_map(), "depth_map")
      unsafe map.unit = unit
      unsafe (map.height, map.width) = try sides(size.height, size.width)
      var row = 0
      if unsafe map.values != nil {
        row = try unsafe rowFloats(map, width: size.width)
        try unsafe checkRoom(map, height: size.height, width: size.width, row: row)
      }
      self.row = row
      unsafe self.map = map
    }

    /// Whether values are requested, not only their number.
    var wantsValues: Bool { unsafe map.values != nil }

    /// Writes the size, the unit and, if requested, the values.
    ///
    /// - Parameter result: A map of the target's size; `nil` if nothing was computed.
    func write(_ result: DepthMap?) throws {
      if let result, let values = unsafe map.values {
        try unsafe result.copyValues(
          into: UnsafeMutableBufferPointer(
            start: values, count: (result.height - 1) * row + result.width), floatsPerRow: row)
      }
      unsafe DepthLibrary.write(map, to: target)
    }
  }

  private static func rowFloats(_ map: depth_map, width: Int) throws -> Int {
    let row = unsafe map.row_floats == 0 ? width : Int(map.row_floats)
    // A range would trap if `width` exceeded the upper bound. Headers of files may state such a width.
    try require(
      row >= width && row <= 1 << 30,
      "the rows of the map are \(row) floats apart, expected \(width) to \(1 << 30)")
    return row
  }

  private static func checkRoom(_ map: depth_map, height: Int, width: Int, row: Int) throws {
    let needed = UInt64((height - 1) * row + width)
    let count = unsafe map.value_count
    try require(
      count >= needed,
      "the map has \(count) values, expected at least \(needed) for \(width)×\(height)")
  }

  private static func unit(_ unit: Int32) throws -> DepthMap.Unit {
    switch Int(unit) {
    case DEPTH_METRES: .metres
    case DEPTH_DISPARITY: .disparity
    case DEPTH_NORMALIZED_NEAR_WHITE: .normalized(near: .white)
    case DEPTH_NORMALIZED_NEAR_BLACK: .normalized(near: .black)
    case DEPTH_RELATIVE_DISPARITY: .relativeDisparity
    default:
      throw CallFailure.invalidArgument(
        "the unit of the map is \(unit), expected DEPTH_METRES to DEPTH_RELATIVE_DISPARITY")
    }
  }

  static func number(of unit: DepthMap.Unit) -> Int32 {
    switch unit {
    case .metres: Int32(DEPTH_METRES)
    case .disparity: Int32(DEPTH_DISPARITY)
    case .normalized(.white): Int32(DEPTH_NORMALIZED_NEAR_WHITE)
    case .normalized(.black): Int32(DEPTH_NORMALIZED_NEAR_BLACK)
    case .relativeDisparity: Int32(DEPTH_RELATIVE_DISPARITY)
    }
  }
}
