#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a photo yields no depth, or takes none in.
public enum DepthPhotoError: Error, Equatable, Sendable {
  /// The photo carries no depth in a format known here.
  case noEmbeddedDepth(file: String)
  /// The depth's description leaves something out or contradicts itself.
  case incomplete(file: String, format: String, reason: String)
  /// Depth photos hold metres; a normalised map has lost its scale.
  case noUnit
}

extension DepthPhotoError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noEmbeddedDepth(let file):
      "\(file): carries no depth map (looked for GDepth and Dynamic Depth)"
    case .incomplete(let file, let format, let reason): "\(file): damaged \(format): \(reason)"
    case .noUnit: "a depth photo needs depth in metres or disparity, found a map without unit"
    }
  }
}

extension DepthPhotoError: LocalizedError {
  public var errorDescription: String? { description }
}
