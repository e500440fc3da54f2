import DepthImages
import FrameStreams

/// The format of pictures on standard output.
enum PictureStreamFormat: String, CaseIterable {
  case same, y4m, rgb24, bgra, ppm, mjpeg
}

/// Colors of a kind of picture.
enum PictureColors: Sendable {
  /// Colors as those of the frames.
  case shared
  /// Neighboring pixels are of different views.
  case unshared
  /// Gray, of all 256 levels.
  case gray
}

extension PictureStreamFormat {
  /// How pictures are stored.
  ///
  /// - Parameters:
  ///   - frames: How the frames are.
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
