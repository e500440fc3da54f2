/// Where every feature map of a run stands, for one input shape: maps that are never needed at the same
/// time share memory, and all steps share one piece of scratch.
public struct MemoryPlan: Sendable, Hashable {
  let input: Tensor.Shape
  let threads: Int
  let passes: [Program.Pass]
  /// Of all images, or of one where the value is made and used within a pass per image.
  let maps: [FeatureMap]
  let scratch: Int
  /// Floats of workspace that the run needs.
  let capacity: Int

  /// Bytes of workspace that the run needs.
  public var bytes: Int { capacity * MemoryLayout<Float>.stride }

  /// A value's map in a pass; `image` is nil where all images go together.
  func map(_ value: Int, image: Int?) -> FeatureMap {
    let map = maps[value]
    guard let image, map.shape.count > 1 else { return map }
    return map.image(image)
  }
}

extension Program {
  /// - Precondition: `input` has the channels of the network's input and at least one pixel.
  public func memoryPlan(forInput input: Tensor.Shape, threads: Int) -> MemoryPlan {
    precondition(input.elementCount > 0, "the input is \(input), expected at least one pixel")
    let passes = self.passes(forInput: input)
    let lifetimes = self.lifetimes(in: passes)
    var shapes = self.shapes(forInput: input)
    for (value, lifetime) in lifetimes.enumerated() where lifetime?.isPerImage == true {
      shapes[value].count = 1
    }
    var places = Places()
    var scratch = 0
    for pass in passes {
      for index in pass.steps {
        let born = lifetimes.indices.filter { lifetimes[$0]?.steps.lowerBound == index }
        for value in born {
          let predecessor = inherited(by: value, at: index, lifetimes, shapes)
          places.place(value, count: shapes[value].alignedExtent, insteadOf: predecessor)
        }
        let step = steps[index]
        var read = shapes[owner(of: step.input)]
        read.channels = values[step.input].channels
        read.count = pass.isPerImage ? 1 : read.count
        scratch = max(scratch, step.operation.scratchCount(for: read, threads: threads))
        places.release { (lifetimes[$0]?.steps.upperBound ?? index) <= index }
      }
    }
    return MemoryPlan(
      input: input, threads: threads, passes: passes,
      maps: maps(shapes: shapes, offsets: places.offsets), scratch: places.top,
      capacity: places.top + scratch)
  }

  /// The residual whose memory a sum takes over: every element of it is read by whoever overwrites it.
  private func inherited(
    by value: Int, at index: Int, _ lifetimes: [Lifetime?], _ shapes: [Tensor.Shape]
  ) -> Int? {
    let step = steps[index]
    guard step.output == value, let residual = step.residual, values[residual].slice == nil,
      residual != owner(of: step.input), lifetimes[residual]?.steps.upperBound == index,
      shapes[residual] == shapes[value]
    else { return nil }
    return residual
  }

  private func maps(shapes: [Tensor.Shape], offsets: [Int: Int]) -> [FeatureMap] {
    values.indices.map { index in
      guard let slice = values[index].slice else {
        return FeatureMap(shape: shapes[index], offset: offsets[index] ?? 0)
      }
      return FeatureMap(shape: shapes[slice.source], offset: offsets[slice.source] ?? 0)
        .channels(slice.channels)
    }
  }
}

/// The places of maps in the workspace while the plan is made.
private struct Places {
  private(set) var offsets: [Int: Int] = [:]
  /// Floats that all maps so far have needed.
  private(set) var top = 0
  private var live: [Int: Range<Int>] = [:]

  /// Gives a value the place of another, or else the lowest gap between live maps.
  mutating func place(_ value: Int, count: Int, insteadOf predecessor: Int?) {
    var range: Range<Int>
    if let predecessor, let inherited = live.removeValue(forKey: predecessor) {
      range = inherited
    } else {
      range = 0..<count
      for taken in live.values.sorted(by: { $0.lowerBound < $1.lowerBound })
      where taken.lowerBound < range.upperBound {
        let start = max(range.lowerBound, taken.upperBound)
        range = start..<start + count
      }
    }
    offsets[value] = range.lowerBound
    live[value] = range
    top = max(top, range.upperBound)
  }

  mutating func release(where isOver: (Int) -> Bool) {
    live = live.filter { !isOver($0.key) }
  }
}

extension Tensor.Shape {
  /// Floats of a map of this shape, whole cache lines.
  fileprivate var alignedExtent: Int {
    Workspace.aligned(FeatureMap(shape: self, offset: 0).extent)
  }
}

extension Program.Operation {
  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    switch self {
    case .convolution(let convolution): convolution.geometry.outputShape(for: input)
    case .upConvolution(let convolution): convolution.outputShape(for: input)
    case .maxPool: MaxPooling.outputShape(for: input)
    }
  }

  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    switch self {
    case .convolution(let convolution): convolution.scratchCount(for: input, threads: threads)
    case .upConvolution(let convolution): convolution.scratchCount(for: input, threads: threads)
    case .maxPool: 0
    }
  }
}
