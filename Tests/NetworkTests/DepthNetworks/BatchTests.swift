import DepthNetworks
import Testing
import WeightsFiles
import _TestSupport

@testable import NeuralEngine

/// Batches of images. Some layers compute all images together, other layers one after another.
@Suite struct BatchTests {
  private static func program(backend: GEMMBackend = .best) throws -> Program {
    let archive = try HDF5WeightArchive(path: Golden.path("fcrn_narrow16_weights.h5"))
    let network = try FCRN(archive)
    return try network.output.compiled(
      forInput: network.inputShape, backend: backend, threads: 2)
  }

  private static func images(_ count: Int, height: Int = 65, width: Int = 97) -> Tensor {
    let noise = CounterStream("batch")
    let shape = Tensor.Shape(count: count, height: height, width: width, channels: 3)
    return Tensor(
      shape: shape,
      elements: (0..<shape.elementCount).map { Float(noise[$0] % 256) })
  }

  @Test("each activation of a batch has the bits of the single image", arguments: [1, 3])
  func everyActivationHasTheBitsOfASingleImage(threads: Int) throws {
    let program = try Self.program()
    let batch = Self.images(3)
    let names = Set(program.valueNames)
    let plan = program.memoryPlan(forInput: batch.shape, threads: threads)
    #expect(plan.passes.map(\.isPerImage) == [true, false, true])
    let (output, kept) = try program.run(batch, in: .init(plan), keeping: names)
    var shape = batch.shape
    shape.count = 1
    let single = program.memoryPlan(forInput: shape, threads: threads)
    for image in 0..<batch.shape.count {
      let elements = Array(
        batch.elements[image * shape.elementCount..<(image + 1) * shape.elementCount])
      let alone = try program.run(
        Tensor(shape: shape, elements: elements), in: .init(single), keeping: names)
      #expect(Self.image(image, of: output) == alone.output.elements)
      for (name, expected) in alone.kept {
        let found = try #require(kept[name])
        #expect(found.shape.count == batch.shape.count, "\(name)")
        #expect(Self.image(image, of: found) == expected.elements, "\(name) of image \(image)")
      }
    }
  }

  private static func image(_ index: Int, of tensor: Tensor) -> [Float] {
    let count = tensor.elements.count / tensor.shape.count
    return Array(tensor.elements[index * count..<(index + 1) * count])
  }

  @Test("a batch's layers are reported in order") func stepsAreReportedOnceAndInOrder() throws {
    let program = try Self.program()
    let batch = Self.images(2)
    let plan = program.memoryPlan(forInput: batch.shape, threads: 1)
    var reports: [Program.LayerReport] = []
    _ = try program.run(batch, in: .init(plan)) { reports.append($0) }
    #expect(reports.map(\.layer) == program.layers.map(\.name))
    #expect(reports.allSatisfy { $0.input.count == 2 && $0.output.count == 2 })
  }

  /// Only maps between passes are kept for every image.
  @Test("a further image in a batch takes less than half as much memory")
  func memoryOfAnotherImageIsSmall() throws {
    let program = try Self.program()
    func bytes(_ count: Int) -> Int {
      program.memoryPlan(
        forInput: Tensor.Shape(count: count, height: 228, width: 304, channels: 3), threads: 2
      ).bytes
    }
    let another = (bytes(8) - bytes(2)) / 6
    #expect(another * 2 < bytes(1), "\(another) bytes more, \(bytes(1)) for one image")
  }

  @Test("maps that are in use together do not overlap in memory", arguments: [1, 2, 5])
  func mapsDoNotOverlap(count: Int) throws {
    let program = try Self.program()
    let plan = program.memoryPlan(
      forInput: Tensor.Shape(count: count, height: 65, width: 97, channels: 3), threads: 2)
    let lifetimes = program.lifetimes(in: plan.passes)
    func range(_ value: Int) -> Range<Int> {
      let map = plan.maps[value]
      return map.offset..<map.offset + map.extent
    }
    for a in plan.maps.indices where lifetimes[a] != nil {
      #expect(range(a).upperBound <= plan.scratch)
      for b in 0..<a {
        guard let first = lifetimes[a], let second = lifetimes[b],
          first.layers.overlaps(second.layers)
        else { continue }
        // A sum may overwrite the residual in the last layer that reads the residual.
        let isHeir = program.layers.contains {
          $0.output == a && $0.second == b && first.layers.lowerBound == second.layers.upperBound
        }
        #expect(isHeir || !range(a).overlaps(range(b)), "\(program.values[a].name)")
      }
    }
  }
}
