import DepthBase
import DepthImages
import DepthPhotos
import MonocularDepth

/// Checks the assumed unit of depth files that record none against the package's network.
struct UnitDoubts: Sendable {
  private let options: DepthOptions
  /// Whether the user gives the number of values per metre.
  private let isScaleGiven: Bool
  /// Loads the network when it is first called; `nil` where that is not possible.
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

  /// Warns if a depth file, read as metres, disagrees with the network's map of the photo; with `--quiet` and `--json`, too.
  ///
  /// Nothing is compared without the network's weights or memory for it.
  ///
  /// - Parameters:
  ///   - photo: A photo and the map of its depth file.
  ///   - file: The name of that file.
  func tell(of photo: PhotoWithDepth, _ file: String, _ run: PhotoRun) {
    guard !isScaleGiven, !photo.recordsUnit, let map = photo.depth, map.unit == .metres,
      let network = network()
    else { return }
    let (height, width) = (photo.image.height, photo.image.width)
    run.ifThereIsMemory(bytes: network.networkBytes(height: height, width: width)) {
      // A fault that ends the estimate ends the rest of the work too, with a message.
      let comparison = try? network.comparison(
        of: map, photo: photo.image, options: options, call: run.call)
      if let doubt = comparison?.doubt(about: file) { run.log(doubt) }
    }
  }
}

extension MetresComparison {
  /// A note on a map whose unit is probably another one.
  ///
  /// - Parameter file: The name of its file.
  func doubt(about file: String) -> String? {
    if !ranksAlike {
      return
        "near and far in \(file), read as metres, are the other way round in the network's map (rank correlation "
        + "\(agreement.rounded(toDigits: 2))); disparity of Depth Anything or MiDaS needs --depth-unit relative-disparity"
    }
    guard !isOfOneScale else { return nil }
    let times = max(ratio, 1 / ratio)
    return
      "\(file) is \(times.fixed(times < 9.95 ? 1 : 0)) times \(ratio > 1 ? "farther" : "nearer") than the network's map; if that is wrong, give the number of "
      + "its values per metre with --depth-scale or its unit with --depth-unit"
  }
}
