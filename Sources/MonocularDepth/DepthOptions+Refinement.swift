package import DepthBase
package import DepthImages
import DepthRefinement

/// Refinement with these options.
extension DepthOptions {
  /// Whether refined maps are smooth away from edges. The filter `bilateral` copies the photo's patterns into maps.
  package var isSmooth: Bool { refinement.name != .bilateral }

  private var outputResolution: OutputResolution { resolution.resolved(for: refinement) }

  /// Whether a map is returned unchanged.
  var changesNothing: Bool {
    refinement == .none && outputResolution == .network && !fillsMissing
  }

  /// Rows and columns of the result, known before any computation.
  ///
  /// - Parameters:
  ///   - photo: Rows and columns of the photo.
  ///   - map: Rows and columns of the map before refinement.
  ///   - name: The name of the size in errors.
  /// - Throws: `DepthError` for a size above the limits or out of range.
  package func size(
    photo: (height: Int, width: Int), map: (height: Int, width: Int), named name: String
  ) throws -> (height: Int, width: Int) {
    switch outputResolution {
    case .network: return map
    case .photo, .automatic: return photo
    case .size(let height, let width):
      try limits.check(width: width, height: height, file: name)
      try OutputResolution.check(height: height, width: width)
      return (height, width)
    }
  }

  /// The refined map.
  ///
  /// - Throws: `DepthError` for a size out of range or above the limits; `CancellationError`.
  package func refined(
    _ map: DepthMap, guidedBy photo: Image, call: CallContext
  ) throws -> DepthMap {
    guard !changesNothing else { return map }
    return try map.refined(
      guidedBy: photo, method: refinement, resolution: outputResolution, fillsMissing: fillsMissing,
      limits: limits, call: call)
  }

  /// The width of a map's edges in map pixels, if the edges are too sharp for the joint filter to improve; otherwise `nil`.
  ///
  /// Edges in networks' maps are two to six pixels wide. A sensor's map has sharper edges, which the filter can hardly
  /// improve. The filter would harm such a map at edges of the photo that are not depth edges.
  package func sharpEdgeWidth(of map: DepthMap) -> Float? {
    guard refinement.name == .joint else { return nil }
    let width = map.edgeWidth
    return width <= Self.sharpEdge ? width : nil
  }

  /// Largest width, in map pixels, of edges that need no filter. For rooms, Kinect maps reduced to 240 × 192 had widths of 1.4
  /// to 2.2, and maps of the package's network 2.1 to 4.9.
  private static let sharpEdge: Float = 2.05
}

extension DepthOptions {
  /// A given map at the size in the options. A map with the photo's size is not filtered, and is resized only to
  /// an explicit size.
  ///
  /// - Throws: Errors of ``refined(_:guidedBy:call:)``; `DepthError` with code `sizeMismatch` for a map whose proportions
  ///   differ from the photo's.
  package func sized(
    _ map: DepthMap, for photo: Image, call: CallContext
  ) throws -> DepthMap {
    try map.checkAspect(of: photo, within: DepthMap.aspectTolerance)
    guard (map.height, map.width) == (photo.height, photo.width) else {
      return try refined(map, guidedBy: photo, call: call)
    }
    var filling = self
    filling.refinement = .none
    if resolution == .automatic { filling.resolution = fillsMissing ? .photo : .network }
    return try filling.refined(map, guidedBy: photo, call: call)
  }
}

extension DepthOptions {
  /// Longest side of an estimated map for views. The warp stretches the map over the photo.
  private static let longestSideForViews = 1024

  /// Sets the map size for the views of a photo, and by default a background depth.
  package mutating func fitForViews(of photo: Image) {
    if background == .missing { background = .farthest }
    let scale = min(1, Double(Self.longestSideForViews) / Double(max(photo.height, photo.width)))
    func side(_ pixels: Int) -> Int { max(Int((Double(pixels) * scale).rounded()), 1) }
    resolution = .size(height: side(photo.height), width: side(photo.width))
  }
}
