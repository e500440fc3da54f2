import DepthBase
import DepthImages
import DepthPhotos
import MonocularDepth

/// Checks the assumed unit of depth files that record no unit, by comparison with the bundled network's map.
struct UnitDoubts: Sendable {
  private let options: DepthOptions
  /// Whether the user specifies the number of values per metre.
  private let isScaleGiven: Bool
  /// Loads the network on the first call; `nil` if it cannot be loaded.
  private let network: @Sendable () -> DepthEstimator?

  /// - Parameters:
  ///   - options: The camera and the limits.
  ///   - photos: The number of photos of the run.
  init(_ options: DepthOptions, isScaleGiven: Bool, photos: Int, threads: Int?) {
    (self.options, self.isScaleGiven) = (options, isScaleGiven)
    let loaded = LazyValue<DepthEstimator?>()
    network = {
      let load = { try? DepthEstimator(.compact, threads: threads, keepsWeights: photos > 1) }
      return (try? loaded.value(load)) ?? nil
    }
  }

  /// Prints a warning if a depth file read as metres disagrees with the network's map. `--quiet` and `--json`
  /// do not suppress this warning.
  ///
  /// The check is skipped if the network's weights are missing or do not fit into memory.
  ///
  /// - Parameters:
  ///   - photo: A photo and the map of its depth file.
  ///   - file: The name of the depth file.
  func tell(of photo: PhotoWithDepth, _ file: String, _ run: PhotoRun) {
    guard !isScaleGiven, !photo.recordsUnit, let map = photo.depth, map.unit == .metres,
      let network = network()
    else { return }
    let (height, width) = (photo.image.height, photo.image.width)
    run.ifThereIsMemory(bytes: network.networkBytes(height: height, width: width)) {
      // If the estimate fails, later work fails too and prints a message.
      let comparison = try? network.comparison(
        of: map, photo: photo.image, options: options, call: run.call)
      if let doubt = comparison?.doubt(about: file) { run.log(doubt) }
    }
  }
}

extension MetresComparison {
  /// A note on a map whose values are probably not metres.
  ///
  /// - Parameter file: The name of the map's file.
  func doubt(about file: String) -> String? {
    if !ranksAlike {
      return
        "\(file), read as metres, has near and far exchanged compared with the network's map (rank correlation "
        + "\(agreement.rounded(toDigits: 2))); disparity of Depth Anything or MiDaS needs --depth-unit relative-disparity"
    }
    guard !isOfOneScale else { return nil }
    let times = max(ratio, 1 / ratio)
    return
      "\(file) is \(times.fixed(times < 9.95 ? 1 : 0)) times \(ratio > 1 ? "farther" : "nearer") than the network's map; if that is wrong, give the number of "
      + "its values per metre with --depth-scale or its unit with --depth-unit"
  }
}
