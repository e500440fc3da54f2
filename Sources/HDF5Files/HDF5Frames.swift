import DepthBase

/// A large dataset that is read one index of its outermost axis at a time, such as the photos of a
/// data set.
///
/// A chunk of a file written by MATLAB may span many frames. Frames that share chunks are decompressed together, on all
/// processors. The frames stay in memory until two other groups of frames are read.
package final class HDF5Frames: Sendable {
  /// Number of frames.
  package let count: Int
  /// Extents of one frame, outermost first.
  package let frameShape: [Int]
  private let dataset: HDF5Dataset
  #if HDF5
    /// Reads the chunks of a chunked dataset.
    private let reader: HDF5ChunkReader?
  #endif
  /// Frames per chunk; 1 without chunks.
  private let shared: Int
  private let windows = Monitor<[Window]>([])

  /// Consecutive frames in memory.
  private struct Window {
    let frames: Range<Int>
    let bytes: [UInt8]
  }

  package var file: HDF5File { dataset.file }
  package var path: String { dataset.path }
  package var type: HDF5ElementType { dataset.type }

  /// Largest size of a window in bytes, unless a single frame is larger.
  private let windowBytes: Int
  /// Number of windows in memory. Two windows suffice for concurrent readers on both sides of a chunk
  /// boundary.
  private static let windowCount = 2

  /// Opens the dataset at `path`.
  ///
  /// - Parameter windowBytes: Bytes of frames that share chunks; twice as many are kept in memory.
  /// - Throws: `DepthError` with code `unsupportedFormat` if the dataset has fewer than two axes or contains
  ///   no numbers; also the errors of ``HDF5File/dataset(_:elementLimit:chunkLimit:)``.
  package init(_ file: HDF5File, _ path: String, windowBytes: Int = 1 << 27) throws {
    self.windowBytes = windowBytes
    dataset = try file.dataset(
      path, elementLimit: HDF5Limits.seriesElements, chunkLimit: HDF5Limits.seriesChunks)
    switch dataset.type {
    case .float16, .float32, .float64, .integer: break
    case .text, .other: throw dataset.unexpected("numbers")
    }
    let shape = dataset.shape
    (count, frameShape) = (shape.first ?? 0, Array(shape.dropFirst()))
    let frame = frameShape.reduce(1, *)
    guard shape.count >= 2, count > 0, (1...HDF5Limits.elements).contains(frame) else {
      throw file.unsupported(
        "dataset '\(path)' is \(shape.map(String.init).joined(separator: "×")), expected frames")
    }
    #if HDF5
      if case .chunked(let chunks) = dataset.layout {
        let chunksOfFrame = zip(frameShape, chunks.shape.dropFirst()).reduce(1) {
          $0 * (($1.0 + $1.1 - 1) / $1.1)
        }
        guard chunksOfFrame <= HDF5Limits.frameChunks else {
          throw file.unsupported(
            "a frame of dataset '\(path)' has \(chunksOfFrame) chunks, "
              + "expected at most \(HDF5Limits.frameChunks)")
        }
        (reader, shared) = (try HDF5ChunkReader(dataset, chunks), chunks.shape[0])
        return
      }
      reader = nil
    #endif
    shared = 1
  }

  /// Number of values per frame.
  package var frameCount: Int { frameShape.reduce(1, *) }
  private var frameBytes: Int { frameCount * dataset.elementBytes }

  /// The unsigned 8-bit integers of frame `index`, row-major.
  ///
  /// - Throws: `DepthError` if the values are of another type, damaged, or cannot be read.
  package func bytes(ofFrame index: Int) throws -> [UInt8] {
    guard type == .integer(bits: 8, signed: false) else { throw dataset.unexpected("uint8") }
    return try unsafe withStored(index) { unsafe Array($0) }
  }

  /// The numbers of frame `index`, of any type, rounded to 32-bit floats, row-major.
  ///
  /// - Throws: `DepthError` if the values are damaged or cannot be read.
  package func floats(ofFrame index: Int) throws -> [Float] {
    try unsafe withStored(index) { stored in
      try unsafe [Float](unsafeUninitializedCapacity: frameCount) { buffer, initialized in
        try unsafe dataset.convert(
          stored, into: UnsafeMutableBufferPointer(rebasing: buffer[..<frameCount]))
        initialized = frameCount
      }
    }
  }

  /// Calls `body` with the stored bytes of a frame.
  private func withStored<Result: Sendable>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    precondition((0..<count).contains(index), "frame \(index), expected 0 to \(count - 1)")
    let wanted = window(around: index)
    guard wanted.count > 1 else { return try unsafe read(wanted, threads: 1).withUnsafeBytes(body) }
    return try windows.update { windows in
      let window: Window
      if let known = windows.first(where: { $0.frames == wanted }) {
        window = known
      } else {
        if windows.count == Self.windowCount { windows.removeFirst() }
        window = Window(frames: wanted, bytes: try read(wanted, threads: availableProcessors))
        windows.append(window)
      }
      let first = (index - wanted.lowerBound) * frameBytes
      return try unsafe window.bytes.withUnsafeBytes {
        try unsafe body(UnsafeRawBufferPointer(rebasing: $0[first..<first + frameBytes]))
      }
    }
  }

  /// The frames read together with frame `index`: the frames that share its chunks, limited by
  /// ``windowBytes``.
  private func window(around index: Int) -> Range<Int> {
    let first = index / shared * shared
    let room = max(min(shared, windowBytes / frameBytes), 1)
    let start = first + (index - first) / room * room
    return start..<min(start + room, first + shared, count)
  }

  private func read(_ frames: Range<Int>, threads: Int) throws -> [UInt8] {
    let size = frames.count * frameBytes
    if case .compact = dataset.layout {
      let first = frames.lowerBound * frameBytes
      return Array(try dataset.storedBytes()[first..<first + size])
    }
    return try unsafe filledThroughPointer(count: size) {
      let bytes = unsafe UnsafeMutableRawBufferPointer(start: $0, count: size)
      #if HDF5
        if let reader { try unsafe reader.read(rows: frames, into: bytes, threads: threads) }
      #endif
      if case .contiguous(let offset) = dataset.layout {
        try unsafe file.read(
          into: bytes, from: offset + frames.lowerBound * frameBytes,
          "frame \(frames.lowerBound) of dataset '\(path)'")
      }
    }
  }
}
