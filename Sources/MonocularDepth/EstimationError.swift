#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a network gives no depth of a photo.
public enum EstimationError: Error, Equatable, Sendable {
  /// Every pixel came out as 0, infinite or no number, which weights that were trained never give.
  case noDepth(weights: String)
}

extension EstimationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noDepth(let weights):
      "\(weights): the network gives no pixel of the photo a depth, expected positive numbers"
    }
  }
}

extension EstimationError: LocalizedError {
  public var errorDescription: String? { description }
}
