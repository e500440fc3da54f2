import DepthImages
import Foundation

/// How far a picture is from the truth, in a part of it.
struct PictureError {
  /// Decibels over sRGB bytes, and the mean structural similarity of the luma.
  var psnr, ssim: Double

  /// - Parameter region: The pixels that count.
  init(_ picture: Image, truth: Image, similarity: [Double], region: [Bool]) {
    var (squares, count, sum) = (0.0, 0.0, 0.0)
    for pixel in region.indices where region[pixel] {
      for channel in pixel * 3..<pixel * 3 + 3 {
        let error = Double(picture.pixels[channel]) - Double(truth.pixels[channel])
        squares += error * error
      }
      sum += similarity[pixel]
      count += 1
    }
    psnr = count == 0 ? .nan : 10 * log10(255 * 255 / max(squares / (3 * count), 1e-9))
    ssim = count == 0 ? .nan : sum / count
  }
}

/// The structural similarity of two pictures at every pixel, over Gaussian windows of 11 pixels.
///
/// > Source: Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli. “Image Quality Assessment: From Error
/// > Visibility to Structural Similarity.” IEEE TIP 13(4), 2004, equation 13 and section III-C.
func structuralSimilarity(_ a: Image, _ b: Image) -> [Double] {
  func luma(_ image: Image) -> [Double] {
    let weights = [0.299, 0.587, 0.114]
    var values = [Double](repeating: 0, count: image.height * image.width)
    for (i, byte) in image.pixels.enumerated() { values[i / 3] += weights[i % 3] * Double(byte) }
    return values
  }
  let (height, width) = (a.height, a.width)
  let shares = (-5...5).map { exp(-Double($0 * $0) / (2 * 1.5 * 1.5)) }
  let total = shares.reduce(0, +)
  func averaged(_ values: [Double]) -> [Double] {
    func pass(_ values: [Double], _ neighbor: (Int, Int, Int) -> Int) -> [Double] {
      (0..<height * width).map { pixel in
        let (y, x) = pixel.quotientAndRemainder(dividingBy: width)
        return (-5...5).reduce(0) { $0 + shares[$1 + 5] / total * values[neighbor(y, x, $1)] }
      }
    }
    let rows = pass(values) { y, x, k in y * width + min(max(x + k, 0), width - 1) }
    return pass(rows) { y, x, k in min(max(y + k, 0), height - 1) * width + x }
  }
  let (x, y) = (luma(a), luma(b))
  let (meanX, meanY) = (averaged(x), averaged(y))
  let squareX = averaged(x.map { $0 * $0 })
  let squareY = averaged(y.map { $0 * $0 })
  let product = averaged(zip(x, y).map { $0 * $1 })
  let (c1, c2) = (2.55 * 2.55, 7.65 * 7.65)
  return x.indices.map { i -> Double in
    let means = meanX[i] * meanY[i]
    let squares = meanX[i] * meanX[i] + meanY[i] * meanY[i]
    let variances = squareX[i] + squareY[i] - squares
    let covariance = product[i] - means
    return (2 * means + c1) * (2 * covariance + c2) / ((squares + c1) * (variances + c2))
  }
}
