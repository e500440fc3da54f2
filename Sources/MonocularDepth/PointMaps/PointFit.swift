/// The focal length and the shift of z that fit a network's points to a pinhole camera.
///
/// The fit minimizes Σ |f · (x, y) / (z + s) − (u, v)|² over s by Gauss–Newton from 0. It has 50 rounds without early stopping,
/// so that the result varies smoothly with the points. Each round halves the step up to eight times, until the sum does not
/// grow and every z + s is positive. An unknown f is eliminated: f(s) = Σ p · (u, v) / Σ p · p with p = (x, y) / (z + s). Sums
/// are in 64-bit floats in the order of the samples, so the result is equal bit by bit on every processor.
///
/// > Source: R. Wang et al. “MoGe.” CVPR 2025. [arXiv:2410.19115](https://arxiv.org/abs/2410.19115), section 3.1.
package struct PointFit: Sendable, Equatable {
  /// A point of the network, and its pixel's position on the view plane.
  package struct Sample: Sendable {
    let u, v, x, y, z: Double

    package init(u: Float, v: Float, x: Float, y: Float, z: Float) {
      (self.u, self.v) = (Double(u), Double(v))
      (self.x, self.y, self.z) = (Double(x), Double(y), Double(z))
    }
  }

  /// The focal length in units of half the photo's diagonal.
  package let focalLength: Double
  /// The shift of the network's z, before the metric scale.
  package let shift: Float

  private static let rounds = 50
  private static let halvings = 8
  /// Upper bound of the shift, for points that fit no camera.
  private static let farthest = 1e6

  /// - Parameters:
  ///   - samples: The samples. With fewer than two samples, the shift is 0 and an unknown focal length is 1.
  ///   - focalLength: The known focal length; `nil` if unknown.
  package init(_ samples: [Sample], focalLength known: Double? = nil) {
    guard samples.count >= 2 else {
      (focalLength, shift) = (known ?? 1, 0)
      return
    }
    let floor = -samples.reduce(.infinity) { min($0, $1.z) }
    var shift = 0.0
    var current = Residuals(samples, shift: shift, focalLength: known)
    for _ in 0..<Self.rounds {
      var step = current.step(samples, isKnown: known != nil)
      for _ in 0...Self.halvings {
        let trial = shift + step
        if trial > floor, trial < Self.farthest {
          let next = Residuals(samples, shift: trial, focalLength: known)
          if next.cost <= current.cost {
            (shift, current) = (trial, next)
            break
          }
        }
        step /= 2
      }
    }
    self.shift = Float(shift)
    focalLength =
      Residuals(samples, shift: Double(self.shift), focalLength: known).focalLength
  }

  /// The sums at one shift.
  private struct Residuals {
    let shift, focalLength, cost: Double
    /// Σ p · p.
    private let squares: Double

    init(_ samples: [Sample], shift: Double, focalLength known: Double?) {
      var (products, squares) = (0.0, 0.0)
      for sample in samples {
        let w = sample.z + shift
        let (p, q) = (sample.x / w, sample.y / w)
        products += p * sample.u + q * sample.v
        squares += p * p + q * q
      }
      let f = known ?? products / squares
      var cost = 0.0
      for sample in samples {
        let w = sample.z + shift
        let (a, b) = (f * (sample.x / w) - sample.u, f * (sample.y / w) - sample.v)
        cost += a * a + b * b
      }
      (self.shift, focalLength, self.cost, self.squares) = (shift, f, cost, squares)
    }

    /// The Gauss–Newton step. With d = −p / (z + s), the slope of a residual is f′ p + f d, where
    /// f′ = (Σ d · (u, v) − 2 f Σ p · d) / Σ p · p.
    func step(_ samples: [Sample], isKnown: Bool) -> Double {
      let f = focalLength
      var (views, own) = (0.0, 0.0)
      if !isKnown {
        for sample in samples {
          let w = sample.z + shift
          let (p, q) = (sample.x / w, sample.y / w)
          let (d, e) = (-p / w, -q / w)
          views += d * sample.u + e * sample.v
          own += p * d + q * e
        }
      }
      let change = isKnown ? 0 : (views - 2 * f * own) / squares
      var (gradient, curvature) = (0.0, 0.0)
      for sample in samples {
        let w = sample.z + shift
        let (p, q) = (sample.x / w, sample.y / w)
        let (a, b) = (change * p - f * (p / w), change * q - f * (q / w))
        gradient += a * (f * p - sample.u) + b * (f * q - sample.v)
        curvature += a * a + b * b
      }
      return -gradient / max(curvature, 1e-300)
    }
  }
}
