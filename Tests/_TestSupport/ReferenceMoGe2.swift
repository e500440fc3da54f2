import Foundation

/// MoGe-2 by its authors' code, in 64-bit floats, without folding.
package struct ReferenceMoGe2 {
  package typealias Map = ReferenceConvolution.Map

  let weights: PublishedWeights
  let width: Int
  let takenBlocks: [Int]
  let neckBlocks: Int

  package init(_ weights: PublishedWeights, width: Int, takenBlocks: [Int], neckBlocks: Int) {
    (self.weights, self.width) = (weights, width)
    (self.takenBlocks, self.neckBlocks) = (takenBlocks, neckBlocks)
  }

  private func values(_ name: String) -> [Float] { weights.tensors[name]?.values ?? [] }

  /// A convolution with repeated borders, also for 1×1 kernels and linear layers.
  private func convolved(_ x: Map, _ layer: String, size: Int = 1) -> Map {
    let (kernel, bias) = (values("\(layer).weight"), values("\(layer).bias"))
    let (outputs, taps, margin) = (bias.count, size * size, (size - 1) / 2)
    // Output channels are adjacent, as the sums need.
    var columns = [Double](repeating: 0, count: kernel.count)
    for output in 0..<outputs {
      for index in 0..<x.channels * taps {
        columns[index * outputs + output] = Double(kernel[output * x.channels * taps + index])
      }
    }
    var y = Map(height: x.height, width: x.width, channels: outputs, elements: [])
    y.elements.reserveCapacity(x.height * x.width * outputs)
    var sum = [Double](repeating: 0, count: outputs)
    for row in 0..<x.height {
      for column in 0..<x.width {
        for output in 0..<outputs { sum[output] = Double(bias[output]) }
        for tap in 0..<taps {
          let r = min(max(row + tap / size - margin, 0), x.height - 1)
          let c = min(max(column + tap % size - margin, 0), x.width - 1)
          let pixel = (r * x.width + c) * x.channels
          for channel in 0..<x.channels {
            let value = x.elements[pixel + channel]
            let first = (channel * taps + tap) * outputs
            for output in 0..<outputs { sum[output] += value * columns[first + output] }
          }
        }
        y.elements += sum
      }
    }
    return y
  }

  private func normalized(_ x: Map, _ layer: String) -> Map {
    ReferenceTransformer.normalized(
      x, gamma: values("\(layer).weight"), beta: values("\(layer).bias"))
  }

  private func sum(_ a: Map, _ b: Map) -> Map {
    var y = a
    y.elements = zip(a.elements, b.elements).map { $0 + $1 }
    return y
  }

  private func scaled(_ x: Map, by name: String) -> Map {
    let factors = values(name)
    var y = x
    for index in y.elements.indices { y.elements[index] *= Double(factors[index % x.channels]) }
    return y
  }

  private func relu(_ x: Map) -> Map {
    var y = x
    y.elements = x.elements.map { max($0, 0) }
    return y
  }

  /// The sum of the projected maps, and the class token.
  private func encoded(_ image: Map) -> (map: Map, token: Map) {
    let backbone = "encoder.backbone."
    let (rows, columns) = (image.height / 14, image.width / 14)
    let patches = ReferenceConvolution.convolved(
      image, kernel: values("\(backbone)patch_embed.proj.weight"), kernelHeight: 14,
      kernelWidth: 14,
      stride: 14, top: 0, left: 0, outputHeight: rows, outputWidth: columns,
      bias: values("\(backbone)patch_embed.proj.bias"))
    let all = values("\(backbone)pos_embed").map(Double.init)
    let positions = ReferenceTransformer.positions(
      Map(height: 37, width: 37, channels: width, elements: Array(all[width...])), height: rows,
      width: columns, extra: 0.1)
    let first = zip(values("\(backbone)cls_token"), all).map { Double($0) + $1 }
    var x = Map(
      height: 1, width: 1 + rows * columns, channels: width,
      elements: first + sum(patches, positions).elements)
    var total: Map?
    var token = x
    for block in 1...(takenBlocks.last ?? 1) {
      let name = "\(backbone)blocks.\(block - 1)"
      let attended = ReferenceTransformer.attention(
        convolved(normalized(x, "\(name).norm1"), "\(name).attn.qkv"), heads: width / 64)
      x = sum(x, scaled(convolved(attended, "\(name).attn.proj"), by: "\(name).ls1.gamma"))
      var hidden = convolved(normalized(x, "\(name).norm2"), "\(name).mlp.fc1")
      hidden.elements = hidden.elements.map(ReferenceTransformer.gelu)
      x = sum(x, scaled(convolved(hidden, "\(name).mlp.fc2"), by: "\(name).ls2.gamma"))
      guard let index = takenBlocks.firstIndex(of: block) else { continue }
      let tokens = normalized(x, "\(backbone)norm")
      token = Map(height: 1, width: 1, channels: width, elements: Array(tokens.elements[..<width]))
      let map = convolved(
        Map(
          height: rows, width: columns, channels: width, elements: Array(tokens.elements[width...])),
        "encoder.output_projections.\(index)")
      total = total.map { sum($0, map) } ?? map
    }
    return (total ?? patches, token)
  }

  /// The coordinates u and v of a level, appended to `map` if there is a map.
  private func view(_ height: Int, _ width: Int, aspect: Double, after map: Map? = nil) -> Map {
    let diagonal = (1 + aspect * aspect).squareRoot()
    let channels = (map?.channels ?? 0) + 2
    var y = Map(height: height, width: width, channels: channels, elements: [])
    for row in 0..<height {
      for column in 0..<width {
        if let map {
          let pixel = (row * width + column) * map.channels
          y.elements += map.elements[pixel..<pixel + map.channels]
        }
        y.elements.append(aspect / diagonal * (Double(2 * column + 1) / Double(width) - 1))
        y.elements.append(1 / diagonal * (Double(2 * row + 1) / Double(height) - 1))
      }
    }
    return y
  }

  /// Bilinear interpolation to twice the size with aligned borders.
  private func doubled(_ x: Map) -> Map {
    func position(_ index: Int, _ count: Int) -> (Int, Int, Double) {
      let p = max((Double(index) + 0.5) / 2 - 0.5, 0)
      let whole = min(Int(p), count - 1)
      return (whole, min(whole + 1, count - 1), p - Double(whole))
    }
    var y = Map(height: 2 * x.height, width: 2 * x.width, channels: x.channels, elements: [])
    for row in 0..<y.height {
      let (top, bottom, v) = position(row, x.height)
      for column in 0..<y.width {
        let (left, right, u) = position(column, x.width)
        for c in 0..<x.channels {
          let above = x[top, left, c] * (1 - u) + x[top, right, c] * u
          let below = x[bottom, left, c] * (1 - u) + x[bottom, right, c] * u
          y.elements.append(above * (1 - v) + below * v)
        }
      }
    }
    return y
  }

  /// All levels of the neck or a head.
  private func stack(_ inputs: [Map], _ name: String, blocks: Int) -> [Map] {
    var levels: [Map] = []
    for (level, input) in inputs.enumerated() {
      var x = convolved(input, "\(name).input_blocks.\(level)")
      if let last = levels.last {
        let layer = "\(name).resamplers.\(level - 1)"
        let larger =
          level == 4
          ? doubled(last)
          : ReferenceTransformer.transposed(
            last, kernel: exchanged("\(layer).0.weight"), bias: values("\(layer).0.bias"), stride: 2
          )
        x = sum(x, convolved(larger, "\(layer).1", size: 3))
      }
      for block in 0..<((1...3).contains(level) ? blocks : 0) {
        let layers = "\(name).res_blocks.\(level).\(block).layers"
        let hidden = convolved(relu(x), "\(layers).2", size: 3)
        x = sum(x, convolved(relu(hidden), "\(layers).5", size: 3))
      }
      levels.append(x)
    }
    return levels
  }

  /// A kernel with axes input × output, transposed to output × input.
  private func exchanged(_ name: String) -> [Float] {
    let (kernel, shape) = (values(name), weights.tensors[name]?.shape ?? [])
    let (inputs, outputs, area) = (shape[0], shape[1], shape[2] * shape[3])
    return (0..<kernel.count).map { index in
      let (output, input) = (index / (inputs * area), index / area % inputs)
      return kernel[(input * outputs + output) * area + index % area]
    }
  }

  /// The raw maps of all heads at the finest level, and ln of the metric scale.
  package func callAsFunction(_ image: Map, aspect: Double) -> (heads: [Map], scale: Double) {
    let (features, token) = encoded(image)
    let (rows, columns) = (features.height, features.width)
    let neck = stack(
      (0..<5).map {
        view(rows << $0, columns << $0, aspect: aspect, after: $0 == 0 ? features : nil)
      }, "neck", blocks: neckBlocks)
    let heads = PublishedWeights.moGe2Heads.map(\.0).filter {
      weights.tensors["\($0).output_blocks.4.weight"] != nil
    }.map { convolved(stack(neck, $0, blocks: 1)[4], "\($0).output_blocks.4") }
    var scale = token
    for layer in [0, 2, 4] {
      scale = convolved(scale, "scale_head.\(layer)")
      if layer < 4 { scale = relu(scale) }
    }
    return (heads, scale.elements[0])
  }
}
