import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

/// Resizing layers of decoders, and the layers of ZipDepth's encoder.
@Suite struct UpsamplingTests {
  @Test(
    "bilinear doubling with aligned pixel centers matches the formula",
    arguments: InstructionSet.supported, [(1, 1, 5), (2, 3, 1), (7, 5, 16), (4, 9, 33)])
  func centersOfPixelsAreKept(
    set: InstructionSet, size: (height: Int, width: Int, channels: Int)
  ) throws {
    let x = Tensor.noise(
      "x", .init(count: 2, height: size.height, width: size.width, channels: size.channels))
    let layer = BilinearResize(size: .doubled, grid: .centers)
    let found = try run(layer, x, on: set)
    let expected = (0..<2).flatMap {
      ReferenceZipDepth.resized(
        x.map(image: $0), height: 2 * size.height, width: 2 * size.width, grid: .centers
      ).elements
    }
    expectClose(found.elements, expected, absolute: 1e-6)
    #expect(try run(layer, x, on: .baseline, threads: 3) == found)
  }

  @Test("halving with aligned centers averages 2×2 pixels") func halvesByTheMeanOfFour() throws {
    let x = Tensor(
      shape: .init(height: 2, width: 4, channels: 1), elements: [1, 2, 10, 20, 3, 4, 30, 40])
    #expect(
      try run(BilinearResize(size: .halved, grid: .centers), x).elements == [2.5, 25])
  }

  @Test("nearest-neighbor upsampling adds a copy of the nearest pixel")
  func copiesNearestPixelsAndAdds() throws {
    let added = Tensor(
      shape: .init(height: 2, width: 4, channels: 1), elements: [0, 1, 2, 3, 4, 5, 6, 7])
    let x = Tensor(shape: .init(height: 1, width: 2, channels: 1), elements: [10, 20])
    #expect(
      try run(BilinearResize(size: .first, grid: .nearest), added, x).elements
        == [10, 11, 22, 23, 14, 15, 26, 27])
  }

  @Test(
    "convex upsampling matches its formula",
    arguments: InstructionSet.supported, [(1, 1), (1, 5), (3, 2), (6, 9)])
  func convexCombinations(set: InstructionSet, size: (height: Int, width: Int)) throws {
    let scores = Tensor.noise(
      "z", .init(count: 2, height: size.height, width: size.width, channels: 36), scale: 5)
    let map = Tensor.noise(
      "D", .init(count: 2, height: size.height, width: size.width, channels: 1))
    let found = try run(ConvexUpsampling(), scores, map, on: set)
    let expected = (0..<2).flatMap {
      ReferenceZipDepth.convex(scores.map(image: $0), map.map(image: $0)).elements
    }
    expectClose(found.elements, expected, absolute: 1e-6)
    #expect(try run(ConvexUpsampling(), scores, map, on: .baseline, threads: 2) == found)
  }

  @Test(
    "gated upsampling matches its formula",
    arguments: InstructionSet.supported, [(1, 1), (1, 5), (3, 2), (6, 9)])
  func gatedCopies(set: InstructionSet, size: (height: Int, width: Int)) throws {
    let shape = Tensor.Shape(count: 2, height: size.height, width: size.width, channels: 1)
    let (scores, map) = (Tensor.noise("z", shape, scale: 5), Tensor.noise("D", shape))
    let found = try run(GatedUpsampling(), scores, map, on: set)
    let expected = (0..<2).flatMap {
      ReferenceZipDepth.gated(scores.map(image: $0), map.map(image: $0)).elements
    }
    expectClose(found.elements, expected, absolute: 1e-6)
    #expect(try run(GatedUpsampling(), scores, map, on: .baseline, threads: 2) == found)
  }

  @Test(
    "a window maximum is the largest value in its window",
    arguments: [1, 3, 5], [(1, 1, 3), (1, 2, 5), (4, 3, 16), (9, 7, 1)])
  func windowsTakeTheLargest(size: Int, shape: (height: Int, width: Int, channels: Int)) throws {
    let x = Tensor.noise(
      "x", .init(count: 2, height: shape.height, width: shape.width, channels: shape.channels))
    let expected = (0..<2).flatMap {
      ReferenceZipDepth.maximum(x.map(image: $0), size: size).elements.map(Float.init)
    }
    for threads in 1...2 {
      #expect(try run(WindowMaximum(size: size), x, threads: threads).elements == expected)
    }
  }

  /// The sum is added before the ReLU.
  @Test(
    "each group of a grouped convolution reads only its channels",
    arguments: InstructionSet.supported, [(1, 1, 4, 4), (3, 5, 24, 36), (20, 31, 48, 192)])
  func groupsReadTheirOwnChannels(
    set: InstructionSet, size: (height: Int, width: Int, inputs: Int, outputs: Int)
  ) throws {
    var archive = NoiseArchive()
    let (groups, depth) = (4, size.inputs / 4)
    archive.addConvolution("g", [size.outputs, depth, 1, 1])
    let layer = GroupedConvolution(
      groups: groups, inputChannels: size.inputs,
      kernels: try ConvolutionWeights(
        WeightScope(archive, batchNormEpsilon: 0, isFolded: true), layer: "g", norm: nil,
        hasBias: true, shape: [size.outputs, depth, 1, 1]), activation: .relu)
    let shape = Tensor.Shape(
      count: 2, height: size.height, width: size.width, channels: size.inputs)
    let x = Tensor.noise("x", shape)
    let added = Tensor.noise("added", shape.with(channels: size.outputs))
    let (kernel, bias) = (archive.elements(of: "g/kernel"), archive.elements(of: "g/bias"))
    let expected = added.elements.enumerated().map { index, value in
      let (pixel, output) = index.quotientAndRemainder(dividingBy: size.outputs)
      let first = pixel * size.inputs + output / (size.outputs / groups) * depth
      let sum = (0..<depth).reduce(Double(bias[output]) + Double(value)) {
        $0 + Double(kernel[output * depth + $1]) * Double(x.elements[first + $1])
      }
      return max(sum, 0)
    }
    for backend in [GEMMBackend.packed(set), .openBLAS(set)] {
      let found = try run(layer, x, added, on: set, backend: backend)
      expectClose(found.elements, expected, absolute: 1e-5)
      #expect(try run(layer, x, added, on: set, threads: 3, backend: backend) == found)
    }
  }
}
