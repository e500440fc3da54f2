#if HDF5
  import DepthBase
  import CDepthHDF5
  import CDepthBase
  import DepthErrors
  import SystemEssentials

  extension HDF5Request {
    /// The request in the format of `ch5_describe`.
    fileprivate var text: String {
      switch self {
      case .everything: "w"
      case .group(let path): "g" + path
      case .object(let path): "o" + path
      case .attribute(let name): "a" + name
      }
    }
  }

  extension HDF5File {
    /// The path for `ch5_open_for_reading`.
    var libraryPath: String { path ?? CH5_DESCRIPTOR + "\(descriptor)" }

    /// Throws if the path now refers to another file than the open file.
    func requireSamePlace() throws {
      guard let path else { return }
      var (named, open) = (stat(), stat())
      guard unsafe stat(path, &named) == 0, unsafe fstat(descriptor, &open) == 0,
        named.st_dev == open.st_dev, named.st_ino == open.st_ino
      else { throw Self.changed(name) }
    }

    /// The error if no child process can be started. It is a temporary failure, not a fault of the file.
    private func uncheckable(_ reason: Int32) -> DepthError {
      DepthError(
        .unreadable, file: name,
        "cannot be checked, no process can be started: \(systemReason(reason))",
        cause: SystemFailure(EAGAIN))
    }

    /// Time limits of a child process in seconds.
    ///
    /// A damaged index can make the library loop, which takes processor time. Large files have a larger index,
    /// so the limit is higher. The wall-clock time includes waiting for a slow disk or a busy processor, which
    /// is no fault of the file.
    private var seconds: (processor: UInt32, clock: UInt32) { (size < 1 << 28 ? 2 : 10, 60) }

    /// Describes the file with the HDF5 library in a child process, because damaged files can crash the
    /// library.
    ///
    /// - Throws: `DepthError` with code `damaged` if the library cannot parse the file; code
    ///   `unsupportedFormat` if the file has too many objects; code `unreadable` if there is no memory, no
    ///   process can be started, or the file has changed.
    func describeByLibrary(_ items: [HDF5Request]) throws -> HDF5Description {
      guard let arena = HDF5Arena() else { throw unreadable("cannot be described: out of memory") }
      let request: [CChar] = items.flatMap { Array($0.text.utf8CString) } + [0]
      let (path, seconds) = (libraryPath, seconds)
      nonisolated(unsafe) let start = unsafe arena.start
      let outcome = try HDF5Library.locked {
        var child = cds_child()
        guard
          unsafe ch5_start_child(path, request, start, seconds.processor, seconds.clock, &child)
        else { throw uncheckable(errno) }
        return unsafe ch5_end_child(child, start)
      }
      try requireUnchanged()
      try requireSamePlace()
      switch outcome {
      case CDS_FINISHED: break
      case CDS_TIMED_OUT: throw invalid("is damaged: reading its structure timed out")
      default: throw invalid("is damaged: its structure cannot be read")
      }
      guard unsafe start.pointee.is_open != 0 else {
        let cause = unsafe arena.text(at: start.pointee.cause)
        throw invalid(
          cause.hasPrefix("truncated file")
            ? "is truncated at \(size) bytes" : Self.damage("header", cause))
      }
      guard unsafe start.pointee.is_full == 0 else {
        throw unsupported("has too many objects or chunks")
      }
      var facts: [HDF5Facts] = []
      var next = unsafe start.pointee.first
      while unsafe facts.count < start.pointee.objects, let found = HDF5Facts(at: next, of: arena) {
        facts.append(found)
        next = arena.facts(at: next)?.next ?? 0
      }
      return HDF5Description(facts: facts)
    }
  }
#endif
