/// What is known of a photo before anything is decoded.
package protocol UndecodedPhoto {
  var width: Int { get }
  var height: Int { get }
  /// Bytes that decoding takes at its peak.
  var decodingBytesPerPixel: Double { get }
}

extension UndecodedPhoto {
  package var pixels: Double { Double(width) * Double(height) }
  package var decodingBytes: Double { pixels * decodingBytesPerPixel }
}

// Each stage computes its need from sizes alone, before anything large is allocated: it adds up the buffers that live
// together where the stage needs most. The needs were compared with the peak resident size of `depth` on photos of 0.3
// to 200 megapixels: they are never below it, and less than twice as much. Compressed files, whose length is not known
// beforehand, are counted at the length of noise.
extension MemoryNeed {
  /// Bytes of one pixel's red, green and blue, and of a 32-bit value.
  package static let (colorBytes, valueBytes) = (3.0, 4.0)
  /// Scratch rows, tables, stacks of threads and what the allocator keeps, for any work.
  private static let overhead = 24e6

  /// The need of work in stages, each of which frees what it took.
  ///
  /// - Parameters:
  ///   - stages: Bytes that each stage needs.
  ///   - networkBytes: Input, activations and scratch of a network that stays in memory; 0 without one.
  package init(peakOf stages: [Double], networkBytes: Int = 0) {
    // A need that no machine can meet is as good as any number that fits.
    let bytes = (stages.max() ?? 0) + Double(networkBytes) + Self.overhead
    self.init(bytes: Int(min(bytes, 1e18)))
  }
}
