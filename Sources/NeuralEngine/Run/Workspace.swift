import DepthBase

/// Memory for the activations and scratch of one run, planned before the run begins.
package final class Workspace: Sendable {
  let buffer: AlignedBuffer
  /// Size of the workspace in floats.
  package var capacity: Int { buffer.count }

  package init(capacity: Int) { buffer = AlignedBuffer(count: capacity) }

  /// The first float.
  package var base: UnsafeMutablePointer<Float> { unsafe buffer.base }
}

extension Workspace {
  /// `count` floats, rounded up to whole cache lines.
  package static func aligned(_ count: Int) -> Int { (count + 15) / 16 * 16 }

  /// Copies a tensor into the workspace.
  package func write(_ tensor: Tensor, to map: FeatureMap) {
    precondition(tensor.shape == map.shape, "tensor is \(tensor.shape), map is \(map.shape)")
    let channels = map.shape.channels
    unsafe tensor.elements.withUnsafeBufferPointer { source in
      guard let source = source.baseAddress else { return }
      let (rows, count) = map.copiedRows
      for row in 0..<rows {
        unsafe (base + map.offset + row * map.pixelStride).update(
          from: source + row * channels, count: count)
      }
    }
  }

  /// Copies a feature map out of the workspace.
  package func tensor(at map: FeatureMap) -> Tensor {
    let channels = map.shape.channels
    let elements = unsafe [Float](unsafeUninitializedCapacity: map.shape.elementCount) {
      buffer, count in
      if let out = buffer.baseAddress {
        let (rows, count) = map.copiedRows
        for row in 0..<rows {
          unsafe (out + row * channels).initialize(
            from: base + map.offset + row * map.pixelStride, count: count)
        }
      }
      count = map.shape.elementCount
    }
    return Tensor(shape: map.shape, elements: elements)
  }
}

extension FeatureMap {
  /// The number and the length, in floats, of the copies that move the map. If pixels have no gaps, one
  /// copy is enough.
  fileprivate var copiedRows: (rows: Int, count: Int) {
    pixelStride == shape.channels ? (1, shape.elementCount) : (shape.rows, shape.channels)
  }
}
