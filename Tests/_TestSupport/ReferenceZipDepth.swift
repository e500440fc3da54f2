import Foundation

/// ZipDepth by its formulas in 64-bit floats, from the authors' unfolded tensors.
package struct ReferenceZipDepth {
  package typealias Map = ReferenceConvolution.Map

  /// Tensors by the authors' names, without `encoder.` and `decoder.`.
  private let tensors: [String: PublishedWeights.Tensor]

  package init(_ weights: PublishedWeights) {
    tensors = weights.tensors.reduce(into: [:]) { tensors, entry in
      let name = entry.key.replacing("encoder.", with: "").replacing("decoder.", with: "")
      tensors[name] = entry.value
    }
  }

  /// The network's output for an input of normalized pixels.
  package func output(_ image: Map) -> Map {
    let half = relu(normalized(convolved(image, "stem_half.conv", stride: 2), "stem_half.bn"))
    var x = relu(normalized(convolved(half, "stem_quarter.conv", stride: 2), "stem_quarter.bn"))
    for index in 0..<2 { x = block(x, "stage1.\(index)") }
    let quarter = x
    x = block(x, "down2", stride: 2)
    for index in 0..<2 { x = block(x, "stage2.\(index)") }
    let dilated = sum(
      depthwise(x, "stage2.2.branch1", dilation: 1), depthwise(x, "stage2.2.branch2", dilation: 2))
    let eighth = stripGate(sum(x, normalized(dilated, "stage2.2.bn")))
    x = block(eighth, "down3", stride: 2)
    for index in 0..<6 { x = block(x, "stage3.\(index)") }
    x = context(gate(x))
    let fine = x
    x = block(x, "down4", stride: 2)
    for index in 0..<2 { x = block(x, "stage4.\(index)") }
    let (sixteenth, last) = crossed(fine, pyramid(x))
    x = relu(normalized(convolved(last, "proj4.conv"), "proj4.bn"))
    for (name, high) in [
      ("fuse3", sixteenth), ("fuse2", eighth), ("fuse1", quarter), ("fuse_half", half),
    ] {
      let low = Self.resized(x, height: high.height, width: high.width, grid: .centers)
      x = relu(
        normalized(
          sum(
            convolved(high, "\(name).proj_high", groups: 4),
            convolved(low, "\(name).proj_low", groups: 4)), "\(name).bn"))
    }
    let map = convolved(x, "head_half")
    return tensors["convex_up.mask_pred.0.weight"] != nil
      ? Self.convex(
        convolved(
          relu(normalized(convolved(x, "convex_up.mask_pred.0"), "convex_up.mask_pred.1")),
          "convex_up.mask_pred.3"), map)
      : Self.gated(gateScores(x), map)
  }

  private func gateScores(_ x: Map) -> Map {
    let name = "convex_up.where_conv"
    let hidden = relu(normalized(convolved(x, "\(name).0"), "\(name).1"))
    return convolved(
      relu(normalized(depthwise(hidden, "\(name).3", dilation: 1), "\(name).4")), "\(name).6")
  }

  // MARK: - Layers

  private func block(_ x: Map, _ name: String, stride: Int = 1) -> Map {
    let wide = normalized(
      convolved(x, "\(name).branch_3x3.0", stride: stride), "\(name).branch_3x3.1")
    let narrow = normalized(
      convolved(x, "\(name).branch_1x1.0", stride: stride), "\(name).branch_1x1.1")
    let both = sum(wide, narrow)
    return relu(stride == 1 ? sum(both, x) : both)
  }

  private func stripGate(_ x: Map) -> Map {
    let weight = values("stage2.3.gate_conv.0.weight")
    var gates = x
    for c in 0..<x.channels {
      let rows = (0..<x.height).map { y in
        (0..<x.width).reduce(0.0) { $0 + x[y, $1, c] } / Double(x.width)
      }
      let columns = (0..<x.width).map { column in
        (0..<x.height).reduce(0.0) { $0 + x[$1, column, c] } / Double(x.height)
      }
      for y in 0..<x.height {
        for column in 0..<x.width {
          gates.elements[(y * x.width + column) * x.channels + c] =
            weight[c] * (rows[y] + columns[column])
        }
      }
    }
    gates = normalized(gates, "stage2.3.gate_conv.1")
    var y = x
    y.elements = zip(x.elements, gates.elements).map {
      $0 * ReferenceTransformer.sigmoid($1)
    }
    return y
  }

  private func gate(_ x: Map) -> Map {
    let means = pixel((0..<x.channels).map { c in channel(x, c).reduce(0, +) / Double(x.area) })
    let gates = convolved(relu(convolved(means, "stage3.6.fc.0")), "stage3.6.fc.2").elements
    var y = x
    for i in y.elements.indices {
      y.elements[i] *= ReferenceTransformer.sigmoid(gates[i % x.channels])
    }
    return y
  }

  private func context(_ x: Map) -> Map {
    let name = "stage3.7"
    let scores = convolved(x, "\(name).context_weight").elements
    let top = scores.max() ?? 0
    let shares = scores.map { exp($0 - top) }
    let total = shares.reduce(0, +)
    let pooled = pixel(
      (0..<x.channels).map { c in
        zip(channel(x, c), shares).reduce(0) { $0 + $1.0 * $1.1 } / total
      })
    let added = convolved(
      relu(normalized(convolved(pooled, "\(name).transform.0"), "\(name).transform.1")),
      "\(name).transform.3"
    ).elements
    var y = x
    for i in y.elements.indices { y.elements[i] += added[i % x.channels] }
    return y
  }

  private func pyramid(_ x: Map) -> Map {
    var maps = [relu(normalized(convolved(x, "spp.cv1.conv"), "spp.cv1.bn"))]
    for _ in 0..<3 { maps.append(Self.maximum(maps[maps.count - 1], size: 5)) }
    var joint = Map(height: x.height, width: x.width, channels: 4 * maps[0].channels, elements: [])
    for pixel in 0..<x.area {
      for map in maps {
        joint.elements += map.elements[pixel * map.channels..<(pixel + 1) * map.channels]
      }
    }
    return relu(normalized(convolved(joint, "spp.cv2.conv"), "spp.cv2.bn"))
  }

  private func crossed(_ high: Map, _ low: Map) -> (Map, Map) {
    let up = Self.resized(
      convolved(low, "cross_scale.low_to_high", groups: 4), height: high.height,
      width: high.width, grid: .nearest)
    let mixed = convolved(high, "cross_scale.high_to_low", groups: 4)
    let down = Self.resized(mixed, height: low.height, width: low.width, grid: .centers)
    func share(_ x: Map) -> Map {
      var y = x
      y.elements = x.elements.map { 0.3 * $0 }
      return y
    }
    return (sum(high, share(up)), sum(low, share(down)))
  }

  // MARK: - Steps

  private func values(_ name: String) -> [Double] { tensors[name]?.values.map(Double.init) ?? [] }

  private func channel(_ x: Map, _ c: Int) -> [Double] {
    stride(from: c, to: x.elements.count, by: x.channels).map { x.elements[$0] }
  }

  /// A map of one pixel.
  private func pixel(_ values: [Double]) -> Map {
    Map(height: 1, width: 1, channels: values.count, elements: values)
  }

  private func relu(_ x: Map) -> Map {
    var y = x
    y.elements = x.elements.map { max($0, 0) }
    return y
  }

  private func sum(_ a: Map, _ b: Map) -> Map {
    var y = a
    y.elements = zip(a.elements, b.elements).map { $0 + $1 }
    return y
  }

  private func normalized(_ x: Map, _ name: String) -> Map {
    let v = ["weight", "bias", "running_mean", "running_var"].map { values("\(name).\($0)") }
    var y = x
    for i in y.elements.indices {
      let c = i % x.channels
      y.elements[i] = (x.elements[i] - v[2][c]) / (v[3][c] + 1e-5).squareRoot() * v[0][c] + v[1][c]
    }
    return y
  }

  /// A convolution, separately for each group of channels.
  private func convolved(_ x: Map, _ name: String, stride: Int = 1, groups: Int = 1) -> Map {
    guard let kernel = tensors["\(name).weight"] else { return x }
    let (outputs, inputs, size) = (kernel.shape[0], kernel.shape[1], kernel.shape[2])
    let bias = tensors["\(name).bias"]?.values ?? [Float](repeating: 0, count: outputs)
    let parts = (0..<groups).map { group in
      var part = Map(height: x.height, width: x.width, channels: inputs, elements: [])
      for pixel in 0..<x.area {
        let first = pixel * x.channels + group * inputs
        part.elements += x.elements[first..<first + inputs]
      }
      let count = outputs / groups
      let row = inputs * size * size
      return ReferenceConvolution.convolved(
        part, kernel: Array(kernel.values[group * count * row..<(group + 1) * count * row]),
        kernelHeight: size, kernelWidth: size, stride: stride, top: size / 2, left: size / 2,
        outputHeight: (x.height - 1) / stride + 1, outputWidth: (x.width - 1) / stride + 1,
        bias: Array(bias[group * count..<(group + 1) * count]))
    }
    guard groups > 1 else { return parts[0] }
    var result = Map(height: x.height, width: x.width, channels: outputs, elements: [])
    for pixel in 0..<x.area {
      for part in parts {
        result.elements += part.elements[pixel * part.channels..<(pixel + 1) * part.channels]
      }
    }
    return result
  }

  private func depthwise(_ x: Map, _ name: String, dilation: Int) -> Map {
    guard let kernel = tensors["\(name).weight"] else { return x }
    let size = kernel.shape[2]
    var result = x
    for y in 0..<x.height {
      for column in 0..<x.width {
        for c in 0..<x.channels {
          var sum = 0.0
          for tap in 0..<size * size {
            sum +=
              Double(kernel.values[c * size * size + tap])
              * x[
                y + (tap / size - size / 2) * dilation, column + (tap % size - size / 2) * dilation,
                c]
          }
          result.elements[(y * x.width + column) * x.channels + c] = sum
        }
      }
    }
    return result
  }
}

/// Single steps for other tests.
extension ReferenceZipDepth {
  package enum Grid: Sendable { case centers, nearest }

  /// The maximum in windows, which are cropped at the map's border.
  package static func maximum(_ x: Map, size: Int) -> Map {
    var result = x
    for y in 0..<x.height {
      for column in 0..<x.width {
        for c in 0..<x.channels {
          var top = -Double.infinity
          for row in max(y - size / 2, 0)...min(y + size / 2, x.height - 1) {
            for other in max(column - size / 2, 0)...min(column + size / 2, x.width - 1) {
              top = max(top, x[row, other, c])
            }
          }
          result.elements[(y * x.width + column) * x.channels + c] = top
        }
      }
    }
    return result
  }

  /// Interpolation with aligned pixel centers and repeated borders, or copies of the nearest pixel.
  package static func resized(_ x: Map, height: Int, width: Int, grid: Grid) -> Map {
    func taps(_ index: Int, _ from: Int, _ to: Int) -> (Int, Int, Double) {
      let center = (Double(index) + 0.5) * Double(from) / Double(to)
      guard grid == .centers else { return (Int(center), Int(center), 0) }
      let position = max(center - 0.5, 0)
      let first = min(Int(position), from - 1)
      return (first, min(first + 1, from - 1), position - Double(first))
    }
    var result = Map(height: height, width: width, channels: x.channels, elements: [])
    for y in 0..<height {
      let (top, bottom, v) = taps(y, x.height, height)
      for column in 0..<width {
        let (left, right, u) = taps(column, x.width, width)
        for c in 0..<x.channels {
          let upper = (1 - u) * x[top, left, c] + u * x[top, right, c]
          let lower = (1 - u) * x[bottom, left, c] + u * x[bottom, right, c]
          result.elements.append((1 - v) * upper + v * lower)
        }
      }
    }
    return result
  }

  /// Doubles both sides. The softmax of scores weights nine neighbors, with repeated borders.
  package static func convex(_ scores: Map, _ map: Map) -> Map {
    let (height, width) = (map.height, map.width)
    var result = Map(
      height: 2 * height, width: 2 * width, channels: 1,
      elements: [Double](repeating: 0, count: 4 * height * width))
    for y in 0..<2 * height {
      for x in 0..<2 * width {
        let place = y % 2 * 2 + x % 2
        let z = (0..<9).map { scores[y / 2, x / 2, 4 * $0 + place] }
        let shares = z.map { exp($0 - (z.max() ?? 0)) }
        let total = shares.reduce(0, +)
        var value = 0.0
        for n in 0..<9 {
          let row = min(max(y / 2 + n / 3 - 1, 0), height - 1)
          let column = min(max(x / 2 + n % 3 - 1, 0), width - 1)
          value += shares[n] / total * map[row, column, 0]
        }
        result.elements[y * 2 * width + x] = max(value, 0)
      }
    }
    return result
  }

  /// A mixture of copies and interpolation by σ of enlarged scores.
  package static func gated(_ scores: Map, _ map: Map) -> Map {
    let (height, width) = (2 * map.height, 2 * map.width)
    let z = resized(scores, height: height, width: width, grid: .centers)
    let smooth = resized(map, height: height, width: width, grid: .centers)
    let copied = resized(map, height: height, width: width, grid: .nearest)
    var result = smooth
    for i in result.elements.indices {
      let alpha = ReferenceTransformer.sigmoid(z.elements[i])
      result.elements[i] = max(alpha * copied.elements[i] + (1 - alpha) * smooth.elements[i], 0)
    }
    return result
  }
}

extension ReferenceConvolution.Map {
  fileprivate var area: Int { height * width }
}
