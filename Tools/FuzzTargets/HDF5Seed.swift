#if HDF5
  import CDepthHDF5
  import DepthErrors
  import HDF5Files
  import WeightsFiles
  import SystemEssentials

  /// Small HDF5 files in every layout that is read, written by the HDF5 library.
  enum HDF5Seed {
    /// How a dataset is stored.
    private struct Storage {
      var type = ch5_float32le()
      var chunk: [Int]?
      var isFiltered = false
    }

    /// Weights of both versions: plain ones, chunks, 64 bits, integers with their scales.
    static func weights(hasChunks: Bool) throws -> [FuzzSeed] {
      let layers = try file { file in
        for (name, text) in [
          ("format_name", "fcrn-hdf5"), ("content", "weights"),
          ("architecture", "fcrn-resnet50-upproj"),
        ] { try set(name, text, of: file) }
        try set("format_version", [1], of: file)
        try set("pixel_mean", [123.5, 116, 103], of: file)
        try write([3, 2], to: "a/kernel", of: file)
        try write([5], to: "a/bias", Storage(type: ch5_float64le()), of: file)
        try write(
          [4, 6], to: "b/kernel", Storage(chunk: hasChunks ? [3, 4] : nil, isFiltered: true),
          of: file
        )
        try write([4], to: "b/bias", Storage(chunk: hasChunks ? [3] : nil), of: file)
        try write([2, 9], to: "c/kernel", Storage(type: ch5_native_int8()), of: file)
        for name in ["c/scale", "c/activation_scale"] {
          try write([name == "c/scale" ? 2 : 1], to: name, of: file)
        }
      }
      // Not the attributes of a whole network, so the configuration is refused at the end.
      let behindBlock = WeightsBlock.bytes(for: layers) + layers
      return [FuzzSeed(layers, isWhole: false), FuzzSeed(behindBlock, isWhole: false)]
    }

    /// Sets of two frames as MATLAB writes them, with and without chunks that span frames.
    static func labelledSets() throws -> [FuzzSeed] {
      try [nil, [2, 2, 3, 2]].map { chunk in
        FuzzSeed(
          try file { file in
            try write(
              [2, 3, 4, 3], to: "images",
              Storage(type: ch5_native_uint8(), chunk: chunk, isFiltered: chunk != nil), of: file)
            try write(
              [2, 4, 3], to: "depths",
              Storage(
                type: chunk == nil ? ch5_float32le() : ch5_native_uint16(),
                chunk: chunk.map { [1] + $0.suffix(2) }, isFiltered: chunk != nil), of: file)
          })
      }
    }

    private static func file(_ body: (hid_t) throws -> Void) throws -> [UInt8] {
      let url = FileManager.default.temporaryDirectory.appending(
        path: "seed-\(UUID().uuidString).h5")
      defer { try? FileManager.default.removeItem(at: url) }
      try HDF5Library.locked {
        guard
          let file = unsafe HDF5Handle(ch5_create(url.path(percentEncoded: false), false, false))
        else { throw failure }
        try body(file.id)
      }
      return Array(try Data(contentsOf: url))
    }

    /// A dataset of small numbers, with the groups on its path.
    private static func write(
      _ shape: [Int], to path: String, _ storage: Storage = Storage(), of file: hid_t
    ) throws {
      let values = (0..<shape.reduce(1, *)).map { Float($0 % 50 + 1) }
      let extents = shape.map { hsize_t($0) }
      guard let parents = HDF5Handle(H5Pcreate(ch5_link_creation())),
        let creation = HDF5Handle(H5Pcreate(ch5_dataset_creation())),
        let space = unsafe HDF5Handle(H5Screate_simple(Int32(shape.count), extents, nil))
      else { throw failure }
      H5Pset_create_intermediate_group(parents.id, 1)
      if let chunk = storage.chunk {
        unsafe H5Pset_chunk(creation.id, Int32(chunk.count), chunk.map { hsize_t($0) })
        if storage.isFiltered {
          H5Pset_shuffle(creation.id)
          H5Pset_deflate(creation.id, 6)
        }
      }
      guard
        let dataset = unsafe HDF5Handle(
          H5Dcreate2(file, path, storage.type, space.id, parents.id, creation.id, 0)),
        unsafe H5Dwrite(dataset.id, ch5_native_float(), 0, 0, 0, values) >= 0
      else { throw failure }
    }

    private static func set(_ name: String, _ values: [Double], of file: hid_t) throws {
      let isWhole = values.count == 1
      let space =
        unsafe isWhole
        ? HDF5Handle(H5Screate(H5S_SCALAR))
        : HDF5Handle(H5Screate_simple(1, [hsize_t(values.count)], nil))
      let type = isWhole ? ch5_native_int64() : ch5_float64le()
      guard let space,
        let attribute = unsafe HDF5Handle(H5Acreate2(file, name, type, space.id, 0, 0)),
        unsafe H5Awrite(attribute.id, ch5_native_double(), values) >= 0
      else { throw failure }
    }

    private static func set(_ name: String, _ text: String, of file: hid_t) throws {
      let bytes = Array(text.utf8)
      guard let space = HDF5Handle(H5Screate(H5S_SCALAR)),
        let type = HDF5Handle(H5Tcopy(ch5_c_string())), H5Tset_size(type.id, bytes.count) >= 0,
        H5Tset_strpad(type.id, H5T_STR_NULLPAD) >= 0,
        let attribute = unsafe HDF5Handle(H5Acreate2(file, name, type.id, space.id, 0, 0)),
        unsafe H5Awrite(attribute.id, type.id, bytes) >= 0
      else { throw failure }
    }

    private static var failure: DepthError {
      .unwritable(file: "seed", reason: HDF5Library.lastMessage)
    }
  }
#endif
