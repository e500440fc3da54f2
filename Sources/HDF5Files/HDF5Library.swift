#if HDF5
  package import CDepthHDF5
  import DepthBase

  /// Serializes calls of the HDF5 library, which is not thread-safe.
  package enum HDF5Library {
    private static let lock = Monitor(())

    /// Runs `body` while no other thread uses the library, with the library's error output
    /// disabled.
    ///
    /// Not reentrant: `body` must not call this function.
    package static func locked<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
      try lock.update { _ in
        let printing = unsafe ch5_silence_errors()
        defer { unsafe ch5_restore_errors(printing) }
        return try body()
      }
    }

    /// The library's message about the innermost cause of its last failure.
    package static var lastMessage: String {
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CH5_MESSAGE)) { text in
        guard let start = text.baseAddress else { return "" }
        unsafe ch5_innermost_error(start)
        return unsafe String(cString: start)
      }
    }
  }

  /// An open object of the library, closed with its owner.
  package struct HDF5Handle: ~Copyable {
    package let id: hid_t

    /// Takes ownership of `id`; `nil` for a negative number, the result of a failed call.
    package init?(_ id: hid_t) {
      guard id >= 0 else { return nil }
      self.id = id
    }

    deinit { H5Idec_ref(id) }
  }
#endif
