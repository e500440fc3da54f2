package import DepthErrors

/// The memory that an operation uses at its peak, in addition to the memory that the process already uses.
package struct MemoryNeed: Sendable, Hashable {
  /// Bytes at the peak.
  package var bytes: Int

  /// A need of the given number of bytes.
  package init(bytes: Int) { self.bytes = bytes }

  /// Checks that the need is within a budget.
  ///
  /// - Parameter name: The file or option at fault, for the error.
  /// - Throws: `DepthError` with code `insufficientMemory`.
  package func require(for name: String, budget: MemoryBudget) throws {
    guard bytes > budget.bytes else { return }
    throw DepthError.insufficientMemory(
      file: name, needed: bytes, available: budget.bytes,
      isTemporary: bytes <= MemoryBudget.largest.bytes)
  }

  /// Checks that this process may use this much more memory now.
  ///
  /// - Parameter name: The file or option that causes the need; the error names it.
  /// - Throws: `DepthError` with code `insufficientMemory` if it may not.
  package func require(for name: String) throws {
    // Reading the limits takes time; small needs are not checked.
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
  /// An operation needs more memory than this process may still take; both numbers are in bytes.
  ///
  /// - Parameter isTemporary: Whether it would fit if no other process held memory.
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
  /// Whether it would fit if no other process held memory.
  package let isTemporary: Bool
}

extension MemoryNeed {
  /// The product of a photo: the memory that it takes from its decoding until its files are written.
  package struct Work: Sendable, Hashable {
    /// Bytes for each pixel of the photo or, if it is larger, of what is made of it.
    package let bytesPerPixel: Double

    package init(bytesPerPixel: Double) { self.bytesPerPixel = bytesPerPixel }
  }

  /// The memory that a photo takes at most, known from its header: the network's, that of the pixels, that of the joint
  /// filter, and 24 MB for tables, rows and stacks of threads.
  ///
  /// - Parameters:
  ///   - work: What is made of it.
  ///   - pixels: Those of the photo or of what is made of it, whichever are more.
  ///   - mapPixels: Pixels of the map that the joint filter refines; 0 without one. The filter holds sixteen maps and
  ///     the photo, at up to 16 times the pixels of the map.
  ///   - networkBytes: Input, activations and scratch of a network that stays in memory; 0 without one.
  ///   - decodingBytesPerPixel: What decoding takes; it exceeds that of the work for a few kinds of file.
  package init(
    _ work: Work, pixels: Int, mapPixels: Int = 0, networkBytes: Int = 0,
    decodingBytesPerPixel: Double = 0
  ) {
    let pixels = Double(pixels)
    let bytes =
      24e6 + Double(networkBytes) + max(work.bytesPerPixel, decodingBytesPerPixel) * pixels
      + (16 * 4 + 3) * min(16 * Double(mapPixels), pixels)
    // A need that no machine can meet is as good as any number that fits.
    self.init(bytes: Int(min(bytes, 1e18)))
  }
}

// Largest resident size of `depth` beyond the other terms, for photos of 12 megapixels: baseline, progressive and turned
// JPEG; gray, RGBA and 16-bit PNG; with one and two threads. `MemoryForecastTests` measures the commands again.
extension MemoryNeed.Work {
  /// A refined map as a file.
  package static let map = Self(bytesPerPixel: 13)
  /// Also its picture, its confidence, or a photo with depth.
  package static let mapWithPicture = Self(bytesPerPixel: 22)
  /// Also its normals.
  package static let mapWithNormals = Self(bytesPerPixel: 60)
  package static let effect = Self(bytesPerPixel: 19)
  /// Views, in any format.
  package static let stereo = Self(bytesPerPixel: 24)
  package static let cloud = Self(bytesPerPixel: 46)
  /// A simplified mesh of an estimated map, which is smooth between its edges.
  package static let mesh = Self(bytesPerPixel: 22)
  /// A mesh whose vertices are all pixels, or most of them as in a map from anywhere.
  package static let denseMesh = Self(bytesPerPixel: 92)
  package static let page = Self(bytesPerPixel: 17)
  /// The frames of a film or a stream in progress at once, and the depth or the pictures that are made of them.
  package static let frames = Self(bytesPerPixel: 30)
  /// The same for pairs of views.
  package static let stereoFrames = Self(bytesPerPixel: 50)
  /// A depth file: up to four samples of 16 bits per pixel, and values.
  package static let depthFile = Self(bytesPerPixel: 16)
}
