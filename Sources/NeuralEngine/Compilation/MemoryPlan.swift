/// The place of every feature map in a run's workspace, for one input shape.
///
/// Maps that are never live at the same time share memory. All layers share one scratch area. This area overlaps only maps that
/// are not live in layers with scratch.
package struct MemoryPlan: Sendable, Hashable {
  let input: Tensor.Shape
  let threads: Int
  let passes: [Program.Pass]
  /// One map per value. A map holds one image if its value never leaves a per-image pass, and otherwise the whole batch.
  let maps: [PlannedMap]
  /// Offset of the scratch area in the workspace, in floats.
  let scratch: Int
  /// Offset of the weights of layers that do not keep their weights.
  let weights: Int
  /// Floats of workspace that the run needs.
  package let capacity: Int

  /// Bytes of workspace that the run needs.
  package var bytes: Int { capacity * MemoryLayout<Float>.stride }

  /// A value's map within a pass; `image` is `nil` in a pass over all images.
  func map(_ value: Int, image: Int?) -> PlannedMap {
    let map = maps[value]
    guard let image, map.shape.count > 1 else { return map }
    return map.image(image)
  }
}

extension Program {
  /// Plans the memory of a run.
  ///
  /// - Parameters:
  ///   - input: `n × h × w × c`.
  ///   - threads: Threads of the run, each of which requires its own scratch.
  /// - Precondition: `input` has the channels of the network's input and at least one pixel.
  package func memoryPlan(forInput input: Tensor.Shape, threads: Int) -> MemoryPlan {
    precondition(input.elementCount > 0, "the input is \(input), expected at least one pixel")
    let passes = self.passes(forInput: input)
    let lifetimes = self.lifetimes(in: passes)
    var shapes = self.shapes(forInput: input)
    for (value, lifetime) in lifetimes.enumerated() where lifetime?.isPerImage == true {
      shapes[value].count = 1
    }
    var allocator = WorkspaceAllocator()
    // Scratch begins after the maps that are live in layers with scratch. Other maps may overlap the scratch.
    var (scratchStart, scratch) = (0, 0)
    for pass in passes {
      for index in pass.layers {
        let born = lifetimes.indices.filter { lifetimes[$0]?.layers.lowerBound == index }
        for value in born {
          let predecessor = inherited(by: value, at: index, lifetimes, shapes)
          let extent = map(value, shape: shapes[value], offset: 0).extent
          allocator.place(value, count: Workspace.aligned(extent), insteadOf: predecessor)
        }
        let layer = layers[index]
        var read = shapes[owner(of: layer.input)]
        read.channels = values[layer.input].channels
        read.count = pass.isPerImage ? 1 : read.count
        let needed = layer.operation.scratchCount(for: read, threads: threads)
        if needed > 0 { scratchStart = max(scratchStart, allocator.liveTop) }
        scratch = max(scratch, needed)
        allocator.release { (lifetimes[$0]?.layers.upperBound ?? index) <= index }
      }
    }
    let weights = max(allocator.top, scratchStart + Workspace.aligned(scratch))
    return MemoryPlan(
      input: input, threads: threads, passes: passes,
      maps: maps(shapes: shapes, offsets: allocator.offsets), scratch: scratchStart,
      weights: weights, capacity: weights + packedCount)
  }

  /// The residual whose buffer a sum can overwrite in place; `nil` if this is unsafe.
  ///
  /// A sum reads each element of the residual just before it writes the same element.
  private func inherited(
    by value: Int, at index: Int, _ lifetimes: [Lifetime?], _ shapes: [Tensor.Shape]
  ) -> Int? {
    let layer = layers[index]
    guard layer.output == value, layer.operation.addsSecond, let residual = layer.second,
      values[residual].slice == nil,
      residual != owner(of: layer.input), lifetimes[residual]?.layers.upperBound == index,
      shapes[residual] == shapes[value],
      (values[residual].quantization == nil) == (values[value].quantization == nil),
      values[residual].border == values[value].border
    else { return nil }
    return residual
  }

  private func maps(shapes: [Tensor.Shape], offsets: [Int: Int]) -> [PlannedMap] {
    values.indices.map { index in
      let source = owner(of: index)
      let whole = map(source, shape: shapes[source], offset: offsets[source] ?? 0)
      return values[index].slice.map { whole.channels($0.channels) } ?? whole
    }
  }

  /// The map of a value that is not a slice.
  private func map(_ value: Int, shape: Tensor.Shape, offset: Int) -> PlannedMap {
    values[value].quantization == nil
      ? .floats(FeatureMap(shape: shape, offset: offset))
      : .quantized(QuantizedMap(shape: shape, offset: offset, border: values[value].border))
  }
}
