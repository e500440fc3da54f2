import Kernels
public import Tensors

extension DepthMap {
  /// The map stretched over another number of pixels, bilinearly between pixel centres.
  ///
  /// Pixels without a value do not spread: an output pixel takes the mean of its valid neighbours,
  /// weighted as bilinear interpolation weights them, and has no value where more than half of the
  /// weight has none.
  ///
  /// - Precondition: both sides are positive.
  public func resized(height newHeight: Int, width newWidth: Int, threads: Int = 1) -> DepthMap {
    func stretched(_ values: [Float]) -> [Float] {
      resizedBilinear(
        values, height: height, width: width, toHeight: newHeight, width: newWidth,
        threads: threads)
    }
    let noValue: Float =
      if case .normalized = kind { .nan } else { 0 }
    guard !values.allSatisfy(isValid) else {
      return DepthMap(height: newHeight, width: newWidth, kind: kind, values: stretched(values))
    }
    let sums = stretched(values.map { isValid($0) ? $0 : 0 })
    let weights = stretched(values.map { isValid($0) ? 1 : 0 })
    return DepthMap(
      height: newHeight, width: newWidth, kind: kind,
      values: zip(sums, weights).map { $1 < 0.5 ? noValue : $0 / $1 })
  }
}
