#if HDF5
  import CDepthHDF5
  import CDepthBase

  /// The memory in which this process or a child process describes a file.
  ///
  /// Every offset is checked, because a child corrupted by hostile bytes may have written it.
  @safe
  struct HDF5Arena: ~Copyable {
    /// Bytes of address space; untouched pages take no memory.
    private static let capacity: UInt64 = 64 << 20
    let start: UnsafeMutablePointer<ch5_arena>

    /// Reserves the memory; `nil` if the system has no address space left.
    init?() {
      guard let start = unsafe ch5_make_arena(Self.capacity) else { return nil }
      unsafe self.start = start
    }

    deinit { unsafe cds_unshare(start, Self.capacity) }

    /// The facts at `offset`.
    func facts(at offset: UInt64) -> ch5_facts? {
      let size = UInt64(MemoryLayout<ch5_facts>.size)
      guard offset > 0, offset <= Self.capacity - size else { return nil }
      return unsafe UnsafeRawPointer(start).loadUnaligned(
        fromByteOffset: Int(offset), as: ch5_facts.self)
    }

    /// The text from `offset` to its first zero byte.
    func text(at offset: UInt64) -> String {
      guard offset > 0, offset < Self.capacity else { return "" }
      let bytes = unsafe UnsafeRawBufferPointer(
        start: UnsafeRawPointer(start) + Int(offset),
        count: min(Int(CH5_PATH), Int(Self.capacity - offset)))
      return unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// `count` bytes from `offset`; empty if the range is not inside the arena.
    func bytes(at offset: UInt64, count: UInt64) -> [UInt8] {
      guard offset > 0, offset <= Self.capacity, count <= Self.capacity - offset else { return [] }
      return unsafe Array(
        UnsafeRawBufferPointer(
          start: UnsafeRawPointer(start) + Int(offset), count: Int(count)))
    }
  }
#endif
