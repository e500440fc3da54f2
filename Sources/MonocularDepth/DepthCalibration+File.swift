import DepthBase
import DepthErrors
public import SystemEssentials

/// Calibrations as JSON files.
extension DepthCalibration {
  /// Reads a file that ``write(to:overwrite:)`` has written.
  ///
  /// - Throws: `DepthError` with code `damaged` or `unreadable`.
  public init(contentsOf url: URL) throws {
    let bytes = try InputFile.bytes(of: url, maximumBytes: 1 << 24)
    func damaged(_ reason: String, cause: SettingAtFault? = nil) -> DepthError {
      DepthError(.damaged, file: url.relativePath, "is not a calibration: \(reason)", cause: cause)
    }
    do {
      self = try JSONDecoder().decode(CalibrationFile.self, from: Data(bytes)).calibration
    } catch DecodingError.dataCorrupted(let context)
      where context.codingPath.isEmpty && context.underlyingError == nil && Self.isJSON(bytes)
    {
      throw damaged(context.debugDescription)
    } catch DecodingError.keyNotFound(let key, let context) {
      throw damaged("the key '\(Self.path(context.codingPath + [key]))' is missing")
    } catch DecodingError.typeMismatch(_, let context) where !context.codingPath.isEmpty,
      DecodingError.valueNotFound(_, let context) where !context.codingPath.isEmpty
    {
      throw damaged("the key '\(Self.path(context.codingPath))' has a value of the wrong type")
    } catch {
      throw damaged("expected the JSON object of a calibration", cause: .calibration)
    }
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    struct AnyValue: Decodable {}
    return (try? JSONDecoder().decode(AnyValue.self, from: Data(bytes))) != nil
  }

  /// A key with its parent keys, such as `points.0.metres`.
  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }

  /// The JSON object on one line.
  ///
  /// - Throws: `EncodingError` when a number is not finite.
  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(CalibrationFile(self))) + [UInt8(ascii: "\n")]
  }

  /// Writes a JSON file atomically.
  ///
  /// - Throws: `DepthError`. No partial file remains.
  public func write(to url: URL, overwrite: Bool = true) throws {
    try AtomicFile.write(encoded(), to: url, overwrite: overwrite)
  }
}
