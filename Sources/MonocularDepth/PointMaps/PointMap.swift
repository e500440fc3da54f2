import DepthBase
import DepthImages
import NeuralEngine
import SystemEssentials

/// The raw output of a network of points for one photo; see ``MoGe2``.
///
/// It is enlarged to the wanted size before anything that is not linear, as the network was trained.
struct PointMap: Sendable, Equatable {
  /// Rows and columns of the network's finest level.
  let height, width: Int
  /// Rows and columns of the photo.
  let photoHeight, photoWidth: Int
  /// `height × width × channels`: a, b, ln z, mask, the normal if there is one, and ln of the metric scale.
  private let elements: [Float]
  private let channels: Int

  private static let mask = 3
  private static let normal = 4
  private static let withoutNormals = 5

  var hasNormals: Bool { channels > Self.withoutNormals }

  /// The factor from the network's z to metres.
  var metricScale: Float { Float(exp(Double(elements[channels - 1]))) }

  /// - Parameters:
  ///   - image: The index of the image in the network's output.
  ///   - photo: Rows and columns of the photo.
  init(_ output: Tensor, image: Int, photo: (height: Int, width: Int)) {
    (photoHeight, photoWidth) = photo
    (height, width, channels) = (output.shape.height, output.shape.width, output.shape.channels)
    let count = output.shape.area * channels
    elements = Array(output.elements[image * count..<(image + 1) * count])
  }

  /// The map with other values.
  private init(_ map: PointMap, _ elements: [Float]) {
    (height, width, channels) = (map.height, map.width, map.channels)
    (photoHeight, photoWidth) = (map.photoHeight, map.photoWidth)
    self.elements = elements
  }

  /// The map of the mirrored photo as one of the photo: left and right exchanged, and the signs of x.
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

  /// The mean of the raw values of two maps of one photo, of which the geometric mean of z is a part.
  func mean(with other: PointMap) -> PointMap {
    precondition(
      (height, width, channels) == (other.height, other.width, other.channels),
      "\(other.width)×\(other.height), expected \(width)×\(height)")
    return PointMap(self, zip(elements, other.elements).map { ($0 + $1) / 2 })
  }
}

extension PointMap {
  /// The sources of one row or column of an enlarged map: pixel centers keep their places, borders repeat.
  struct Tap {
    let first, second: Int
    let share: Float

    init(_ index: Int, of count: Int, from source: Int) {
      let center = (Double(index) + 0.5) * Double(source) / Double(count) - 0.5
      let position = max(center, 0)
      first = min(Int(position), source - 1)
      second = min(first + 1, source - 1)
      share = Float(position - Double(first))
    }
  }

  /// A raw value between pixels.
  private func value(_ channel: Int, _ row: Tap, _ column: Tap) -> Float {
    func across(_ line: Int) -> Float {
      let (a, b) = (
        elements[(line * width + column.first) * channels + channel],
        elements[(line * width + column.second) * channels + channel]
      )
      return a + column.share * (b - a)
    }
    let (top, bottom) = (across(row.first), across(row.second))
    return top + row.share * (bottom - top)
  }

  private func z(_ row: Tap, _ column: Tap) -> Float {
    Float(exp(Double(value(2, row, column))))
  }

  private func hasGeometry(_ row: Tap, _ column: Tap) -> Bool {
    value(Self.mask, row, column) > 0
  }

  /// 64 × 64 pixels of the photo, as far as they have geometry, for the fit.
  var samples: [PointFit.Sample] {
    let (side, height, width) = (64, photoHeight, photoWidth)
    let plane = ViewPlane(
      height: height, width: width, aspect: Double(width) / Double(height))
    let columns = (0..<side).map { $0 * width / side }
    return (0..<side).flatMap { index -> [PointFit.Sample] in
      let row = index * height / side
      let down = Tap(row, of: height, from: self.height)
      return columns.compactMap { column in
        let across = Tap(column, of: width, from: self.width)
        guard hasGeometry(down, across) else { return nil }
        let z = z(down, across)
        return PointFit.Sample(
          u: plane.columns[column], v: plane.rows[row], x: value(0, down, across) * z,
          y: value(1, down, across) * z, z: z)
      }
    }
  }

  /// Depth in metres.
  ///
  /// - Parameters:
  ///   - scale: The factor to metres; the network's by default.
  ///   - background: The depth of pixels without geometry.
  ///   - height: Rows of the result.
  ///   - width: Columns of the result.
  func depth(
    _ fit: PointFit, scale: Float? = nil, background: DepthOptions.Background = .missing,
    height: Int, width: Int, threads: Int
  ) -> DepthMap {
    let columns = (0..<width).map { Tap($0, of: width, from: self.width) }
    let scale = scale ?? metricScale
    let depth = DepthMap(
      height: height, width: width, unit: .metres,
      values: filledRows(height: height, width: width, grain: 8, threads: threads) { rows, out in
        out.forEachRow(rows, width: width) { row, out in
          let down = Tap(row, of: height, from: self.height)
          for (index, across) in columns.enumerated() {
            let z = z(down, across) + fit.shift
            out[index] = hasGeometry(down, across) && z > 0 ? z * scale : 0
          }
        }
      })
    switch background {
    case .missing: return depth
    case .farthest: return depth.fillingMissing(with: depth.range()?.high ?? 0)
    case .infinite: return depth.fillingMissing(with: Self.farAway)
    }
  }

  /// Metres at which views show no parallax: less than half a pixel with a baseline of 1 m.
  private static let farAway: Float = 10_000

  /// 1 where the photo has geometry, 0 elsewhere.
  ///
  /// - Parameters:
  ///   - height: Rows of the result.
  ///   - width: Columns of the result.
  func mask(height: Int, width: Int, threads: Int) -> [UInt8] {
    let columns = (0..<width).map { Tap($0, of: width, from: self.width) }
    return filledRows(height: height, width: width, grain: 8, threads: threads) { rows, out in
      out.forEachRow(rows, width: width) { row, out in
        let down = Tap(row, of: height, from: self.height)
        for (index, across) in columns.enumerated() {
          out[index] = hasGeometry(down, across) ? 1 : 0
        }
      }
    }
  }

  /// Unit normals in the camera's frame, x right, y down, z forward; 0 without geometry. `nil` for a network without them.
  ///
  /// - Parameter depth: The map whose pixels without a value have no normal; the result has its size.
  func normals(of depth: DepthMap, threads: Int) -> NormalMap? {
    guard hasNormals else { return nil }
    let (height, width) = (depth.height, depth.width)
    let columns = (0..<width).map { Tap($0, of: width, from: self.width) }
    return NormalMap(
      height: height, width: width,
      values: filledRows(height: height, width: 3 * width, grain: 8, threads: threads) {
        rows, out in
        out.forEachRow(rows, width: 3 * width) { row, out in
          let down = Tap(row, of: height, from: self.height)
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

extension DepthMap {
  /// The map with a value for all pixels that have none.
  fileprivate func fillingMissing(with value: Float) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: unit, values: values.map { hasValue($0) ? $0 : value })
  }
}
