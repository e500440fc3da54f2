import ArgumentParser
import StereoPhotos
import ViewSynthesis

extension ParallaxOptions {
  /// Refuses options that a format does not follow: sequences of views are always warped and centered, and only the warp
  /// knows which pixels the photo does not show.
  ///
  /// - Throws: A validation error.
  func check(_ format: StereoFormat) throws {
    let isSequence: Bool
    switch format {
    case .wiggle, .wiggleGIF, .quilt: isSequence = true
    case .holeMask: isSequence = false
    default: return
    }
    let others = optionNames([
      "--renderer \(renderer.word)": renderer != .orderedWarp,
      "--balance": isSequence && balance != 0.5,
      "--frame-edges crop": isSequence && frameEdges == .crop,
    ])
    if let option = others.first {
      throw ValidationError("\(option) does not go with --format \(format.name)")
    }
  }
}
