import DepthBase
import DepthImages
import NeuralEngine
import SystemEssentials

/// The raw output of a point-map network for one photo; see ``MoGe2``.
///
/// The output is enlarged to the output size before any nonlinear step, as in training.
struct PointMap: Sendable, Equatable {
  /// Rows and columns of the network's finest level.
  let height, width: Int
  /// Rows and columns of the photo.
  let photoHeight, photoWidth: Int
  /// `height × width × channels`: a, b, ln z, mask, the optional normal, and ln of the metric scale.
  private let elements: [Float]
  private let channels: Int

  private static let mask = 3
  private static let normal = 4
  private static let withoutNormals = 5

  var hasNormals: Bool { channels > Self.withoutNormals }

  /// The factor from the network's z to metres; initially the network's own scale.
  var metricScale: Float

  /// - Parameters:
  ///   - image: The index of the image in the network's output.
  ///   - photo: Rows and columns of the photo.
  init(_ output: Tensor, image: Int, photo: (height: Int, width: Int)) {
    (photoHeight, photoWidth) = photo
    (height, width, channels) = (output.shape.height, output.shape.width, output.shape.channels)
    let count = output.shape.area * channels
    elements = Array(output.elements[image * count..<(image + 1) * count])
    metricScale = Float(exp(Double(elements[channels - 1])))
  }

  /// The map with other values.
  private init(_ map: PointMap, _ elements: [Float]) {
    (height, width, channels) = (map.height, map.width, map.channels)
    (photoHeight, photoWidth) = (map.photoHeight, map.photoWidth)
    self.elements = elements
    metricScale = Float(exp(Double(elements[channels - 1])))
  }

  /// The mirrored photo's map as a map of the photo: left and right are exchanged, and the sign of x is changed.
  var mirrored: PointMap {
    var result = elements
    for row in 0..<height {
      for column in 0..<width {
        let (from, to) = (row * width + width - 1 - column, row * width + column)
        for channel in 0..<channels {
          let value = elements[from * channels + channel]
          let isAcross = channel == 0 || hasNormals && channel == Self.normal
          result[to * channels + channel] = isAcross ? -value : value
        }
      }
    }
    return PointMap(self, result)
  }

  /// The mean of the raw values of two maps of one photo. For z, this is the geometric mean.
  func mean(with other: PointMap) -> PointMap {
    precondition(
      (height, width, channels) == (other.height, other.width, other.channels),
      "\(other.width)×\(other.height), expected \(width)×\(height)")
    return PointMap(self, zip(elements, other.elements).map { ($0 + $1) / 2 })
  }
}

extension PointMap {
  private typealias Tap = LinearTap<Double>

  /// The source pixels of a row or column of an enlarged map.
  private static func tap(_ index: Int, of count: Int, from source: Int) -> Tap {
    Tap(at: Tap.place(of: index, from: source, to: count), of: source)
  }

  /// An interpolated raw value.
  private func value(_ channel: Int, _ row: Tap, _ column: Tap) -> Float {
    func across(_ line: Int) -> Float {
      let (a, b) = (
        elements[(line * width + column.first) * channels + channel],
        elements[(line * width + column.second) * channels + channel]
      )
      return a + Float(column.share) * (b - a)
    }
    let (top, bottom) = (across(row.first), across(row.second))
    return top + Float(row.share) * (bottom - top)
  }

  private func z(_ row: Tap, _ column: Tap) -> Float {
    Float(exp(Double(value(2, row, column))))
  }

  private func hasGeometry(_ row: Tap, _ column: Tap) -> Bool {
    value(Self.mask, row, column) > 0
  }

  /// The samples for the fit: the pixels with geometry among a grid of 64 × 64 pixels of the photo.
  var samples: [PointFit.Sample] {
    let (side, height, width) = (64, photoHeight, photoWidth)
    let plane = ViewPlane(
      height: height, width: width, aspect: Double(width) / Double(height))
    let columns = (0..<side).map { $0 * width / side }
    return (0..<side).flatMap { index -> [PointFit.Sample] in
      let row = index * height / side
      let down = Self.tap(row, of: height, from: self.height)
      return columns.compactMap { column in
        let across = Self.tap(column, of: width, from: self.width)
        guard hasGeometry(down, across) else { return nil }
        let z = z(down, across)
        return PointFit.Sample(
          u: plane.columns[column], v: plane.rows[row], x: value(0, down, across) * z,
          y: value(1, down, across) * z, z: z)
      }
    }
  }

  /// Depth in metres; pixels without geometry have no value.
  ///
  /// - Parameters:
  ///   - fit: The fit of the points to a camera.
  ///   - height: Rows of the result.
  ///   - width: Columns of the result.
  func depth(_ fit: PointFit, height: Int, width: Int, threads: Int) -> DepthMap {
    let columns = (0..<width).map { Self.tap($0, of: width, from: self.width) }
    return DepthMap(
      height: height, width: width, unit: .metres,
      values: filledRows(height: height, width: width, grain: 8, threads: threads) { rows, out in
        out.forEachRow(rows, width: width) { row, out in
          let down = Self.tap(row, of: height, from: self.height)
          for (index, across) in columns.enumerated() {
            let z = z(down, across) + fit.shift
            out[index] = hasGeometry(down, across) && z > 0 ? z * metricScale : 0
          }
        }
      })
  }

  /// Unit normals in the camera's frame (x right, y down, z forward), 0 without geometry; `nil` for a network without
  /// normals.
  ///
  /// - Parameter depth: A map of the result's size. Its pixels without a value have no normal.
  func normals(of depth: DepthMap, threads: Int) -> NormalMap? {
    guard hasNormals else { return nil }
    let (height, width) = (depth.height, depth.width)
    let columns = (0..<width).map { Self.tap($0, of: width, from: self.width) }
    return NormalMap(
      height: height, width: width,
      values: filledRows(height: height, width: 3 * width, grain: 8, threads: threads) {
        rows, out in
        out.forEachRow(rows, width: 3 * width) { row, out in
          let down = Self.tap(row, of: height, from: self.height)
          for (index, across) in columns.enumerated() {
            let hasValue = depth.hasValue(depth.values[row * width + index])
            let n = SIMD3(
              value(Self.normal, down, across), value(Self.normal + 1, down, across),
              value(Self.normal + 2, down, across))
            let length = max((n * n).sum().squareRoot(), 1e-12)
            for axis in 0..<3 { out[3 * index + axis] = hasValue ? n[axis] / length : 0 }
          }
        }
      })
  }
}
