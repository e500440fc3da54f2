#if HDF5
  /// The part of a chunk that lies inside its dataset, as runs of bytes. Chunks at the upper edges
  /// extend beyond the dataset.
  struct ChunkPart {
    /// Elements inside the dataset along each axis that separates runs.
    private var extents: [Int] = []
    /// Bytes between successive indices of these axes, in the chunk and in the dataset.
    private var chunkStrides: [Int] = []
    private var datasetStrides: [Int] = []
    /// Bytes of one run.
    private var run: Int
    /// Offset of the first run in the dataset, bytes.
    private var first: Int

    /// - Parameters:
    ///   - origin: First element of the chunk in the dataset.
    ///   - chunk: Extents of the chunk, at least one axis.
    ///   - dataset: Extents of the dataset.
    init(origin: [Int], chunk: [Int], dataset: [Int], elementBytes: Int) {
      (run, first) = (elementBytes, 0)
      var (inChunk, inDataset) = (elementBytes, elementBytes)
      var isRun = true
      for axis in chunk.indices.reversed() {
        let extent = min(chunk[axis], dataset[axis] - origin[axis])
        if isRun {
          run = extent * inChunk
        } else {
          extents.insert(extent, at: 0)
          chunkStrides.insert(inChunk, at: 0)
          datasetStrides.insert(inDataset, at: 0)
        }
        first += origin[axis] * inDataset
        // Bytes are contiguous up to the first axis on which chunk and dataset differ.
        isRun = isRun && chunk[axis] == dataset[axis]
        inChunk *= chunk[axis]
        inDataset *= dataset[axis]
      }
    }

    /// Copies every run to its position. `chunk` is a whole chunk, and `dataset` is the whole dataset.
    func copy(_ chunk: UnsafeRawBufferPointer, to dataset: UnsafeMutableRawBufferPointer) {
      guard let source = chunk.baseAddress, let target = dataset.baseAddress else { return }
      let inner = extents.count - 1
      guard inner >= 0 else {
        unsafe (target + first).copyMemory(from: source, byteCount: run)
        return
      }
      func walk(_ axis: Int, _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) {
        let (extent, fromStride, toStride) = (
          extents[axis], chunkStrides[axis], datasetStrides[axis]
        )
        for i in 0..<extent {
          if axis < inner {
            unsafe walk(axis + 1, from + i * fromStride, to + i * toStride)
          } else {
            unsafe (to + i * toStride).copyMemory(from: from + i * fromStride, byteCount: run)
          }
        }
      }
      unsafe walk(0, source, target + first)
    }
  }
#endif
