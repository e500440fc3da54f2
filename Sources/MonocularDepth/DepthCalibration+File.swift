import AtomicFiles
import DepthErrors
import DepthRefinement

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Calibrations as JSON files.
extension DepthCalibration {
  /// Reads a file that ``write(to:overwrite:)`` wrote.
  ///
  /// - Throws: `DepthError` with code `damaged` or `unreadable`.
  public init(contentsOf url: URL) throws {
    let bytes = try InputFile.bytes(of: url, maximumBytes: 1 << 24)
    func damaged(_ reason: String) -> DepthError {
      DepthError(.damaged, file: url.relativePath, "is not a calibration: \(reason)")
    }
    let record: Record
    do {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      record = try decoder.decode(Record.self, from: Data(bytes))
    } catch {
      throw damaged("expected a JSON object as 'depth calibrate' writes it")
    }
    guard record.format == Record.formatName, record.version == 1 else {
      throw damaged(
        "says \(record.format) version \(record.version), expected \(Record.formatName) version 1")
    }
    guard record.scale > 0, record.scale.isFinite, record.shift.isFinite else {
      throw damaged(
        "scale \(record.scale) and shift \(record.shift), expected a positive and a finite number")
    }
    // Files without a method were fitted to the network's own maps.
    let name = record.refinement ?? RefinementMethod.Name.none.rawValue
    guard let refinement = RefinementMethod.Name(rawValue: name) else {
      let names = RefinementMethod.Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw damaged("the refinement is '\(name)', expected \(names)")
    }
    self.init(
      scale: record.scale, shift: record.shift, weightsSHA256: record.weightsSha256,
      residuals: record.points.map {
        Residual(
          point: KnownPoint(x: $0.x, y: $0.y, metres: $0.metres), predicted: $0.predictedM,
          calibrated: $0.calibratedM)
      }, refinement: refinement)
  }

  /// The JSON object, one line.
  ///
  /// - Throws: `EncodingError` when a number is not finite.
  public func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(Record(self))) + [UInt8(ascii: "\n")]
  }

  /// Writes a JSON file, atomically.
  ///
  /// - Throws: `DepthError`; nothing is left behind then.
  public func write(to url: URL, overwrite: Bool = true) throws {
    try AtomicFile.write(encoded(), to: url, overwrite: overwrite)
  }
}

/// The object in the file.
private struct Record: Codable {
  static let formatName = "depth-calibration"

  struct Point: Codable {
    let x, y: Int
    let metres, predictedM, calibratedM, errorM: Double
  }

  let format: String
  let version: Int
  let scale, shift: Double
  let weightsSha256: String?
  /// Missing in files written before it was recorded.
  let refinement: String?
  let points: [Point]

  init(_ calibration: DepthCalibration) {
    (format, version) = (Self.formatName, 1)
    (scale, shift) = (calibration.scale, calibration.shift)
    weightsSha256 = calibration.weightsSHA256
    refinement = calibration.refinement.rawValue
    points = calibration.residuals.map {
      Point(
        x: $0.point.x, y: $0.point.y, metres: $0.point.metres, predictedM: $0.predicted,
        calibratedM: $0.calibrated, errorM: $0.error)
    }
  }
}
