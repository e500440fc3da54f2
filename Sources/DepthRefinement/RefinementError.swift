public import DepthImages

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a photo cannot refine a depth map.
public enum RefinementError: Error, Equatable, Sendable {
  /// The shapes differ by more than rounding explains.
  case aspectMismatch(depth: PixelSize, photo: PixelSize)

  /// Width and height in pixels.
  public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    public var width, height: Int

    public init(width: Int, height: Int) {
      (self.width, self.height) = (width, height)
    }

    public var description: String { "\(width)×\(height)" }
  }
}

extension RefinementError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .aspectMismatch(let depth, let photo):
      "depth is \(depth) and photo is \(photo), expected the same aspect unless stretched"
    }
  }
}

extension RefinementError: LocalizedError {
  public var errorDescription: String? { description }
}

extension DepthMap {
  /// Checks that a map from elsewhere has the shape of the photo it is said to belong to.
  ///
  /// Refinement itself stretches: a network's map covers the photo whatever its own shape. A map from
  /// a file may just be the wrong one, and this tells, up to one pixel of rounding on either side. A map of
  /// the size that the published network gives, 160×128 or upright 128×160, belongs to any photo that
  /// lies or stands likewise: the network stretches them all to one shape.
  ///
  /// - Throws: ``RefinementError/aspectMismatch(depth:photo:)``.
  public func checkAspect(of photo: Image) throws {
    guard !hasNetworkSize(for: photo) else { return }
    // Each side over the other's scale, in units of pixels of map and photo.
    let difference = abs(width * photo.height - height * photo.width)
    guard difference > max(width, height, photo.width, photo.height) else { return }
    throw RefinementError.aspectMismatch(
      depth: .init(width: width, height: height),
      photo: .init(width: photo.width, height: photo.height))
  }
}
