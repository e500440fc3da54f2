import DepthImages
import FrameStreams
import Synchronization

/// The size and pixel aspect ratio of a decoded frame.
struct FrameShape: Sendable, Hashable {
  let size: PixelSize
  /// Width over height of a pixel; `0:1` if unknown.
  let pixelAspect: Ratio

  init(size: PixelSize, pixelAspect: Ratio) {
    (self.size, self.pixelAspect) = (size, pixelAspect.reduced)
  }

  /// Parses a line of ffmpeg's filter showinfo, `… sar:16/11 s:720x576 …`.
  ///
  /// - Returns: `nil` for a line without a size.
  init?(_ line: String) {
    guard let sides = Self.word(after: " s:", in: line)?.split(separator: "x"), sides.count == 2,
      let width = Int(sides[0]), let height = Int(sides[1]), width > 0, height > 0
    else { return nil }
    self.init(
      size: PixelSize(width: width, height: height),
      pixelAspect: Self.word(after: " sar:", in: line).flatMap { Ratio($0) } ?? Ratio(0, 1))
  }

  private static func word(after mark: String, in line: String) -> Substring? {
    line.firstRange(of: mark).map { line[$0.upperBound...].prefix { $0 != " " } }
  }

  /// Width over height of the whole frame.
  private func proportion(of aspect: Ratio) -> Double {
    Double(size.width) * (aspect.value ?? 1) / Double(size.height)
  }

  /// The part of a frame of the first shape that this frame fills with correct proportions; `nil` for the whole
  /// frame.
  func inset(in first: FrameShape) -> PixelSize? {
    // An unknown pixel aspect ratio is assumed unchanged.
    let aspect = pixelAspect.value == nil ? first.pixelAspect : pixelAspect
    let ratio = proportion(of: aspect) / first.proportion(of: first.pixelAspect)
    let (width, height) = (Double(first.size.width), Double(first.size.height))
    let inset = PixelSize(
      width: max(Int((width * min(ratio, 1)).rounded()), 1),
      height: max(Int((height / max(ratio, 1)).rounded()), 1))
    return inset == first.size ? nil : inset
  }

  fileprivate func name(besides first: FrameShape) -> String {
    let name = "\(size.width)×\(size.height)"
    guard size == first.size, pixelAspect.value != nil else { return name }
    return name + " with pixels of \(pixelAspect)"
  }
}

/// The shapes of a film's frames so far.
final class FrameShapes: Sendable {
  private let found = Mutex<[FrameShape]>([])
  /// Maximum number of shapes in a note.
  private static let most = 4

  /// Records the shape of the next frame.
  ///
  /// - Returns: See ``FrameShape/inset(in:)``.
  func inset(of shape: FrameShape) -> PixelSize? {
    found.withLock { found in
      guard let first = found.first else {
        found.append(shape)
        return nil
      }
      let inset = shape.inset(in: first)
      let isOther = shape.size != first.size || inset != nil
      if isOther, !found.contains(shape), found.count <= Self.most { found.append(shape) }
      return inset
    }
  }

  /// The note about a film with changing frame sizes; `nil` for other films.
  var note: String? {
    let found = found.withLock { $0 }
    guard let first = found.first else { return nil }
    let others = found.dropFirst().map { $0.name(besides: first) }
    guard !others.isEmpty else { return nil }
    let names =
      others.prefix(Self.most - 1).joined(separator: ", ")
      + (others.count >= Self.most ? " and others" : "")
    let start = "\(first.size.width)×\(first.size.height)"
    return
      "changes its size from \(start) to \(names); the new film keeps the first size, with bars "
      + "beside frames of another shape"
  }
}
