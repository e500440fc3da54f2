package import DepthImages

/// A way to turn photos, predictions and truth into one set of numbers.
///
/// The same network scores several per cent apart under different protocols, so a number means little
/// without the name of its protocol.
package enum EvaluationProtocol: String, Sendable, CaseIterable {
  /// The script that the paper's numbers come from, to the letter.
  ///
  /// The photo is halved by keeping the second pixel of every pair, 6 rows at the top and bottom and 8
  /// columns at the sides are cut off, the network sees the 304 × 228 pixels that are left, and its map
  /// is stretched bilinearly over the *whole* frame, as if nothing had been cut off. Errors are pooled
  /// over all pixels of all frames: no mask, no crop, no cap. The labelled set's depth is filled in and
  /// has no holes; in other sets, pixels without a true depth are left out and counted.
  ///
  /// > Source: I. Laina et al. “Deeper Depth Prediction with Fully Convolutional Residual Networks.”
  /// > 3DV 2016; `evaluateNYU.m` and `error_metrics.m` of the authors' release.
  case laina
  /// The map of `depth predict`, measured on the whole frame.
  ///
  /// The whole photo is stretched to the network's input with the Lanczos filter, the map is stretched
  /// back bilinearly over the frame, and errors are pooled over all pixels with a true depth. Photo and
  /// map stay in register, which the published script does not care for.
  ///
  /// > Source: `predict.py` of the authors' release, with the sums of `error_metrics.m`.
  case fullFrame = "full-frame"
  /// The crop and the cap that most later papers use.
  ///
  /// Prediction as in ``fullFrame``, limited to 0.001…10 m. Only rows 45…470 and columns 41…600 of the
  /// 480 × 640 frame count (the same shares of a frame of another size), where the truth lies strictly
  /// between 0.001 and 10 m. Errors are computed frame by frame and averaged over frames.
  ///
  /// > Source: D. Eigen et al. “Depth Map Prediction from a Single Image using a Multi-Scale Deep
  /// > Network.” NIPS 2014, for the crop; cap and averaging as S. F. Bhat et al. “AdaBins.” CVPR 2021.
  case eigen
  /// Every frame counts alike.
  ///
  /// Prediction and mask as in ``fullFrame``; errors are computed frame by frame and averaged over
  /// frames, the root of the squares too: its mean over frames is smaller than the pooled one.
  ///
  /// > Source: the accuracy check of Intel's Open Model Zoo for `fcrn-dp-nyu-depth-v2-tf`.
  case perImage = "per-image"
  /// As ``perImage``, with every map scaled to the truth's median: what is left without the error of scale.
  ///
  /// Networks of self-supervised depth are measured so, since a single camera shows them no scale.
  ///
  /// > Source: T. Zhou et al. “Unsupervised Learning of Depth and Ego-Motion from Video.” CVPR 2017,
  /// > section 4.1.
  case median
  /// As ``perImage``, with the disparity of every map fitted to the true one by scale and shift
  /// (``DisparityAlignment``): the protocol of networks that give relative disparity.
  ///
  /// A map in metres is fitted by its reciprocal.
  ///
  /// > Source: R. Ranftl et al. “Towards Robust Monocular Depth Estimation.” TPAMI 2022,
  /// > [arXiv:1907.01341](https://arxiv.org/abs/1907.01341), section 5.
  case aligned

  /// Which pixels of the photo the network sees.
  package var framing: Framing { self == .laina ? .halvedAndCropped : .whole }

  /// Whether errors are averaged over frames instead of pooled over pixels.
  package var averagesFrames: Bool { self != .laina && self != .fullFrame }

  /// The error that each map is forgiven; a protocol that forgives nothing forgives the scale where `scalesMedian`.
  package func adjustment(scalesMedian: Bool = false) -> MapAdjustment {
    switch self {
    case .laina, .fullFrame, .eigen, .perImage: scalesMedian ? .medianScale : .none
    case .median: .medianScale
    case .aligned: .disparityAlignment
    }
  }

  /// Smallest prediction, metres: the final ReLU may give 0, of which there is no logarithm.
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

  /// One line for the command line's help.
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

/// The part of a photo that a network sees.
package enum Framing: Hashable, Sendable {
  /// All of them; the network's own preparation stretches the photo.
  case whole
  /// As the published script: nearest neighbours at the network's size and a border, which is cut off.
  case halvedAndCropped

  /// Rows at the top and bottom, and columns at the sides, that are cut off.
  private static let border = (rows: 6, columns: 8)

  /// The photo for a network whose landscape input has `inputHeight × inputWidth` pixels.
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

  /// The samples that `imresize(…, 'nearest')` keeps, without the first and last `border`.
  private static func nearest(_ size: Int, border: Int, of inputs: Int) -> [Int] {
    let outputs = size + 2 * border
    return (border..<border + size).map { (2 * $0 + 1) * inputs / (2 * outputs) }
  }
}
