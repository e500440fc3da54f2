import DepthErrors
package import DepthImages
package import PictureFiles

/// The requested source of depth, for the command line, HTTP, C and Python. The accepted words are the raw
/// values of ``allCases``.
package enum DepthChoice: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
  /// Embedded depth if it is sufficient for the request, otherwise estimated depth.
  case auto
  /// Estimated depth.
  case network
  /// Embedded depth.
  case embedded
  /// The path of a depth file, for a single photo.
  case file(String)
  /// A folder of depth files that mirrors the tree of the photos.
  case folder(String)

  package static let allCases: [DepthChoice] = [.auto, .network, .embedded]

  /// - Parameter rawValue: A word.
  package init?(rawValue: String) {
    guard let choice = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = choice
  }

  package var rawValue: String {
    switch self {
    case .auto: "auto"
    case .network: "network"
    case .embedded: "embedded"
    case .file(let path), .folder(let path): path
    }
  }

  /// The source of a photo's depth after the choice.
  package enum Chosen: Sendable {
    /// The depth inside the photo, and a note on unusual properties.
    case embedded(DepthMap, note: String?)
    /// Depth is to be estimated. `reason` explains why embedded depth, if any, cannot be used.
    case network(reason: String?)
  }

  /// Chooses the depth of a photo. Relative disparity and normalized maps suffice unless metres are required.
  ///
  /// - Parameters:
  ///   - purpose: The feature that requires metres, for messages; `nil` if relative depth is enough.
  ///   - stretches: Whether depth with other proportions is stretched over the photo.
  ///   - admit: Reserves memory; called before embedded depth is decoded.
  /// - Throws: `DepthError`. ``auto`` throws only if memory is insufficient.
  /// - Precondition: The choice is not a file.
  package func depth(
    of file: PhotoFile, metresFor purpose: String?, stretches: Bool, limits: ImageLimits,
    admit: () throws -> Void
  ) throws -> Chosen {
    func embedded() throws -> EmbeddedDepth {
      try admit()
      return try DepthPhoto.embedded(
        decoding: file.bytes, name: file.name, limits: Self.limits(of: file, within: limits))
    }
    switch self {
    case .network: return .network(reason: nil)
    case .embedded:
      let depth = try embedded()
      let photo = file.uprightSize
      if !stretches {
        try DepthError.naming(file.name) {
          try depth.map.checkAspect(ofHeight: photo.height, width: photo.width)
        }
      }
      return .embedded(depth.map, note: depth.note)
    case .auto: break
    case .file, .folder: preconditionFailure("the depth of \(file.name) is in a file")
    }
    guard file.mentionsDepth else { return .network(reason: nil) }
    do {
      let depth = try embedded()
      guard let fault = depth.map.fault(inside: file, metresFor: purpose) else {
        return .embedded(depth.map, note: depth.note)
      }
      return .network(reason: "the depth inside the photo \(fault); depth is estimated")
    } catch let error as DepthError where error.code == .noDepth {
      return .network(reason: nil)
    } catch let error as DepthError where error.code != .insufficientMemory {
      return .network(
        reason: "the depth inside the photo cannot be used (\(error.message)); depth is estimated")
    }
  }

  private static func limits(of file: PhotoFile, within limits: ImageLimits) -> ImageLimits {
    var limits = limits
    limits.maximumPixels = limits.depthPixels(of: (file.height, file.width))
    return limits
  }
}

extension DepthMap {
  /// The reason why an embedded map cannot be used; `nil` for a usable map.
  fileprivate func fault(inside file: PhotoFile, metresFor purpose: String?) -> String? {
    if let purpose, !unit.isMetric { return "has no distances, which \(purpose) needs" }
    guard values.contains(where: hasValue) else { return "has no value" }
    let photo = file.uprightSize
    guard !fits(height: photo.height, width: photo.width) else { return nil }
    return "is \(width)×\(height), which does not fit \(photo.width)×\(photo.height)"
  }
}

/// The source of the used depth, as named in records and responses.
package enum DepthOrigin: String, Encodable, Sendable {
  case embedded, file, network
}
