import DepthErrors
package import DepthImages
import SystemEssentials

/// What of a map sets an effect: a film holds it from frame to frame.
///
/// The numbers are disparity: 1 / metres, or those of a map without unit, the nearest point largest.
package struct FocusSpan: Sendable, Hashable, Codable {
  /// Of the nearest and of the farthest point.
  package var near, far: Double
  /// Of what is in focus; `nil` for effects without a focus.
  package var focus: Double?
}

extension DepthMap {
  /// The map's own span.
  ///
  /// - Parameters:
  ///   - focus: A point is one of `photo`, of which this map may be a smaller one.
  ///   - threads: Threads to use.
  /// - Returns: `nil` for a map that has no value, or none at the focus.
  /// - Throws: `DepthError` for a focus that no map of the photo can have.
  package func focusSpan(
    _ focus: DepthFocus?, of photo: Image, threads: Int
  ) throws -> FocusSpan? {
    guard let disparity = try? Disparity(of: self, threads: threads) else { return nil }
    var span = FocusSpan(near: disparity.near, far: disparity.far)
    guard let focus else { return span }
    if case .point(let x, let y) = focus,
      !(0..<photo.width).contains(x) || !(0..<photo.height).contains(y)
    {
      throw DepthError.invalidArgument(
        name: "the point of focus", found: "\(x),\(y)",
        expected: "a pixel of the \(photo.width)×\(photo.height) photo")
    }
    let own = focus.scaled(fromHeight: photo.height, width: photo.width, to: self)
    do {
      span.focus = try own.disparity(in: self, disparity, isLens: true)
    } catch let error as DepthError where error.code == .noDepth {
      return nil
    }
    return span
  }
}

/// Follows focus and range of a film slowly, and jumps at cuts.
package struct FocusFollower: Sendable, Hashable, Codable {
  /// The new frame's share.
  private let rate: Double
  private var span: FocusSpan?

  /// - Parameter framesPerSecond: After a second nine tenths of a change are there.
  package init(framesPerSecond: Double) {
    rate = 1 - pow(0.1, 1 / max(framesPerSecond, 1))
  }

  /// The span of the next frame.
  ///
  /// - Parameter new: The frame's own; `nil` for one without depth.
  /// - Returns: `nil` before the first frame with depth.
  package mutating func next(_ new: FocusSpan?, isCut: Bool) -> FocusSpan? {
    guard let new else { return span }
    guard !isCut, var held = span else {
      span = new
      return new
    }
    held.near += rate * (new.near - held.near)
    held.far += rate * (new.far - held.far)
    if let focus = new.focus { held.focus = held.focus.map { $0 + rate * (focus - $0) } ?? focus }
    span = held
    return held
  }
}
