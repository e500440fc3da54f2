package import DepthBase
package import DepthImages
package import DepthRefinement

/// How large a depth map becomes, and how it gets the edges of its photo.
///
/// Wherever nothing is said, these are the defaults: on the command line, in requests, and in C and Python.
package struct MapSettings: Hashable, Sendable {
  package var method = RefinementMethod.Name.joint
  /// How much of the photo the joint filter lets through, 0…1; `nil` for its default.
  package var detail: Float?
  /// `nil` for the network's size of a map that is not refined, else the photo's.
  package var resolution: OutputResolution?
  /// Whether pixels without a value get one from their neighborhood.
  package var fillsMissing = false
  /// The least confidence of a pixel that keeps its depth, 0…1; `nil` for all pixels.
  package var minConfidence: Float?

  package init() {}

  /// The network's own map.
  package static let unrefined: MapSettings = {
    var settings = MapSettings()
    settings.method = .none
    return settings
  }()

  /// Whether the map is as smooth as the network's, beside its edges; the filter `bilateral` copies the photo's patterns.
  package var isSmooth: Bool { method != .bilateral }

  var outputResolution: OutputResolution { resolution ?? (method == .none ? .network : .photo) }

  /// Whether a map stays as it is.
  private var changesNothing: Bool {
    method == .none && outputResolution == .network && !fillsMissing
  }

  private var filter: RefinementMethod {
    RefinementMethod(method, detail: detail ?? JointFilter.defaultDetail)
  }

  /// Rows and columns of the result, before anything is computed.
  ///
  /// - Parameters:
  ///   - photo: Rows and columns of the photo.
  ///   - map: Rows and columns of the map before refinement.
  ///   - name: What errors call a size that is too large.
  /// - Throws: `DepthError` for a size above the limits, and for one out of range.
  package func size(
    photo: (height: Int, width: Int), map: (height: Int, width: Int), limits: ImageLimits,
    named name: String
  ) throws -> (height: Int, width: Int) {
    switch outputResolution {
    case .network: return map
    case .photo: return photo
    case .size(let height, let width):
      try limits.check(width: width, height: height, file: name)
      try OutputResolution.check(height: height, width: width)
      return (height, width)
    }
  }

  /// The refined map.
  ///
  /// - Throws: `DepthError` for a size out of range, and above the limits; `CancellationError`.
  package func refined(
    _ map: DepthMap, guidedBy photo: Image, limits: ImageLimits, call: CallContext
  ) throws -> DepthMap {
    guard !changesNothing else { return map }
    return try map.refined(
      guidedBy: photo, method: filter, resolution: outputResolution, fillsMissing: fillsMissing,
      limits: limits, call: call)
  }

  /// The width of a map's edges, in its pixels, if they are too sharp for the joint filter to improve; otherwise `nil`.
  ///
  /// Networks' maps take five pixels from one side of an edge to the other. Where a sensor's map takes two, there is
  /// little for a filter to repair, and where the photo's edges are not those of depth it does harm.
  package func sharpEdgeWidth(of map: DepthMap) -> Float? {
    guard method == .joint else { return nil }
    let width = map.edgeWidth
    return width <= Self.sharpEdge ? width : nil
  }

  /// Width of edges up to which a map needs no filter, pixels of the map. Of 50 maps of rooms those of a Kinect reduced
  /// to 160 × 128 had 1.5 to 2.3, those of the network 4.6 to 6.0.
  private static let sharpEdge: Float = 2.5
}

extension MapSettings {
  /// A map that somebody else made, at the size of the settings; one of the photo's size is not filtered, and resized only
  /// where a size was given.
  ///
  /// - Throws: As ``refined(_:guidedBy:limits:call:)``; `DepthError` with code `sizeMismatch` for a map that cannot be this
  ///   photo's, which refining would stretch.
  package func sized(
    _ map: DepthMap, for photo: Image, limits: ImageLimits, call: CallContext
  ) throws -> DepthMap {
    try map.checkAspect(of: photo, within: DepthMap.aspectTolerance)
    guard (map.height, map.width) == (photo.height, photo.width) else {
      return try refined(map, guidedBy: photo, limits: limits, call: call)
    }
    var filling = self
    filling.method = .none
    filling.resolution = resolution ?? (fillsMissing ? .photo : .network)
    return try filling.refined(map, guidedBy: photo, limits: limits, call: call)
  }
}

extension DepthMap {
  /// The map at the photo's size, for pictures that lie beside it; one of that size stays as it is.
  ///
  /// - Throws: `DepthError` above the limits; `CancellationError`.
  package func stretched(
    over photo: Image, limits: ImageLimits, call: CallContext
  ) throws -> DepthMap {
    guard (height, width) != (photo.height, photo.width) else { return self }
    return try refined(
      guidedBy: photo, method: .none, resolution: .photo, fillsMissing: false, limits: limits,
      call: call)
  }
}

extension MapSettings {
  /// Longest side of an estimated map that views are made of: the warp stretches it over the photo.
  private static let longestSideForViews = 1024

  /// Sets the size for the views of a photo.
  package mutating func fitForViews(of photo: Image) {
    let scale = min(1, Double(Self.longestSideForViews) / Double(max(photo.height, photo.width)))
    func side(_ pixels: Int) -> Int { max(Int((Double(pixels) * scale).rounded()), 1) }
    resolution = .size(height: side(photo.height), width: side(photo.width))
  }
}
