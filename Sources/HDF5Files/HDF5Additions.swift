import DepthErrors

#if HDF5
  import CDepthHDF5
#endif

/// Single numbers to write into an existing HDF5 file: datasets of one 32-bit float, and attributes of the root.
package struct HDF5Additions: Sendable {
  /// Values, each with its dataset's path. The groups on the path must exist.
  package var datasets: [(path: String, value: Float)] = []
  /// Values, each with its attribute's name.
  package var attributes: [(name: String, value: Double)] = []

  package init() {}

  /// Writes all numbers, and replaces existing numbers.
  ///
  /// - Parameters:
  ///   - path: A file that was already read and checked, because the library parses the file in this process.
  ///   - name: The file's name in errors.
  /// - Throws: `DepthError` with code `unwritable`.
  package func write(into path: String, name: String) throws {
    #if HDF5
      try HDF5Library.locked {
        func failure(_ object: String) -> DepthError {
          .unwritable(
            file: name, reason: "'\(object)' cannot be written (\(HDF5Library.lastMessage))")
        }
        guard let file = unsafe HDF5Handle(ch5_open_for_writing(path)),
          let scalar = unsafe HDF5Handle(H5Screate_simple(1, [1], nil)),
          let plain = HDF5Handle(H5Screate(H5S_SCALAR)),
          let creation = HDF5Handle(H5Pcreate(ch5_dataset_creation())),
          H5Pset_obj_track_times(creation.id, false) >= 0
        else { throw failure("/") }
        for (path, value) in datasets {
          let exists = unsafe H5Lexists(file.id, path, 0) > 0
          let dataset =
            unsafe exists
            ? HDF5Handle(H5Dopen2(file.id, path, 0))
            : HDF5Handle(H5Dcreate2(file.id, path, ch5_float32le(), scalar.id, 0, creation.id, 0))
          guard let dataset, unsafe H5Dwrite(dataset.id, ch5_native_float(), 0, 0, 0, [value]) >= 0
          else { throw failure(path) }
        }
        for (name, value) in attributes {
          if unsafe H5Aexists(file.id, name) > 0 { unsafe H5Adelete(file.id, name) }
          guard
            let attribute = unsafe HDF5Handle(
              H5Acreate2(file.id, name, ch5_float64le(), plain.id, 0, 0)),
            unsafe H5Awrite(attribute.id, ch5_native_double(), [value]) >= 0
          else { throw failure(name) }
        }
        guard H5Fflush(file.id, H5F_SCOPE_GLOBAL) >= 0 else { throw failure("/") }
      }
    #else
      throw DepthError.unwritable(
        file: name, reason: "cannot be changed by a build without the trait HDF5")
    #endif
  }
}
