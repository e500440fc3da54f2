import DepthErrors
package import DepthImages
import DepthPhotos
package import PictureFiles

/// Which depth of a photo is used: the one rule of the command line, HTTP, C and Python.
package enum DepthChoice: String, CaseIterable, Codable, Hashable, Sendable {
  /// The depth inside the photo if it serves what is asked, else the network's.
  case auto
  /// The network's.
  case network
  /// That inside the photo.
  case embedded

  /// Where the depth of one photo comes from.
  package enum Chosen: Sendable {
    case embedded(DepthMap)
    /// It is to be estimated; `reason` says why the depth inside the photo does not serve, if there is some.
    case network(reason: String?)
  }

  /// Chooses the depth of a photo.
  ///
  /// Relative disparity and normalized maps serve where no distance is needed.
  ///
  /// - Parameters:
  ///   - purpose: What metres are needed for; `nil` where the order of depths is enough.
  ///   - admit: Called before depth inside the photo is decoded.
  /// - Throws: `DepthError`; for ``auto`` only where memory is missing.
  package func depth(
    of file: PhotoFile, metresFor purpose: String?, limits: ImageLimits, admit: () throws -> Void
  ) throws -> Chosen {
    func embedded() throws -> DepthMap {
      try admit()
      return try DepthPhoto.depth(
        decoding: file.bytes, name: file.name, limits: Self.limits(of: file, within: limits))
    }
    switch self {
    case .network: return .network(reason: nil)
    case .embedded: return .embedded(try embedded())
    case .auto: break
    }
    guard file.mentionsDepth else { return .network(reason: nil) }
    do {
      let map = try embedded()
      guard let fault = map.fault(inside: file, metresFor: purpose) else { return .embedded(map) }
      return .network(reason: "the depth inside the photo \(fault); depth is estimated")
    } catch let error as DepthError where error.code == .noDepth {
      return .network(reason: nil)
    } catch let error as DepthError where error.code != .insufficientMemory {
      return .network(
        reason: "the depth inside the photo cannot be used (\(error.message)); depth is estimated")
    }
  }

  /// The depth inside a photo may have as many pixels as the photo, or a megapixel: memory is asked for the photo's.
  private static func limits(of file: PhotoFile, within limits: ImageLimits) -> ImageLimits {
    var limits = limits
    let most = max(file.height * file.width, 1 << 20)
    limits.maximumPixels = min(limits.maximumPixels, most)
    return limits
  }
}

extension DepthMap {
  /// Why the map, found inside a photo, does not serve; `nil` if it does.
  fileprivate func fault(inside file: PhotoFile, metresFor purpose: String?) -> String? {
    if let purpose, !unit.isMetric { return "has no distances, which \(purpose) needs" }
    guard values.contains(where: hasValue) else { return "has no value" }
    let photo = file.uprightSize
    guard !hasAspect(height: photo.height, width: photo.width, within: Self.aspectTolerance) else {
      return nil
    }
    return "is \(width)×\(height), which does not fit \(photo.width)×\(photo.height)"
  }
}
