#if HDF5
  import CDepthHDF5

  /// The HDF5 library's index of a dataset with many chunks. A child process has already traversed the index.
  final class HDF5ChunkIndex: Sendable {
    private let dataset: HDF5Dataset
    private let hasFilters: Bool
    private let fileID, id: hid_t

    /// - Throws: `DepthError` with code `damaged` if the library cannot open the dataset.
    init(_ dataset: HDF5Dataset, _ chunks: HDF5Chunks) throws {
      (self.dataset, hasFilters) = (dataset, !chunks.filters.isEmpty)
      (fileID, id) = try HDF5Library.locked {
        let file = unsafe ch5_open_for_reading(dataset.file.libraryPath, nil)
        guard file >= 0 else { throw dataset.file.damaged("header") }
        let id = unsafe H5Dopen2(file, dataset.path, 0)
        guard id >= 0 else {
          H5Fclose(file)
          throw dataset.file.damaged("dataset '\(dataset.path)'")
        }
        return (file, id)
      }
    }

    deinit {
      HDF5Library.locked {
        H5Dclose(id)
        H5Fclose(fileID)
      }
    }

    /// A chunk's stored bytes, and a mask in which bit `i` is set if filter `i` was skipped.
    ///
    /// - Throws: `DepthError` with code `damaged` if the chunk is missing or cannot be read.
    func chunk(at origin: [Int]) throws -> (bytes: [UInt8], mask: UInt32) {
      let (file, path) = (dataset.file, dataset.path)
      return try HDF5Library.locked {
        let first = origin.map { hsize_t($0) }
        var (mask, address, count): (UInt32, haddr_t, hsize_t) = (0, 0, 0)
        // For chunks without filters, the first function returns the nominal size of a chunk, not the number
        // of bytes that the library would read.
        let status =
          unsafe hasFilters
          ? H5Dget_chunk_storage_size(id, first, &count)
          : H5Dget_chunk_info_by_coord(id, first, &mask, &address, &count)
        guard status >= 0 else { throw file.damaged("dataset '\(path)'", HDF5Library.lastMessage) }
        guard count > 0 else {
          throw file.invalid("values of dataset '\(path)' are missing from \(origin) on")
        }
        guard count <= hsize_t(file.size) else {
          throw file.invalid(
            "chunk at \(origin) of dataset '\(path)' claims \(count) bytes, the file has \(file.size)"
          )
        }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard unsafe ch5_read_chunk(id, first, &mask, &bytes, bytes.count) >= 0 else {
          throw file.damaged("chunk at \(origin) of dataset '\(path)'", HDF5Library.lastMessage)
        }
        return (bytes, mask)
      }
    }
  }
#endif
