package import DepthImages

/// A procedure from photos, predictions and truth to a set of numbers.
///
/// Under different protocols, the results of one network differ by several per cent, so a number is meaningless
/// without its protocol.
package enum EvaluationProtocol: String, Sendable, CaseIterable {
  /// The script behind the paper's numbers, reproduced exactly.
  ///
  /// The photo is halved by keeping the second pixel of every pair. Then 6 rows at the top and bottom and 8 columns
  /// at the sides are cropped. The network receives the remaining 304 × 228 pixels. Its map is stretched bilinearly
  /// over the *whole* frame, as if there were no cropping. Errors are pooled over all pixels of all frames, without
  /// mask, crop or cap. The labeled set's depth is filled and has no holes. In other sets, pixels without a true
  /// depth are excluded and counted.
  ///
  /// > Source: I. Laina et al. “Deeper Depth Prediction with Fully Convolutional Residual Networks.”
  /// > 3DV 2016; `evaluateNYU.m` and `error_metrics.m` of the authors' release.
  case laina
  /// The map of `depth predict`, measured on the whole frame.
  ///
  /// The whole photo is stretched to the network's input with the Lanczos filter, and the map is stretched back
  /// bilinearly over the frame. Errors are pooled over all pixels with a true depth. Unlike in the published
  /// script, photo and map stay aligned.
  ///
  /// > Source: `predict.py` of the authors' release, with the sums of `error_metrics.m`.
  case fullFrame = "full-frame"
  /// The crop and the cap of most later papers.
  ///
  /// Predictions are those of ``fullFrame``, limited to 0.001…10 m. Only rows 45…470 and columns 41…600 of a 480 × 640
  /// frame count. In a frame of another size, the same shares count. The truth must be strictly between 0.001 and 10 m.
  /// Errors are computed frame by frame and averaged over frames.
  ///
  /// > Source: D. Eigen et al. “Depth Map Prediction from a Single Image using a Multi-Scale Deep
  /// > Network.” NIPS 2014, for the crop; cap and averaging as S. F. Bhat et al. “AdaBins.” CVPR 2021.
  case eigen
  /// Equal weight for every frame.
  ///
  /// Prediction and mask are those of ``fullFrame``. Errors, including the rms, are computed frame by frame and
  /// averaged over frames. The mean rms over frames is smaller than the pooled rms.
  ///
  /// > Source: the accuracy check of Intel's Open Model Zoo for `fcrn-dp-nyu-depth-v2-tf`.
  case perImage = "per-image"
  /// ``perImage`` after every map is scaled to the truth's median, which removes the error of scale.
  ///
  /// This protocol is common for self-supervised networks, which cannot learn the scale from a single camera.
  ///
  /// > Source: T. Zhou et al. “Unsupervised Learning of Depth and Ego-Motion from Video.” CVPR 2017,
  /// > section 4.1.
  case median
  /// ``perImage`` after the disparity of every map is fitted to the true disparity by scale and shift
  /// (``DisparityAlignment``). This is the protocol for networks of relative disparity.
  ///
  /// The fit of a map in metres uses the map's reciprocal.
  ///
  /// > Source: R. Ranftl et al. “Towards Robust Monocular Depth Estimation.” TPAMI 2022,
  /// > [arXiv:1907.01341](https://arxiv.org/abs/1907.01341), section 5.
  case aligned

  /// The part of the photo that the network receives.
  package var framing: Framing { self == .laina ? .halvedAndCropped : .whole }

  /// Whether errors are averaged over frames instead of pooled over pixels.
  package var averagesFrames: Bool { self != .laina && self != .fullFrame }

  /// The adjustment of each map. With `scalesMedian`, the scale is adjusted if the protocol has no adjustment.
  package func adjustment(scalesMedian: Bool = false) -> MapAdjustment {
    switch self {
    case .laina, .fullFrame, .eigen, .perImage: scalesMedian ? .medianScale : .none
    case .median: .medianScale
    case .aligned: .disparityAlignment
    }
  }

  /// Smallest prediction, metres. The final ReLU may return 0, which has no logarithm.
  static let smallestDepth = 1e-3

  /// Largest prediction, metres.
  var largestDepth: Double { self == .eigen ? 10 : .greatestFiniteMagnitude }

  /// The part of a frame, and the true depths, that count.
  package func region(height: Int, width: Int) -> DepthRegion {
    guard self == .eigen else { return DepthRegion(rows: 0..<height, columns: 0..<width) }
    func share(_ edge: Int, of whole: Int, _ size: Int) -> Int {
      (edge * size + whole / 2) / whole
    }
    return DepthRegion(
      rows: share(45, of: 480, height)..<share(471, of: 480, height),
      columns: share(41, of: 640, width)..<share(601, of: 640, width),
      nearest: Float(Self.smallestDepth), farthest: 10)
  }

  /// A line of text for the program's help.
  package var summary: String {
    switch self {
    case .laina:
      "published FCRN script: frame halved and cropped, pooled errors"
    case .fullFrame: "whole photo, pooled errors"
    case .eigen: "like per-image, in Eigen's crop, depth up to 10 m"
    case .perImage: "whole photo, errors of each frame averaged over frames"
    case .median: "like per-image, each map scaled to the median of the truth"
    case .aligned:
      "like per-image, disparity of each map fitted by scale and shift"
    }
  }
}

/// The part of a photo that a network receives.
package enum Framing: Hashable, Sendable {
  /// The whole photo, which the network's own preparation stretches.
  case whole
  /// The crop of the published script: nearest neighbors at the network's size plus a border, which is cropped.
  case halvedAndCropped

  /// Cropped rows at the top and bottom, and columns at the sides.
  private static let border = (rows: 6, columns: 8)

  /// The photo for a network with a landscape input of `inputHeight × inputWidth` pixels.
  package func photo(_ photo: Image, inputHeight: Int, inputWidth: Int) -> Image {
    guard self == .halvedAndCropped else { return photo }
    let isPortrait = photo.height > photo.width
    let (height, width) = isPortrait ? (inputWidth, inputHeight) : (inputHeight, inputWidth)
    let border = isPortrait ? (rows: 8, columns: 6) : Self.border
    let rows = Self.nearest(height, border: border.rows, of: photo.height)
    let columns = Self.nearest(width, border: border.columns, of: photo.width)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(height * width * 3)
    for row in rows {
      for column in columns {
        let start = (row * photo.width + column) * 3
        pixels.append(photo.pixels[start])
        pixels.append(photo.pixels[start + 1])
        pixels.append(photo.pixels[start + 2])
      }
    }
    return Image(height: height, width: width, pixels: pixels)
  }

  /// The samples kept by `imresize(…, 'nearest')`, without the first and last `border`.
  private static func nearest(_ size: Int, border: Int, of inputs: Int) -> [Int] {
    let outputs = size + 2 * border
    return (border..<border + size).map { (2 * $0 + 1) * inputs / (2 * outputs) }
  }
}
