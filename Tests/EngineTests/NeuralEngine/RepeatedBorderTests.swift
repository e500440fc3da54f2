import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

/// Convolutions whose border repeats the nearest pixel, and layers of the view plane.
@Suite struct RepeatedBorderTests {
  /// Maps of one pixel, of one tile and of parts of tiles.
  @Test(
    "repeating the border equals a convolution of an edge-padded map",
    arguments: InstructionSet.supported,
    [(1, 1, 3, 4), (2, 5, 7, 9), (4, 4, 16, 32), (11, 6, 33, 28), (13, 14, 8, 40)])
  func floatsEqualThoseOfALargerMap(
    set: InstructionSet, size: (height: Int, width: Int, inputs: Int, outputs: Int)
  ) throws {
    var archive = NoiseArchive()
    archive.addConvolution("c", [size.outputs, size.inputs, 3, 3])
    let layer = ConvolutionOperation(
      geometry: ConvolutionGeometry(
        kernelHeight: 3, kernelWidth: 3, border: .repeated, inputChannels: size.inputs,
        outputChannels: size.outputs),
      convolutionWeights: try ConvolutionWeights(
        WeightScope(archive, batchNormEpsilon: 0, isFolded: true), layer: "c", norm: nil,
        hasBias: true, shape: [size.outputs, size.inputs, 3, 3]),
      activation: .none, measuredScale: .map)
    let x = Tensor.noise(
      "x", .init(count: 2, height: size.height, width: size.width, channels: size.inputs))
    let expected = (0..<2).flatMap { image -> [Double] in
      let map = x.map(image: image)
      var padded = ReferenceConvolution.Map(
        height: size.height + 2, width: size.width + 2, channels: size.inputs, elements: [])
      for row in -1...size.height {
        for column in -1...size.width {
          for channel in 0..<size.inputs {
            padded.elements.append(
              map[
                min(max(row, 0), size.height - 1), min(max(column, 0), size.width - 1), channel])
          }
        }
      }
      return ReferenceConvolution.convolved(
        padded, kernel: archive.elements(of: "c/kernel"), kernelHeight: 3, kernelWidth: 3, top: 0,
        left: 0, outputHeight: size.height, outputWidth: size.width,
        bias: archive.elements(of: "c/bias")
      ).elements
    }
    let found = try run(layer, x, on: set)
    expectClose(found.elements, expected, absolute: 1e-4)
    #expect(try run(layer, x, on: set, threads: 3) == found)
  }

  @Test("the view plane has a half diagonal of 1") func theViewPlaneHasHalfADiagonal() {
    let plane = ViewPlane(height: 3, width: 400, aspect: 4.0 / 3)
    #expect(plane.rows.map { ($0 * 1e6).rounded() } == [-400_000, 0, 400_000])
    // The pixel center is half a pixel inside the border, which is at 0.8.
    #expect(
      abs((plane.columns.last ?? 0) - 0.798) < 1e-6
        && plane.columns.first == -(plane.columns.last ?? 0))
  }

  @Test("the view plane is projected by weights and a bias") func theViewPlaneIsProjected() throws {
    let layer = ViewPlaneProjection(u: [1, 0, -2], v: [0, 1, 3], bias: [0.5, 0, 1])
    let x = Tensor.noise("x", .init(count: 2, height: 5, width: 4, channels: 7))
    let found = try run(layer, x, threads: 2)
    let plane = ViewPlane(height: 5, width: 4, aspect: 1)
    #expect(found.shape == .init(count: 2, height: 5, width: 4, channels: 3))
    for index in 0..<40 {
      let (u, v) = (plane.columns[index % 4], plane.rows[index / 4 % 5])
      expectClose(
        Array(found.elements[3 * index..<3 * index + 3]),
        [u + 0.5, v, -2 * u + 3 * v + 1].map(Double.init), absolute: 1e-6)
    }
  }

  /// Each value encodes its phase and output.
  @Test("the phase shuffle moves each phase to its pixel") func phasesBecomePixels() throws {
    let layer = PhaseShuffle(stored: 3, u: [0, 10], v: [0, 0], bias: [0, 100])
    let x = Tensor(
      shape: .init(height: 2, width: 1, channels: 12), elements: (0..<24).map(Float.init))
    let number = Tensor(shape: .init(height: 1, width: 1, channels: 1), elements: [-7])
    let found = try run(layer, x, number)
    #expect(found.shape == .init(height: 4, width: 2, channels: 3))
    let u = ViewPlane(height: 4, width: 2, aspect: 1).columns
    let phases: [Float] = [0, 3, 6, 9, 12, 15, 18, 21]
    var expected: [Double] = []
    for (index, phase) in phases.enumerated() {
      let second: Float = phase + 101 + 10 * u[index % 2]
      expected += [Double(phase), Double(second), -7]
    }
    expectClose(found.elements, expected, absolute: 1e-5)
  }

  @Test("the class token is the first token of each image") func theFirstTokenIsTaken() throws {
    let x = Tensor(
      shape: .init(count: 2, height: 1, width: 3, channels: 2), elements: (0..<12).map(Float.init))
    #expect(try run(ClassToken(), x).elements == [0, 1, 6, 7])
  }
}
