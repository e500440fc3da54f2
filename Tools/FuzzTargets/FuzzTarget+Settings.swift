import DepthImages
import DepthRefinement
import FrameStreams
import MonocularDepth
import PictureFiles
import ProximityAlerts
import StereoPhotos
import SystemEssentials
import ViewSynthesis

/// Settings of calls and words of command lines.
extension FuzzTarget {
  /// The first byte is the kind of setting, JSON follows.
  func readSetting(_ bytes: [UInt8]) throws {
    guard let kind = bytes.first else { throw Refused() }
    let json = Data(bytes.dropFirst())
    switch kind & 15 {
    case 0: _ = try? Self.map.calibrated(by: setting(DepthCalibration.self, json))
    case 1:
      // Windows and passes of the largest filters take minutes even here.
      let method = try setting(RefinementMethod.self, json)
      if Self.isFast(method) { _ = try? Self.map.refined(guidedBy: Self.image, method: method) }
    case 2:
      _ = try? Self.image.stereoPair(depth: Self.map, options: setting(StereoOptions.self, json))
    case 3: _ = try setting(StereoOutput.self, json)
    case 4: _ = try setting(StereoFormat.self, json)
    case 5: _ = try Self.image.encoded(as: setting(ImageFileFormat.self, json))
    case 6: _ = try setting(ImageLimits.self, json)
    case 7: _ = try? Camera(of: Self.image, focalLength: setting(Camera.FocalLength.self, json))
    case 8: _ = try setting(Camera.self, json)
    case 9: _ = try setting(OutputResolution.self, json)
    case 10: _ = try setting(DepthFileMetadata.self, json)
    case 11: _ = try setting(WeightsSelection.self, json)
    case 12: _ = try setting(PhotoCamera.self, json)
    case 13: _ = try setting(DepthMap.Unit.self, json)
    case 14: _ = try setting(MetadataPolicy.self, json)
    default: _ = try setting(PixelFormat.self, json)
    }
  }

  /// A value that is the same again after it was written and read.
  private func setting<Value: Codable & Equatable>(
    _ type: Value.Type, _ json: Data
  ) throws -> Value {
    let value = try JSONDecoder().decode(type, from: json)
    let again = try? JSONDecoder().decode(type, from: JSONEncoder().encode(value))
    try require(again == value, "a setting written and read")
    return value
  }

  private static func isFast(_ method: RefinementMethod) -> Bool {
    switch method {
    case .none: true
    case .bilateral(let filter): filter.radius <= 16
    case .gaussian(let filter): filter.radius <= 16
    case .joint(let filter): filter.passes <= 2
    }
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
