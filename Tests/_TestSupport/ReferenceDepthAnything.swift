/// Depth Anything V2 by the paper's figure, in 64-bit floats and for one image.
package struct ReferenceDepthAnything {
  package typealias Map = ReferenceConvolution.Map

  let archive: GeneratedWeights
  let sizes: DepthAnythingSizes

  package init(_ archive: GeneratedWeights, _ sizes: DepthAnythingSizes) {
    (self.archive, self.sizes) = (archive, sizes)
  }

  private func values(_ name: String) throws -> [Float] { try archive.elements(of: name) }

  private func convolved(_ x: Map, _ layer: String, size: Int = 3, stride: Int = 1) throws -> Map {
    let padding = size == 14 ? 0 : (size - 1) / 2
    let kernel = try values("\(layer)/kernel")
    let outputs = archive.shapes["\(layer)/kernel"]?[0] ?? 0
    let bias =
      archive.shapes["\(layer)/bias"] == nil
      ? [Float](repeating: 0, count: outputs) : try values("\(layer)/bias")
    return ReferenceConvolution.convolved(
      x, kernel: kernel, kernelHeight: size, kernelWidth: size, stride: stride, top: padding,
      left: padding, outputHeight: (x.height + 2 * padding - size) / stride + 1,
      outputWidth: (x.width + 2 * padding - size) / stride + 1, bias: bias)
  }

  private func normalized(_ x: Map, _ layer: String) throws -> Map {
    ReferenceTransformer.normalized(
      x, gamma: try values("\(layer)/gamma"), beta: try values("\(layer)/beta"))
  }

  private func sum(_ a: Map, _ b: Map) -> Map {
    var y = a
    y.elements = zip(a.elements, b.elements).map { $0 + $1 }
    return y
  }

  private func relu(_ x: Map) -> Map {
    var y = x
    y.elements = x.elements.map { max($0, 0) }
    return y
  }

  private func refined(_ x: Map, _ unit: String) throws -> Map {
    sum(x, try convolved(relu(try convolved(relu(x), "\(unit).conv1")), "\(unit).conv2"))
  }

  /// The four taken maps and the output.
  package func callAsFunction(_ image: Map) throws -> (taken: [Map], output: Map) {
    let patches = try convolved(image, "patch_embed", size: 14, stride: 14)
    let taken = try encoded(patches)
    var x: Map?
    for level in (0..<4).reversed() {
      var map = try convolved(taken[level], "projects.\(level)", size: 1)
      let resize = "resize_layers.\(level)"
      switch level {
      case 0, 1:
        map = ReferenceTransformer.transposed(
          map, kernel: try values("\(resize)/kernel"), bias: try values("\(resize)/bias"),
          stride: level == 0 ? 4 : 2)
      case 3: map = try convolved(map, resize, stride: 2)
      default: break
      }
      map = try convolved(map, "layer\(level + 1)_rn")
      let name = "refinenet\(level + 1)"
      if let coarser = x {
        let resized = ReferenceTransformer.resized(coarser, height: map.height, width: map.width)
        map = sum(resized, try refined(map, "\(name).resConfUnit1"))
      }
      // The published order is to resize, then to convolve by 1×1. The next level resizes here.
      x = try convolved(try refined(map, "\(name).resConfUnit2"), "\(name).out_conv", size: 1)
    }
    guard let fused = x else { preconditionFailure("no levels") }
    let doubled = ReferenceTransformer.resized(
      fused, height: 2 * fused.height, width: 2 * fused.width)
    let large = ReferenceTransformer.resized(
      try convolved(doubled, "output_conv1"), height: image.height, width: image.width)
    var output = try convolved(
      relu(try convolved(large, "output_conv2.0")), "output_conv2.2", size: 1)
    let largest = archive.numbers("largest_depth")?.first
    output.elements = output.elements.map { z in
      largest.map { $0 * ReferenceTransformer.sigmoid(z) } ?? max(z, 0)
    }
    return (taken, output)
  }

  private func encoded(_ patches: Map) throws -> [Map] {
    let width = sizes.width
    let all = try values("embeddings/positions").map(Double.init)
    let learned = Map(
      height: sizes.trainedSide, width: sizes.trainedSide, channels: width,
      elements: Array(all[width...]))
    let positions = ReferenceTransformer.positions(
      learned, height: patches.height, width: patches.width, extra: 0.1)
    let classToken = zip(try values("embeddings/class_token"), all).map { Double($0) + $1 }
    var x = Map(
      height: 1, width: 1 + patches.height * patches.width, channels: width,
      elements: classToken + sum(patches, positions).elements)
    var taken: [Map] = []
    for block in 0..<sizes.blocks {
      let name = "blocks.\(block)"
      let qkv = try convolved(try normalized(x, "\(name).norm1"), "\(name).attn.qkv", size: 1)
      let attended = ReferenceTransformer.attention(qkv, heads: sizes.heads)
      x = sum(x, try convolved(attended, "\(name).attn.proj", size: 1))
      var hidden = try convolved(try normalized(x, "\(name).norm2"), "\(name).mlp.fc1", size: 1)
      hidden.elements = hidden.elements.map(ReferenceTransformer.gelu)
      x = sum(x, try convolved(hidden, "\(name).mlp.fc2", size: 1))
      guard sizes.takenBlocks.contains(block + 1) else { continue }
      var map = try normalized(x, "norm")
      map.elements.removeFirst(width)
      (map.height, map.width) = (patches.height, patches.width)
      taken.append(map)
    }
    return taken
  }
}
