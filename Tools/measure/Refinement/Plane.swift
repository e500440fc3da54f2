import Foundation

/// Numbers of an image, and the filters of SciPy that measuring needs: the border is mirrored with its pixel
/// repeated.
struct Plane {
  let height, width: Int
  var values: [Double]

  init(height: Int, width: Int, values: [Double]) {
    precondition(values.count == height * width)
    (self.height, self.width, self.values) = (height, width, values)
  }

  func map(_ change: (Double) -> Double) -> Plane {
    Plane(height: height, width: width, values: values.map(change))
  }

  /// Number by number with another plane of the same size.
  func combined(_ other: Plane, _ change: (Double, Double) -> Double) -> Plane {
    Plane(height: height, width: width, values: zip(values, other.values).map(change))
  }

  /// The sum of `weights` times the neighbors along rows, then of `columnWeights` along columns; both have
  /// an odd count.
  func correlated(_ weights: [Double], _ columnWeights: [Double]) -> Plane {
    let (rowRadius, columnRadius) = (weights.count / 2, columnWeights.count / 2)
    let columns = (-rowRadius..<width + rowRadius).map { Self.mirrored($0, width) }
    let rows = (-columnRadius..<height + columnRadius).map { Self.mirrored($0, height) }
    var (across, both) = (self, self)
    for y in 0..<height {
      let line = columns.map { values[y * width + $0] }
      for x in 0..<width {
        var sum = 0.0
        for k in weights.indices { sum += weights[k] * line[x + k] }
        across.values[y * width + x] = sum
      }
    }
    for y in 0..<height {
      var line = [Double](repeating: 0, count: width)
      for k in columnWeights.indices {
        let row = rows[y + k] * width
        for x in 0..<width { line[x] += columnWeights[k] * across.values[row + x] }
      }
      both.values.replaceSubrange(y * width..<(y + 1) * width, with: line)
    }
    return both
  }

  /// The mean of a window of `2·radius + 1` pixels a side.
  func averaged(radius: Int) -> Plane {
    let weights = [Double](repeating: 1 / Double(2 * radius + 1), count: 2 * radius + 1)
    return correlated(weights, weights)
  }

  /// A Gaussian, cut off at four standard deviations.
  func blurred(sigma: Double) -> Plane {
    let radius = Int(4 * sigma + 0.5)
    let weights = (-radius...radius).map { exp(-0.5 * Double($0 * $0) / (sigma * sigma)) }
    let sum = weights.reduce(0, +)
    return correlated(weights.map { $0 / sum }, weights.map { $0 / sum })
  }

  /// What a least-squares plane leaves in each window, root mean square, and the window's mean.
  func planeFit(radius: Int) -> (residual: Plane, mean: Plane) {
    let count = Double(2 * radius + 1)
    let ramp = (-radius...radius).map { Double($0) / count }
    let flat = [Double](repeating: 1 / count, count: 2 * radius + 1)
    let variance = ramp.indices.map { ramp[$0] * ramp[$0] }.reduce(0, +) * count
    let mean = averaged(radius: radius)
    let square = map { $0 * $0 }.averaged(radius: radius)
    let (across, down) = (correlated(ramp, flat), correlated(flat, ramp))
    let residual = values.indices.map { i in
      let slope = (across.values[i] * across.values[i] + down.values[i] * down.values[i]) / variance
      return max(square.values[i] - mean.values[i] * mean.values[i] - slope, 0).squareRoot()
    }
    return (Plane(height: height, width: width, values: residual), mean)
  }

  private static func mirrored(_ i: Int, _ count: Int) -> Int {
    let place = ((i % (2 * count)) + 2 * count) % (2 * count)
    return place < count ? place : 2 * count - 1 - place
  }
}
