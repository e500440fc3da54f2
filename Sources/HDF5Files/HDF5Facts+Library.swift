#if HDF5
  import CDepthHDF5

  extension HDF5Facts {
    /// Copies the description at `offset` of an arena with untrusted content.
    init?(at offset: UInt64, of arena: borrowing HDF5Arena) {
      guard let facts = arena.facts(at: offset) else { return nil }
      self.init(path: arena.text(at: facts.path), kind: Kind(rawValue: facts.kind) ?? .damaged)
      isAttribute = facts.is_attribute != 0
      cause = arena.text(at: facts.cause)
      links = Int(facts.links)
      elementType = HDF5ElementType(facts)
      elementBytes = facts.element_bytes
      isNull = facts.space == H5S_NULL.rawValue
      let order = facts.order
      isSwapped = order == (1.littleEndian == 1 ? H5T_ORDER_BE : H5T_ORDER_LE).rawValue
      let rank = Int(max(0, min(facts.rank, Int32(H5S_MAX_RANK))))
      extents = unsafe withUnsafeBytes(of: facts.extents) {
        unsafe Array($0.bindMemory(to: UInt64.self).prefix(rank))
      }
      var layout = Layout(
        kind: Layout.Kind(rawValue: facts.layout) ?? .unknown,
        externalFiles: facts.external_files,
        isAllocated: facts.is_allocated != 0,
        offset: facts.offset, leavesEdges: facts.leaves_edges != 0,
        filterName: arena.text(at: facts.filter_name), chunkCount: facts.chunk_count)
      let bytes = arena.bytes(at: facts.data, count: facts.data_bytes)
      if kind == .dataset, facts.layout == H5D_CHUNKED.rawValue {
        let chunkRank = Int(max(0, min(facts.chunk_rank, Int32(H5S_MAX_RANK))))
        layout.chunk = unsafe withUnsafeBytes(of: facts.chunk) {
          unsafe Array($0.bindMemory(to: UInt64.self).prefix(chunkRank))
        }
        layout.filters = unsafe withUnsafeBytes(of: facts.filters) {
          let count = max(0, min(Int(facts.filter_count), $0.count / 4))
          return unsafe Array($0.bindMemory(to: Int32.self).prefix(count))
        }
        layout.chunkTable = unsafe bytes.withUnsafeBytes { bytes in
          (0..<bytes.count / 8).map {
            unsafe bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)
          }
        }
        data = []
      } else {
        data = bytes
      }
      self.layout = layout
    }
  }
#endif
