/// The bytes of a HEIC or AVIF file as libheif of 2023 reads them: without what it takes for faults.
///
/// libheif 1.15 refuses a whole file for a reference of an auxiliary picture or of metadata to two pictures, as telephones write since
/// iOS 18, and ignores a reference to a tone map. It also refuses an AVIF file whose brands
/// name a sequence only. In such files, the box `meta` gets another type, which readers skip, and a changed copy of it follows at the
/// end; offsets into the file stay valid.
///
/// > Source: ISO/IEC 14496-12, sections 4.3 (`ftyp`), 8.1.2 (`free`), 8.11.12 (`iref`).
enum HEIFBytes {
  static func readable(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    nameStill(&result)
    reduceReferences(&result)
    return result
  }

  /// Brands of files with a still picture that libheif 1.15 knows.
  private static let stillBrands: [StaticString] = [
    "heic", "heix", "heim", "heis", "mif1", "avif", "jpeg", "1pic",
  ]

  /// Replaces the major and the first compatible brand by a still picture's where none is one.
  private static func nameStill(_ bytes: inout [UInt8]) {
    let boxes = ISOBoxes(bytes)
    guard let brands = boxes.first("ftyp", in: 0..<bytes.count), brands.count >= 12 else { return }
    let compatible = Array(stride(from: brands.lowerBound + 8, to: brands.upperBound - 3, by: 4))
    guard let first = compatible.first,
      !compatible.contains(where: { place in
        stillBrands.contains { boxes.reader.holds($0, at: place) }
      })
    else { return }
    let brand = FileSignature(of: bytes) == .avif ? "avif" : "heic"
    for place in [brands.lowerBound, first] {
      bytes.replaceSubrange(place..<place + 4, with: brand.utf8)
    }
  }

  private static func reduceReferences(_ bytes: inout [UInt8]) {
    let boxes = ISOBoxes(bytes)
    let top = Array(boxes.all(in: 0..<bytes.count))
    guard boxes.areWhole, let meta = top.first(where: { boxes.isOf("meta", $0) }) else { return }
    let content = meta.content.dropFirst(4)
    guard let list = boxes.first("iref", in: content),
      let primary = boxes.first("pitm", in: content).flatMap(boxes.primaryItem),
      let (references, isLong) = boxes.references(in: list)
    else { return }
    let types = boxes.itemTypes(in: content)
    // A tone map makes one picture of a picture and its gain map; libheif 1.15 does not know it. What belongs to it belongs to the picture.
    var bases: [Int: Int] = [:]
    for reference in references where reference.type == "dimg" {
      if types[reference.source] == "tmap" { bases[reference.source] = reference.targets.first }
    }
    let reduced = references.compactMap { reference -> ISOBoxes.Reference? in
      guard ["auxl", "cdsc", "thmb"].contains(reference.type) else { return reference }
      let known = reference.targets.map { bases[$0] ?? $0 }
        .filter { pictures.contains(types[$0] ?? "") }
      guard let target = known.contains(primary) ? primary : known.first else { return nil }
      var result = reference
      result.targets = [target]
      return result
    }
    guard reduced != references else { return }
    let file = bytes
    var copy: [UInt8] = []
    copy.reserveCapacity(file.count + meta.content.count + 64)
    copy += file
    // A last box without a length would swallow the copy.
    if let last = top.last, boxes.number(UInt32.self, at: last.type - 4) == 0 {
      guard let size = UInt32(exactly: file.count - last.type + 4) else { return }
      copy.replaceSubrange(last.type - 4..<last.type, with: [UInt8](bigEndian: size))
    }
    copy.replaceSubrange(meta.type..<meta.type + 4, with: "free".utf8)
    let newList = reduced.flatMap { Self.bytes(of: $0, isLong: isLong) }
    let parts = Array(boxes.all(in: content))
    func length(_ box: ISOBoxes.Box) -> Int {
      8 + (box.content == list ? 4 + newList.count : box.content.count)
    }
    guard let size = UInt32(exactly: 12 + parts.reduce(0) { $0 + length($1) }) else { return }
    copy.append(bigEndian: size)
    copy += Array("meta".utf8) + file[meta.content.prefix(4)]
    for part in parts {
      copy.append(bigEndian: UInt32(length(part)))
      copy += file[part.type..<part.type + 4]
      if part.content == list {
        copy += file[list.prefix(4)] + newList
      } else {
        copy += file[part.content]
      }
    }
    bytes = copy
  }

  /// Types of items that are pictures to libheif 1.15 or to a later one.
  private static let pictures = Set(["hvc1", "av01", "grid", "iden", "iovl"])
    .union(HEIFHeader.compressions.keys)

  private static func bytes(of reference: ISOBoxes.Reference, isLong: Bool) -> [UInt8] {
    func id(_ number: Int) -> [UInt8] {
      isLong
        ? [UInt8](bigEndian: UInt32(truncatingIfNeeded: number))
        : [UInt8](bigEndian: UInt16(truncatingIfNeeded: number))
    }
    let content =
      id(reference.source) + [UInt8](bigEndian: UInt16(reference.targets.count))
      + reference.targets.flatMap(id)
    return .box(reference.type, content)
  }
}
