import AtomicFiles
import DepthErrors
public import DepthImages

extension DepthFileFormat {
  /// Whether a file of the format says what its numbers mean, or they are metres, which is what
  /// every reader takes them for.
  ///
  /// A PFM has three lines of header and no room for a comment that readers would skip; NumPy
  /// refuses a header with another key than its three. So neither can name a unit.
  public func canHold(_ unit: DepthMap.Unit) -> Bool { self == .png || unit == .metres }

  /// Fails as writing such a map would, so that nothing is computed in vain.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` unless ``canHold(_:)``.
  public func check(_ unit: DepthMap.Unit) throws {
    guard !canHold(unit) else { return }
    let found = unit == .disparity ? "disparity" : "normalized"
    let formats = Self.allCases.filter { $0.canHold(unit) }.map { ".\($0.rawValue)" }
    throw DepthError.unencodable(
      format: self == .npy ? "NumPy" : "PFM",
      reason: "cannot say that a map is \(found) and would be read as metres, "
        + "expected \(formats.joined(separator: " or "))")
  }
}
