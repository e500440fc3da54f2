package import DepthErrors

/// The peak memory of an operation, in addition to the memory already in use.
package struct MemoryNeed: Sendable, Hashable {
  /// Bytes at the peak.
  package var bytes: Int

  package init(bytes: Int) { self.bytes = bytes }

  /// Checks that the need is within a budget.
  ///
  /// - Parameter name: The file or option that causes the need, for the error.
  /// - Throws: `DepthError` with code `insufficientMemory`.
  package func require(for name: String, budget: MemoryBudget) throws {
    guard bytes > budget.bytes else { return }
    throw DepthError.insufficientMemory(
      file: name, needed: bytes, available: budget.bytes,
      isTemporary: bytes <= MemoryBudget.largest.bytes)
  }

  /// Checks that this process may now use this much additional memory.
  ///
  /// - Parameter name: The file or option that causes the need, for the error.
  /// - Throws: `DepthError` with code `insufficientMemory`.
  package func require(for name: String) throws {
    // Reading the limits takes time, so small needs are not checked.
    if bytes > Self.negligible { try require(for: name, budget: .current) }
  }

  private static let negligible = 32_000_000

  /// A number of bytes as text, such as `3.1 GB` or `640 MB`.
  package static func text(_ bytes: Int) -> String {
    let (unit, name) = bytes >= 999_500_000 ? (1e9, "GB") : (1e6, "MB")
    let tenths = Int((Double(bytes) / unit * 10).rounded())
    let rounded = (tenths + 5) / 10
    return tenths >= 1000 ? "\(rounded) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
  }
}

extension DepthError {
  /// An operation needs more memory than available; both numbers are in bytes.
  ///
  /// - Parameter isTemporary: Whether the need would fit if other processes used no memory.
  package static func insufficientMemory(
    file: String, needed: Int, available: Int, isTemporary: Bool = false
  ) -> DepthError {
    DepthError(
      .insufficientMemory, file: file,
      "needs about \(MemoryNeed.text(needed)) of memory, \(MemoryNeed.text(available)) are available",
      cause: MemoryShortage(isTemporary: isTemporary))
  }
}

/// A need that could not be met.
package struct MemoryShortage: Error {
  /// Whether the need would fit if other processes used no memory.
  package let isTemporary: Bool
}

extension MemoryNeed {
  /// A kind of product from a photo, with the memory needed from decoding until the files are written.
  package struct Work: Sendable, Hashable {
    /// Bytes per pixel of the photo or of the product, whichever is larger.
    package let bytesPerPixel: Double

    package init(bytesPerPixel: Double) { self.bytesPerPixel = bytesPerPixel }
  }

  /// The maximum memory for a photo, known from its header.
  ///
  /// The maximum is the sum of the network's memory, the pixels' memory, the joint filter's memory, and 24 MB for tables,
  /// rows and stacks.
  ///
  /// - Parameters:
  ///   - work: The kind of product.
  ///   - pixels: Pixels of the photo or of the product, whichever has more.
  ///   - mapPixels: Pixels of the map that the joint filter refines; 0 without a filter. The filter uses sixteen maps and
  ///     the photo, at up to 16 times the pixels of the map.
  ///   - networkBytes: Input, activations and scratch memory of a network that stays loaded; 0 without a network.
  ///   - decodingBytesPerPixel: The memory for decoding. Some formats need more for decoding than for the work.
  package init(
    _ work: Work, pixels: Int, mapPixels: Int = 0, networkBytes: Int = 0,
    decodingBytesPerPixel: Double = 0
  ) {
    let pixels = Double(pixels)
    let bytes =
      24e6 + Double(networkBytes) + max(work.bytesPerPixel, decodingBytesPerPixel) * pixels
      + (16 * 4 + 3) * min(16 * Double(mapPixels), pixels)
    // No machine can meet a larger need, so the number is clamped.
    self.init(bytes: Int(min(bytes, 1e18)))
  }
}

// The values are the maximum resident size of `depth` minus the other terms, for photos of 12 megapixels. The photos are
// baseline, progressive and rotated JPEG, and gray, RGBA and 16-bit PNG, each with one and two threads.
// `MemoryForecastTests` repeats the measurement.
extension MemoryNeed.Work {
  /// A refined map as a file.
  package static let map = Self(bytesPerPixel: 13)
  /// A map with its picture or confidence, or a photo with depth.
  package static let mapWithPicture = Self(bytesPerPixel: 22)
  /// A map with its picture and normals.
  package static let mapWithNormals = Self(bytesPerPixel: 60)
  package static let effect = Self(bytesPerPixel: 19)
  /// Views in any format.
  package static let stereo = Self(bytesPerPixel: 24)
  package static let cloud = Self(bytesPerPixel: 46)
  /// A simplified mesh of an estimated map, which is smooth between its edges.
  package static let mesh = Self(bytesPerPixel: 22)
  /// A mesh with a vertex for all or most pixels, for example from a map of unknown origin.
  package static let denseMesh = Self(bytesPerPixel: 92)
  package static let page = Self(bytesPerPixel: 17)
  /// The frames in progress of a film or stream, with their depth or pictures.
  package static let frames = Self(bytesPerPixel: 30)
  /// The frames in progress of a film or stream, with pairs of views.
  package static let stereoFrames = Self(bytesPerPixel: 50)
  /// A depth file with up to four 16-bit samples per pixel, and the map's values.
  package static let depthFile = Self(bytesPerPixel: 16)
}
