import CDepthLibrary

/// The bytes from which ``FuzzTarget/libraryCalls`` makes right calls: fields in the order of `depth.h`.
enum LibraryCallSeed {
  /// A refinement of a PNG file, one of pixels in memory, two views with and without a map, and an estimator without weights.
  static func all(file: [UInt8]) -> [FuzzSeed] {
    let pixels = (0..<24 * 16 * 3).map { UInt8(truncatingIfNeeded: $0) }
    let photo = picture(format: DEPTH_PICTURE_FILE, height: 0, width: 0, file)
    let memory = picture(format: DEPTH_PICTURE_RGB, height: 16, width: 24, pixels)
    let known = map(height: 8, width: 12, count: 96)
    let refinement =
      [0] + field(0) + field(1) + field(DEPTH_REFINE_JOINT) + field(Int(Float(0.5).bitPattern))
      + [UInt8](repeating: 0, count: 40)
    let stereo =
      [0] + field(0) + field(1) + field(0.01) + field(0.5) + field(0.5)
      + [UInt8](repeating: 0, count: 16)
    let views = [0] + [UInt8](repeating: 0, count: 48) + [0] + count(24 * 16 * 3)
    let room = map(height: 0, width: 0, count: 24 * 16)
    return [
      FuzzSeed([0] + failure + photo + known + refinement + room),
      FuzzSeed([0] + failure + memory + known + refinement + room),
      FuzzSeed([1] + failure + photo + known + stereo + views),
      // No map, and none inside the file.
      FuzzSeed([1] + failure + photo + [255, 240] + stereo + views, isWhole: false),
      FuzzSeed(
        [2] + failure + [0] + [UInt8](repeating: 0, count: 40) + [1, 3, 65, 66, 67], isWhole: false),
    ]
  }

  private static let failure = [0] + [UInt8](repeating: 0, count: 1024)

  private static func picture(format: Int, height: Int, width: Int, _ bytes: [UInt8]) -> [UInt8] {
    [0] + field(0) + field(format) + [UInt8](repeating: 0, count: 16) + field(height) + field(width)
      + [UInt8](repeating: 0, count: 16) + count(bytes.count) + bytes
  }

  private static func map(height: Int, width: Int, count values: Int) -> [UInt8] {
    [0] + field(0) + field(DEPTH_METRES) + [UInt8](repeating: 0, count: 16) + field(height)
      + field(width) + [UInt8](repeating: 0, count: 8) + [0] + count(values)
      + (0..<values).flatMap { field(Int((Float($0 % 12 + 1) * 0.25).bitPattern)) }
  }

  private static func field(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func field(_ value: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(8 * $0)) }
  }

  private static func count(_ count: Int) -> [UInt8] { [UInt8(count >> 8), UInt8(count & 255)] }
}
