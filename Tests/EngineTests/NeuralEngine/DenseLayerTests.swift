import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

@Suite struct DenseLayerTests {
  @Test(
    "bilinear doubling with aligned corners matches the formula",
    arguments: InstructionSet.supported, [(1, 1, 5), (2, 3, 1), (7, 5, 16), (4, 9, 33)])
  func doubles(set: InstructionSet, size: (height: Int, width: Int, channels: Int)) throws {
    let x = Tensor.noise(
      "x", .init(count: 2, height: size.height, width: size.width, channels: size.channels))
    let layer = BilinearResize(size: .doubled)
    let found = try run(layer, x, on: set)
    let expected = (0..<2).flatMap {
      ReferenceTransformer.resized(
        x.map(image: $0), height: 2 * size.height, width: 2 * size.width
      ).elements
    }
    expectClose(found.elements, expected, absolute: 1e-6)
    #expect(try run(layer, x, on: .baseline, threads: 3) == found)
  }

  @Test(
    "the sum of a map and a resized map matches the formula",
    arguments: InstructionSet.supported, [(5, 8), (1, 3), (13, 2), (4, 4)])
  func resizesAndAdds(set: InstructionSet, size: (height: Int, width: Int)) throws {
    let added = Tensor.noise(
      "added", .init(count: 2, height: size.height, width: size.width, channels: 19))
    let x = Tensor.noise("x", .init(count: 2, height: 4, width: 4, channels: 19))
    let layer = BilinearResize(size: .first)
    let found = try run(layer, added, x, on: set)
    let expected = (0..<2).flatMap { image in
      zip(
        added.map(image: image).elements,
        ReferenceTransformer.resized(
          x.map(image: image), height: size.height, width: size.width
        ).elements
      ).map { $0 + $1 }
    }
    expectClose(found.elements, expected, absolute: 1e-6)
    #expect(try run(layer, added, x, on: .baseline, threads: 2) == found)
  }

  @Test(
    "a transposed convolution matches its formula",
    arguments: InstructionSet.supported, [(2, 5, 7), (4, 16, 33), (3, 1, 1)])
  func convolvesTransposed(
    set: InstructionSet, size: (stride: Int, inputs: Int, outputs: Int)
  ) throws {
    var archive = NoiseArchive()
    archive.addConvolution("up", [size.outputs, size.inputs, size.stride, size.stride])
    let layer = TransposedConvolution(
      stride: size.stride, inputChannels: size.inputs,
      kernels: try ConvolutionWeights(
        WeightScope(archive, batchNormEpsilon: 0, isFolded: false), layer: "up", norm: nil,
        hasBias: true, shape: [size.outputs, size.inputs, size.stride, size.stride]))
    let x = Tensor.noise("x", .init(count: 2, height: 3, width: 13, channels: size.inputs))
    let expected = (0..<2).flatMap {
      ReferenceTransformer.transposed(
        x.map(image: $0), kernel: archive.elements(of: "up/kernel"),
        bias: archive.elements(of: "up/bias"), stride: size.stride
      ).elements
    }
    for backend in [GEMMBackend.packed(set), .openBLAS(set)] {
      let found = try run(layer, x, backend: backend)
      expectClose(found.elements, expected, absolute: 2e-5)
      #expect(try run(layer, x, threads: 3, backend: backend) == found)
    }
  }

  /// Sizes below, at and above a strip of 30 rows.
  @Test(
    "the last layers match their formula in strips", arguments: InstructionSet.supported,
    [(5, 4, 6, 9), (15, 8, 30, 17), (16, 9, 31, 40), (20, 3, 75, 6)])
  func computesTheLastLayersInStrips(
    set: InstructionSet, size: (height: Int, width: Int, outHeight: Int, outWidth: Int)
  ) throws {
    var archive = NoiseArchive()
    archive.addConvolution("hidden", [9, 6, 3, 3])
    archive.addConvolution("last", [1, 9, 1, 1])
    let scope = WeightScope(archive, batchNormEpsilon: 0, isFolded: false)
    let weights = try (
      ConvolutionWeights(scope, layer: "hidden", norm: nil, hasBias: true, shape: [9, 6, 3, 3]),
      ConvolutionWeights(scope, layer: "last", norm: nil, hasBias: true, shape: [1, 9, 1, 1])
    )
    let image = Tensor.noise(
      "image", .init(count: 2, height: size.outHeight, width: size.outWidth, channels: 3))
    let x = Tensor.noise("x", .init(count: 2, height: size.height, width: size.width, channels: 6))
    let reference = ReferenceLayers(archive: archive, epsilon: 0)
    for activation in [DenseActivation.relu, .sigmoid(largest: 20)] {
      let layer = DenseOutput(
        inputChannels: 6, hidden: weights.0, last: weights.1, activation: activation)
      let found = try run(layer, image, x, on: set)
      let expected = (0..<2).flatMap { index -> [Double] in
        let large = ReferenceTransformer.resized(
          x.map(image: index), height: size.outHeight, width: size.outWidth)
        let hidden = reference.relu(reference.convolved(large, "hidden", size: 3))
        return reference.convolved(hidden, "last", size: 1).elements.map {
          activation == .relu ? max($0, 0) : 20 * ReferenceTransformer.sigmoid($0)
        }
      }
      expectClose(found.elements, expected, absolute: 1e-4)
      #expect(try run(layer, image, x, on: set, threads: 3) == found)
    }
  }

  @Test("a rectifier replaces negative values by zero") func rectifies() throws {
    let x = Tensor.noise("x", .init(count: 2, height: 17, width: 19, channels: 5))
    let found = try run(Rectifier(), x, threads: 2)
    #expect(found.elements == x.elements.map { max($0, 0) })
  }
}
