import DepthBase
import Testing

@testable import NeuralEngine

/// The maximum of quantized values equals the quantized maximum of floats.
@Suite struct QuantizedMaxPoolingTests {
  static let shapes = [
    Tensor.Shape(height: 1, width: 1, channels: 1),
    Tensor.Shape(height: 2, width: 3, channels: 5),
    Tensor.Shape(count: 2, height: 9, width: 8, channels: 63),
    Tensor.Shape(count: 3, height: 6, width: 7, channels: 64),
    Tensor.Shape(height: 5, width: 4, channels: 130),
  ]

  @Test(
    "quantized maximum pooling equals the quantized maximum of floats",
    arguments: Int8InstructionSet.tested, shapes)
  func equalsQuantizedMaxima(set: Int8InstructionSet, shape: Tensor.Shape) {
    for quantized in [
      MapQuantization(scale: 0.0173, zeroPoint: 0), MapQuantization(scale: 0.0109, zeroPoint: 128),
    ] {
      for (threads, border) in [(1, 0), (2, 1), (3, 1)] {
        let pooled = MaxPooling().outputShape(for: shape)
        let floats = FeatureMap(shape: shape, offset: 0)
        let maxima = FeatureMap(shape: pooled, offset: Workspace.aligned(floats.extent))
        let expected = QuantizedMap(
          shape: pooled, offset: maxima.offset + Workspace.aligned(maxima.extent), border: border)
        let whole = QuantizedMap(
          shape: shape, offset: expected.offset + expected.extent, border: border)
        let found = QuantizedMap(shape: pooled, offset: whole.offset + whole.extent, border: border)
        let workspace = Workspace(capacity: found.offset + found.extent)
        // Some floats exceed the quantized range, and some round to equal quantized values.
        workspace.write(
          Tensor(shape: shape, elements: noise("x", shape.elementCount).map { 3 * $0 }), to: floats)
        ThreadTeam.run(threads: threads) { team in
          let quantization = Quantization(quantization: quantized, instructionSet: set)
          MaxPooling().run(.floats(floats), into: .floats(maxima), in: workspace, on: team)
          quantization.run(.floats(maxima), into: .quantized(expected), in: workspace, on: team)
          quantization.run(.floats(floats), into: .quantized(whole), in: workspace, on: team)
          QuantizedMaxPooling(quantization: quantized, instructionSet: set)
            .run(.quantized(whole), into: .quantized(found), in: workspace, on: team)
        }
        #expect(workspace.values(at: found) == workspace.values(at: expected))
        #expect(Self.bytes(of: found, in: workspace) == Self.bytes(of: expected, in: workspace))
      }
    }
  }

  /// All bytes of a map, border included.
  private static func bytes(of map: QuantizedMap, in workspace: Workspace) -> [UInt8] {
    let first = UnsafeRawPointer(workspace.base).advanced(by: 4 * map.offset)
    let pixels = (map.shape.height + 2 * map.border) * (map.shape.width + 2 * map.border)
    return (0..<map.shape.count).flatMap { image in
      (0..<pixels).flatMap { pixel in
        (0..<map.shape.channels).map {
          first.load(
            fromByteOffset: image * map.imageStride + pixel * map.pixelStride + $0, as: UInt8.self)
        }
      }
    }
  }
}
