import DepthImages
import FrameStreams

/// The format of pictures on standard output.
enum PictureStreamFormat: String, CaseIterable {
  case same, y4m, rgb24, bgra, ppm, mjpeg
}

/// The color content of pictures, which determines their storage.
enum PictureColors: Sendable {
  /// Full color, as in the frames.
  case shared
  /// Color in which neighboring pixels belong to different views.
  case unshared
  /// Gray with all 256 levels.
  case gray
}

extension PictureStreamFormat {
  /// The storage of pictures.
  ///
  /// - Parameters:
  ///   - frames: The storage of the frames.
  ///   - size: The pictures' size.
  func storage(of frames: FrameStorage, colors: PictureColors, size: PixelSize) -> FrameStorage {
    let storage: FrameStorage
    switch self {
    case .same: storage = frames
    case .rgb24: storage = .rgb24
    case .bgra: storage = .bgra
    case .ppm: storage = .ppm
    case .mjpeg: storage = .mjpeg
    case .y4m:
      if case .y4m = frames {
        storage = frames
      } else {
        storage = .y4m(
          PlanarLayout(
            chroma: .full, matrix: .assumed(width: size.width, height: size.height)))
      }
    }
    guard case .y4m(let layout) = storage else { return storage }
    switch colors {
    case .shared: return storage
    case .unshared: return .y4m(layout.unshared)
    case .gray:
      return .y4m(PlanarLayout(chroma: .none, matrix: layout.matrix, range: .full))
    }
  }
}
