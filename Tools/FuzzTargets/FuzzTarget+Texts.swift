import DepthImages
import DepthRefinement
import FrameStreams
import MonocularDepth
import PictureFiles
import ProximityAlerts
import StereoPhotos
import SystemEssentials
import ViewSynthesis

/// Calibrations, and words of command lines.
extension FuzzTarget {
  func readCalibration(_ bytes: [UInt8]) throws {
    let value = try JSONDecoder().decode(CalibrationFile.self, from: Data(bytes))
    let again = try? JSONDecoder().decode(CalibrationFile.self, from: JSONEncoder().encode(value))
    try require(again == value, "a calibration written and read")
    _ = try? Self.map.calibrated(by: value.calibration)
  }

  /// The first byte is what the text is of.
  func readText(_ bytes: [UInt8]) throws {
    guard let kind = bytes.first,
      let text = String(validating: bytes.dropFirst(), as: UTF8.self)
    else { throw Refused() }
    func found<Value>(_ value: Value?) throws -> Value {
      guard let value else { throw Refused() }
      return value
    }
    switch kind & 7 {
    case 0:
      let zone = try found(ProximityZone(text))
      let pixels = zone.pixels(height: 6, width: 8)
      try require(pixels.allSatisfy((0..<48).contains), "pixels of a zone")
    case 1: try require(found(Grid(text)).count > 0, "tiles")
    case 2: try require(found(PixelSize(text)).width > 0, "a side")
    case 3:
      let ratio = try found(Ratio(text))
      try require(ratio.value == ratio.reduced.value || ratio.value == nil, "a reduced ratio")
    case 4: try require(StoredUnit.names.contains(found(StoredUnit(name: text)).name), "a unit")
    case 5: _ = try? Self.map.refined(guidedBy: Self.image, method: .none, resolution: small(text))
    case 6: try require(found(StereoFormat(name: text)).name.hasPrefix(text), "a format")
    default: _ = try Y4MHeader(Array(text.utf8), file: "fuzz")
    }
  }

  /// Sizes of a few pixels; larger ones take their time.
  private func small(_ text: String) throws -> OutputResolution {
    guard let resolution = OutputResolution(text) else { throw Refused() }
    if case .size(let height, let width) = resolution, max(height, width) > 64 { throw Refused() }
    return resolution
  }
}
