#if HDF5
  import CDepthHDF5
  import CDepthBase

  /// The memory in which this process or a child process describes a file.
  ///
  /// A child that hostile bytes have corrupted may have written it, so every offset is checked.
  @safe
  struct HDF5Arena: ~Copyable {
    /// Bytes of address space; pages that are never written take no memory.
    private static let capacity: UInt64 = 64 << 20
    let start: UnsafeMutablePointer<ch5_arena>

    /// Returns `nil` when the system has no address space left.
    init?() {
      guard let start = unsafe ch5_make_arena(Self.capacity) else { return nil }
      unsafe self.start = start
    }

    deinit { unsafe cds_unshare(start, Self.capacity) }

    /// The facts that begin at `offset`.
    func facts(at offset: UInt64) -> ch5_facts? {
      let size = UInt64(MemoryLayout<ch5_facts>.size)
      guard offset > 0, offset <= Self.capacity - size else { return nil }
      return unsafe UnsafeRawPointer(start).loadUnaligned(
        fromByteOffset: Int(offset), as: ch5_facts.self)
    }

    /// The text that begins at `offset` and ends at its first zero byte.
    func text(at offset: UInt64) -> String {
      guard offset > 0, offset < Self.capacity else { return "" }
      let bytes = unsafe UnsafeRawBufferPointer(
        start: UnsafeRawPointer(start) + Int(offset),
        count: min(Int(CH5_PATH), Int(Self.capacity - offset)))
      return unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// `count` bytes from `offset` on; empty when they are not inside the arena.
    func bytes(at offset: UInt64, count: UInt64) -> [UInt8] {
      guard offset > 0, offset <= Self.capacity, count <= Self.capacity - offset else { return [] }
      return unsafe Array(
        UnsafeRawBufferPointer(
          start: UnsafeRawPointer(start) + Int(offset), count: Int(count)))
    }
  }
#endif
