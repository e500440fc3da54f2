/// The first bytes of items. Compressed pictures specify the meaning of their numbers, and XMP specifies the kind of photo.
///
/// > Source: ISO/IEC 14496-12, sections 8.11.3 (`iloc`) and 8.18.3 (groups); ISO/IEC 14496-15, section 8.3.3 (`hvcC`); AV1-ISOBMFF, section 2.3 (`av1C`).
extension ISOBoxes {
  /// The meaning of an item's numbers according to its compressed picture. Decoders use it if there is no color box.
  ///
  /// - Parameters:
  ///   - properties: Properties of the item.
  ///   - meta: The content of the box `meta`.
  func streamCodePoints(of item: Int, _ properties: [Box], in meta: Range<Int>) -> CodePoints? {
    if let box = properties.first(where: { isOf("hvcC", $0) }) {
      for place in parameterSets(in: box.content) {
        if let coding = CodePoints(hevcParameterSet: reader.bytes[place]) { return coding }
      }
      return nil
    }
    guard let box = properties.first(where: { isOf("av1C", $0) }) else { return nil }
    // The configuration may contain the header. The picture must contain it.
    return CodePoints(av1Units: reader.bytes[box.content.dropFirst(4)])
      ?? beginning(of: item, in: meta).flatMap { CodePoints(av1Units: reader.bytes[$0]) }
  }

  /// The parameter sets of an HEVC configuration.
  func parameterSets(in content: Range<Int>) -> some Sequence<Range<Int>> {
    // The number of arrays is after 22 bytes. Each array has a type, the number of sets, and each set with its length.
    let arrays = number(UInt8.self, at: content.lowerBound + 22) ?? 0
    let start = (offset: content.lowerBound + 23, arrays: arrays, sets: 0)
    return sequence(state: start) { state in
      while state.sets == 0 {
        guard state.arrays > 0, let count = number(UInt16.self, at: state.offset + 1) else {
          return nil
        }
        state = (state.offset + 3, state.arrays - 1, count)
      }
      guard let length = number(UInt16.self, at: state.offset),
        state.offset + 2 + length <= content.upperBound
      else { return nil }
      let begin = state.offset + 2
      state = (begin + length, state.arrays, state.sets - 1)
      return begin..<begin + length
    }
  }

  /// The first bytes of at most four items of a type.
  func beginnings(ofType type: String, in meta: Range<Int>) -> [Range<Int>] {
    items(in: meta).lazy.filter { $0.type == type }.prefix(4)
      .compactMap { beginning(of: $0.id, in: meta) }
  }

  /// Returns whether an item belongs to a group of this type.
  func isInGroup(_ type: StaticString, _ item: Int, in meta: Range<Int>) -> Bool {
    guard let groups = first("grpl", in: meta) else { return false }
    return all(in: groups).contains { group in
      guard isOf(type, group) else { return false }
      // The items follow a version, the group number and the number of items.
      return stride(from: group.content.lowerBound + 12, to: group.content.upperBound - 3, by: 4)
        .contains { number(UInt32.self, at: $0) == item }
    }
  }

  /// The first bytes of an item in the file or in the box `idat`: its first extent, up to a maximum length.
  func beginning(
    of item: Int, in meta: Range<Int>, length: Int = Self.beginningLength
  ) -> Range<Int>? {
    guard let place = places(in: meta).first(where: { $0.item == item }),
      let source = place.isInside ? first("idat", in: meta) : 0..<reader.bytes.count,
      place.start <= source.count
    else { return nil }
    let start = source.lowerBound + place.start
    return start..<start + min(place.length, source.upperBound - start, length)
  }

  /// Number of metadata bytes that libheif keeps in memory. Bytes that libheif copies several times count several times.
  func metadataLength(in meta: Range<Int>) -> Int {
    let kept = Set(items(in: meta).lazy.filter { ["Exif", "mime"].contains($0.type) }.map(\.id))
    return places(in: meta).reduce(0) { sum, place in
      kept.contains(place.item) ? sum.addingReportingOverflow(place.total).partialValue : sum
    }
  }

  /// The place of an item.
  private struct Place {
    var item: Int
    /// Whether the item is in the box `idat`.
    var isInside: Bool
    /// The start and the length of the first extent, and the total length of all extents.
    var start, length, total: Int
  }

  /// Maximum extents of an item, as in libheif.
  private static let largestExtentCount = 32

  /// The locations in a box `iloc`, up to the first location that is invalid or refers to another item.
  private func places(in meta: Range<Int>) -> some Sequence<Place> {
    let content = first("iloc", in: meta) ?? meta.lowerBound..<meta.lowerBound
    let version = number(UInt8.self, at: content.lowerBound) ?? 0
    let sizes = number(UInt16.self, at: content.lowerBound + 4) ?? 0
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let numberSize = version < 2 ? 2 : 4
    let end = reader.bytes.count
    return sequence(state: content.lowerBound + 6 + numberSize) { place -> Place? in
      /// Next number in the file; 0 for a number of zero bytes.
      func next(_ size: Int) -> Int? {
        defer { place += size }
        switch size {
        case 0: return 0
        case 2: return number(UInt16.self, at: place)
        case 4: return number(UInt32.self, at: place)
        case 8: return number(UInt64.self, at: place)
        default: return nil
        }
      }
      guard place < content.upperBound, let item = next(numberSize),
        let construction = version == 0 ? 0 : next(2).map({ $0 & 15 }), construction < 2,
        next(2) != nil, let base = next(baseSize), base <= end, let extents = next(2),
        extents <= Self.largestExtentCount
      else { return nil }
      var found = Place(item: item, isInside: construction == 1, start: base, length: 0, total: 0)
      for index in 0..<extents {
        guard next(version == 0 ? 0 : sizes & 15) != nil, let offset = next(offsetSize),
          let length = next(lengthSize), offset <= end
        else { return nil }
        // An extent without a length includes everything to the end.
        let stated = length == 0 ? end : min(length, end)
        if index == 0 { (found.start, found.length) = (base + offset, stated) }
        found.total += stated
      }
      return found
    }
  }

  /// Bytes that are searched for a header.
  private static let beginningLength = 1 << 16
}
