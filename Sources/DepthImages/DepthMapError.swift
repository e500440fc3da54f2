#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a depth map cannot be converted.
public enum DepthMapError: Error, Equatable, Sendable {
  /// A normalised map has lost its scale; no distances follow from it.
  case noUnit
}

extension DepthMapError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noUnit: "the depth map is normalised and has no unit, expected metres or disparity"
    }
  }
}

extension DepthMapError: LocalizedError {
  public var errorDescription: String? { description }
}
