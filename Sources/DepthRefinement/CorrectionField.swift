import DepthBase
package import DepthImages
import SystemEssentials

/// A smooth field over a photo. It passes near known numbers, approaches 0 far from these numbers, and may jump at edges.
///
/// The field `u` on a grid minimizes
/// `Σ_i ((u(p_i) − r_i) / σ)² + λ · (Σ_pq w_pq · (u_p − u_q)² + Σ_p (u_p / ℓ)²) + β · Σ_p (L u)_p²`. `p` and `q` are neighbors
/// in a row or column, and `(L u)_p = Σ_q w_pq · (u_p − u_q)`. The second term is a membrane's energy. The last term is a
/// thin plate's energy, and prevents peaks at known numbers. The weight is small at a depth step, and halved between
/// different colors: `w_pq = (1 + exp(−|ΔI|² / 2σ_r²)) / 2 / (1 + (Δ ln Z / τ)²)`. The linear equations are solved by
/// conjugate gradients in Double, on one thread.
///
/// > Source: D. Terzopoulos. “The Computation of Visible-Surface Representations.” IEEE Transactions on Pattern Analysis and Machine
/// > Intelligence 10 (4), 1988; weights by a photo as in A. Levin, D. Lischinski, Y. Weiss. “Colorization Using Optimization.”
/// > SIGGRAPH 2004.
package struct CorrectionField: Sendable {
  /// A known number.
  package struct Sample: Sendable {
    /// The position as shares of the photo's height and width, 0…1.
    package let row, column: Double
    package let value: Double

    package init(row: Double, column: Double, value: Double) {
      (self.row, self.column, self.value) = (row, column, value)
    }
  }

  /// The size of the grid, cells.
  package let height, width: Int
  /// `u`, row by row.
  package let values: [Double]

  /// Stiffness λ of the membrane, and the stiffness β of the plate.
  private static let (membrane, plate) = (100.0, 500.0)
  /// Reach ℓ of a number on an even surface, as a share of the grid's longer side.
  private static let reach = 0.36
  /// Distance σ_r of colors in 0…1, as in the joint filter for soft maps.
  private static let sigmaRange = 0.105
  /// Step τ of ln depth that halves the weight between adjacent cells.
  private static let depthTolerance = 0.02

  /// Rows and columns of the grid for a photo: at most 160 cells per side, or 320 for more than 2 000 numbers.
  package static func size(
    photo: (height: Int, width: Int), samples: Int
  ) -> (height: Int, width: Int) {
    let scale = min((samples > 2000 ? 320 : 160) / Double(max(photo.height, photo.width)), 1)
    func side(_ length: Int) -> Int { max(Int((Double(length) * scale).rounded()), 1) }
    return (side(photo.height), side(photo.width))
  }

  /// - Parameters:
  ///   - samples: The known numbers.
  ///   - depth: ln Z at the center of each cell; NaN for no depth, which does not count as a step.
  ///   - guide: The photo at the size of the grid.
  ///   - sigma: Standard deviation σ of the known numbers; positive.
  ///   - check: Called at each step. An error ends the work.
  /// - Throws: Every error of `check`.
  package init(
    _ samples: [Sample], depth: [Double], guide: Image, sigma: Double,
    check: () throws -> Void = {}
  ) throws {
    precondition(sigma > 0, "sigma is \(sigma), expected positive")
    precondition(
      depth.count == guide.height * guide.width,
      "\(depth.count) depths, expected \(guide.height * guide.width)")
    (height, width) = (guide.height, guide.width)
    let equations = FieldEquations(
      samples, guide: guide, membrane: Self.membrane * sigma * sigma,
      plate: Self.plate * sigma * sigma, reach: Self.reach * Double(max(height, width))
    ) { p, q in
      let color = (0..<3).reduce(0.0) { sum, channel in
        let step = Double(guide.pixels[3 * p + channel]) - Double(guide.pixels[3 * q + channel])
        return sum + step * step / (255 * 255)
      }
      let alike = (1 + exp(-color / (2 * Self.sigmaRange * Self.sigmaRange))) / 2
      let step = (depth[p] - depth[q]) / Self.depthTolerance
      return step.isNaN ? alike : alike / (1 + step * step)
    }
    values = try equations.solution(check: check)
  }

  /// Multiplies the values of a map of the photo by e to the power of the field. The field is a cubic B-spline whose
  /// coefficients are the grid's values.
  package func multiply(_ map: inout [Float], height: Int, width: Int, threads: Int) {
    let rows = UpsamplingAxis(.cubic, from: self.height, to: height)
    let columns = UpsamplingAxis(.cubic, from: self.width, to: width)
    updateRows(of: &map, width: width, grain: 16, threads: threads) { chunk, out in
      out.forEachRow(chunk, width: width) { y, row in
        let line = (0..<self.width).map { x in rows.sum(at: y) { values[$0 * self.width + x] } }
        for x in 0..<width { row[x] *= Float(exp(columns.sum(at: x) { line[$0] })) }
      }
    }
  }
}

extension UpsamplingAxis {
  /// The weighted sum of the coarse values around a fine pixel, with repeated ends of the axis.
  fileprivate func sum(at pixel: Int, _ value: (Int) -> Double) -> Double {
    (0..<taps).reduce(0) { sum, tap in
      let coarse = min(max(Int(base[pixel]) - taps / 2 + tap, 0), length - 1)
      return sum + Double(weights[tap * pitch + pixel]) * value(coarse)
    }
  }
}
