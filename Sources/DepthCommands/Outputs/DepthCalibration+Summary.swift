import DepthImages
import MonocularDepth
import SystemEssentials

extension DepthCalibration {
  /// A note on a known distance that is at least twice or at most half the estimate.
  ///
  /// The distance's unit or pixel may be wrong. Only the point with the largest deviation is reported, since it
  /// distorts the fit for the other points.
  func doubt(about depth: DepthMap) -> String? {
    guard mapUnit == .metres else { return nil }
    let ratios =
      if residuals.isEmpty {
        // Fits of sparse maps have no residuals, so the correction is evaluated at the median depth.
        depth.median().map { middle in
          [
            (
              of: "the known distances are",
              1 / (scale + shift * Double(middle))
            )
          ]
        } ?? []
      } else {
        residuals.map { residual in
          (
            of: "the known distance at \(residual.point.x),\(residual.point.y) is",
            residual.point.metres / residual.predicted
          )
        }
      }
    guard let (known, ratio) = ratios.max(by: { abs(log($0.1)) < abs(log($1.1)) }),
      ratio >= 2 || ratio <= 0.5
    else { return nil }
    return
      "\(known) \(ratio.fixed(2)) times what the network estimates; are unit, pixel and focal length right?"
  }

  /// `+ 0.1` or `- 0.1`.
  private func summand(_ number: String) -> String {
    number.hasPrefix("-") ? "- \(number.dropFirst())" : "+ \(number)"
  }

  func summary(writtenTo file: URL?) -> String {
    let isRelative = mapUnit == .relativeDisparity
    let residuals = residuals.map { residual in
      let (x, y) = (residual.point.x, residual.point.y)
      return "  \(x),\(y): known \(residual.point.metres.fixed(3)) m, "
        + "predicted \(residual.predicted.fixed(3))\(isRelative ? "" : " m"), "
        + "calibrated \(residual.calibrated.fixed(3)) m (\(residual.error.fixed(3)) m off"
        + (residual.isLeftOut ? ", left out)\n" : ")\n")
    }
    let line =
      isRelative
      ? "1/depth = \(scale.fixed(6)) · disparity \(summand(shift.fixed(6)))\n"
      : "1/depth = \(scale.fixed(4)) / predicted \(summand(shift.fixed(4)))\n"
    let fit =
      fit.map {
        "\($0.points) points, \($0.leftOut) left out; the others are off by \($0.medianError.fixed(3)) m (median) and "
          + "\($0.rms.fixed(3)) m (rms)\n"
      } ?? ""
    return line + residuals.joined() + fit
      + (file.map { "written to \($0.relativePath.escapingControls)\n" } ?? "")
  }
}
