/// Rewrites HEIC and AVIF files that libheif of 2023 rejects as faulty.
///
/// libheif 1.15 rejects two kinds of files: those in which an auxiliary picture or metadata refers to two pictures, as written
/// since iOS 18, and AVIF files with sequence brands only. libheif 1.15 also ignores a reference to a tone map. The box `meta`
/// of such files becomes a free box, and a modified copy follows at the end of the file, so that offsets into the file stay
/// valid.
///
/// > Source: ISO/IEC 14496-12, sections 4.3 (`ftyp`), 8.1.2 (`free`), 8.11.12 (`iref`).
enum HEIFBytes {
  static func readable(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    nameStill(&result)
    reduceReferences(&result)
    return result
  }

  /// Still-picture brands known to libheif 1.15.
  private static let stillBrands: [StaticString] = [
    "heic", "heix", "heim", "heis", "mif1", "avif", "jpeg", "1pic",
  ]

  /// Replaces the major and the first compatible brand by a still-picture brand, if no brand is a still-picture brand.
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
    // A tone map combines a picture and its gain map. libheif 1.15 does not support tone maps, so references to a tone map
    // are moved to the picture.
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
    // A last box without a length would include the copy.
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

  /// Types of picture items in libheif 1.15 and later.
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
