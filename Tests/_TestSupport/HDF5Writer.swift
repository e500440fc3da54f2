#if HDF5
  import CDepthHDF5
  import DepthErrors
  package import HDF5Files
  import WeightsFiles

  /// Writes an HDF5 file, dataset by dataset. The file is complete when the writer is released.
  ///
  /// A file with a block is a weights file of version 2. Checksums precede the HDF5 data, and
  /// datasets begin at multiples of 64 bytes.
  package final class HDF5Writer {
    /// How a dataset's elements are stored.
    package struct Storage: Sendable {
      package enum Element: Sendable {
        case float16, float32, float64, int8, uint8, int16, uint16
      }

      package var element: Element
      package var isBigEndian = false
      /// The extents of one chunk, or `nil` for contiguous data.
      package var chunk: [Int]?
      /// The compression level, 1…9, of shuffled bytes in chunks.
      package var gzip: UInt32?
      /// Whether each chunk has a checksum, which this package does not read.
      package var fletcher32 = false
      /// Whether chunks that extend beyond the dataset stay unfiltered, in a modern file.
      package var leavesEdges = false

      package init(
        _ element: Element, isBigEndian: Bool = false, chunk: [Int]? = nil, gzip: UInt32? = nil,
        fletcher32: Bool = false, leavesEdges: Bool = false
      ) {
        self.element = element
        self.isBigEndian = isBigEndian
        self.chunk = chunk
        self.gzip = gzip
        self.fletcher32 = fletcher32
        self.leavesEdges = leavesEdges
      }
    }

    private let name, path: String
    private let id: hid_t
    private let hasBlock: Bool

    /// Creates the file at `path`. An existing file is replaced.
    ///
    /// - Parameters:
    ///   - isModern: Whether the file may use formats of HDF5 1.10.
    ///   - hasBlock: Whether the file begins with its checksums.
    /// - Throws: ``DepthErrors/DepthError`` with code `unwritable` if the file cannot be created.
    package init(path: String, isModern: Bool = false, hasBlock: Bool = false) throws {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let id = HDF5Library.locked { ch5_create(path, isModern, hasBlock) }
      guard id >= 0 else {
        throw DepthError.unwritable(file: name, reason: "cannot be created")
      }
      (self.name, self.path, self.id, self.hasBlock) = (name, path, id, hasBlock)
    }

    deinit {
      _ = HDF5Library.locked { H5Fclose(id) }
      if hasBlock { WeightsBlock.write(before: path) }
    }

    /// Writes numbers as a dataset, and creates groups on the dataset's path.
    package func write(
      _ values: [Float], shape: [Int], to path: String, as storage: Storage = .init(.float32)
    ) throws {
      try write(values, ch5_native_float(), shape, path, storage)
    }

    /// Writes signed integers as a dataset, and creates groups on the dataset's path.
    package func write(
      _ values: [Int8], shape: [Int], to path: String, as storage: Storage = .init(.int8)
    ) throws {
      try write(values, ch5_native_int8(), shape, path, storage)
    }

    /// Creates a dataset of 32-bit floats without values.
    package func createDataset(_ path: String, shape: [Int], chunk: [Int]? = nil) throws {
      try HDF5Library.locked {
        let storage = Storage(.float32, chunk: chunk)
        guard let parents = parentCreation(), let type = storage.fileType(),
          let creation = storage.creation(),
          let space = HDF5Handle(
            H5Screate_simple(Int32(shape.count), shape.map { hsize_t($0) }, nil)),
          HDF5Handle(H5Dcreate2(id, path, type.id, space.id, parents.id, creation.id, 0)) != nil
        else { throw failure(path) }
      }
    }

    /// Sets an attribute of the object at `path`. A single number is stored as a scalar.
    package func set(_ name: String, _ value: HDF5Attribute, of path: String = "/") throws {
      try HDF5Library.locked {
        guard let object = HDF5Handle(H5Oopen(id, path, 0)) else { throw failure(path) }
        switch value {
        case .text(let text): try setText(name, [text], isList: false, of: object)
        case .texts(let texts): try setText(name, texts, isList: true, of: object)
        case .integers(let values):
          try set(name, ch5_native_int64(), values.map(Int64.init), of: object)
        case .numbers(let values): try set(name, ch5_native_double(), values, of: object)
        }
      }
    }

    /// Sets an attribute of the root to text of variable length, like h5py and most programs.
    package func setVariableText(_ name: String, _ text: String) throws {
      try HDF5Library.locked {
        let status: herr_t = text.withCString { start in
          guard let root = HDF5Handle(H5Oopen(id, "/", 0)),
            let space = HDF5Handle(H5Screate(H5S_SCALAR)),
            let type = HDF5Handle(H5Tcopy(ch5_c_string())),
            H5Tset_size(type.id, ch5_variable_length()) >= 0,
            let attribute = HDF5Handle(H5Acreate2(root.id, name, type.id, space.id, 0, 0))
          else { return -1 }
          return H5Awrite(attribute.id, type.id, [start])
        }
        guard status >= 0 else { throw failure(name) }
      }
    }

    /// Creates an empty group.
    package func createGroup(_ path: String) throws {
      try HDF5Library.locked {
        guard let parents = parentCreation(),
          HDF5Handle(H5Gcreate2(id, path, parents.id, 0, 0)) != nil
        else { throw failure(path) }
      }
    }

    /// Creates a link to a path in this file or in another file.
    package func link(_ path: String, to target: String, in file: String? = nil) throws {
      let status = HDF5Library.locked {
        if let file {
          H5Lcreate_external(file, target, id, path, 0, 0)
        } else {
          H5Lcreate_soft(target, id, path, 0, 0)
        }
      }
      guard status >= 0 else { throw failure(path) }
    }

    private func write<Element: BitwiseCopyable & Sendable>(
      _ values: [Element], _ memory: hid_t, _ shape: [Int], _ path: String, _ storage: Storage
    ) throws {
      precondition(
        values.count == shape.reduce(1, *), "\(values.count) values for shape \(shape) of \(path)")
      try HDF5Library.locked {
        let extents = shape.map { hsize_t($0) }
        guard let parents = parentCreation(), let type = storage.fileType(),
          let creation = storage.creation(),
          let space = HDF5Handle(H5Screate_simple(Int32(shape.count), extents, nil)),
          let dataset = HDF5Handle(
            H5Dcreate2(id, path, type.id, space.id, parents.id, creation.id, 0)),
          H5Dwrite(dataset.id, memory, 0, 0, 0, values) >= 0
        else { throw failure(path) }
      }
    }

    private func parentCreation() -> HDF5Handle? {
      guard let properties = HDF5Handle(H5Pcreate(ch5_link_creation())) else { return nil }
      H5Pset_create_intermediate_group(properties.id, 1)
      return properties
    }

    private func set<Value: BitwiseCopyable>(
      _ name: String, _ type: hid_t, _ values: [Value], of object: borrowing HDF5Handle
    ) throws {
      let space =
        values.count == 1
        ? HDF5Handle(H5Screate(H5S_SCALAR))
        : HDF5Handle(H5Screate_simple(1, [hsize_t(values.count)], nil))
      guard let space,
        let attribute = HDF5Handle(H5Acreate2(object.id, name, type, space.id, 0, 0)),
        H5Awrite(attribute.id, type, values) >= 0
      else { throw failure(name) }
    }

    private func setText(
      _ name: String, _ texts: [String], isList: Bool, of object: borrowing HDF5Handle
    ) throws {
      let bytes = max(texts.map(\.utf8.count).max() ?? 1, 1)
      let values = texts.flatMap { text in
        Array(text.utf8) + [UInt8](repeating: 0, count: bytes - text.utf8.count)
      }
      let space =
        isList
        ? HDF5Handle(H5Screate_simple(1, [hsize_t(texts.count)], nil))
        : HDF5Handle(H5Screate(H5S_SCALAR))
      guard let space, let type = HDF5Handle(H5Tcopy(ch5_c_string())),
        H5Tset_size(type.id, bytes) >= 0, H5Tset_strpad(type.id, H5T_STR_NULLPAD) >= 0,
        let attribute = HDF5Handle(H5Acreate2(object.id, name, type.id, space.id, 0, 0)),
        H5Awrite(attribute.id, type.id, values) >= 0
      else { throw failure(name) }
    }

    private func failure(_ path: String) -> DepthError {
      .unwritable(file: name, reason: "'\(path)' cannot be written (\(HDF5Library.lastMessage))")
    }
  }

  extension HDF5Writer.Storage {
    /// The element type in the file. Must be called inside the lock.
    fileprivate func fileType() -> HDF5Handle? {
      let base =
        switch element {
        case .float16, .float32: ch5_float32le()
        case .float64: ch5_float64le()
        case .int8: ch5_native_int8()
        case .uint8: ch5_native_uint8()
        case .int16: ch5_native_int16()
        case .uint16: ch5_native_uint16()
        }
      guard let type = HDF5Handle(H5Tcopy(base)) else { return nil }
      if element == .float16 {
        H5Tset_fields(type.id, 15, 10, 5, 0, 10)
        H5Tset_size(type.id, 2)
        H5Tset_ebias(type.id, 15)
      }
      if isBigEndian { H5Tset_order(type.id, H5T_ORDER_BE) }
      return type
    }

    /// The properties for chunks and filters. Must be called inside the lock.
    fileprivate func creation() -> HDF5Handle? {
      guard let properties = HDF5Handle(H5Pcreate(ch5_dataset_creation())) else { return nil }
      guard let chunk else { return properties }
      H5Pset_chunk(properties.id, Int32(chunk.count), chunk.map { hsize_t($0) })
      if let gzip {
        H5Pset_shuffle(properties.id)
        H5Pset_deflate(properties.id, gzip)
      }
      if fletcher32 { H5Pset_fletcher32(properties.id) }
      if leavesEdges {
        H5Pset_chunk_opts(properties.id, UInt32(H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS))
      }
      return properties
    }
  }
#endif
