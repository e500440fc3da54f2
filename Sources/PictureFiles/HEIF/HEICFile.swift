import DepthErrors
package import DepthImages

/// A HEIC file of a group of pictures, with the first as primary picture.
///
/// > Source: ISO/IEC 14496-12, sections 8.11 (`meta` and its boxes) and 8.18.3 (groups); ISO/IEC 23008-12, sections 9.3 (`ipma`), 10.2.1 (brands)
/// > and A.2.1 (Exif).
package struct HEICFile {
  private let pictures: [HEVCPicture]
  /// Four letters, such as `ster` for a left and a right view.
  private let group: String
  /// The contents of all items: the pictures, and the Exif block of the first picture.
  private let contents: [[UInt8]]

  /// - Parameters:
  ///   - pictures: The pictures, numbered from 1.
  ///   - group: The type of the group.
  ///   - image: The photo with the Exif block to keep.
  package init(_ pictures: [HEVCPicture], group: String, exifOf image: Image) {
    (self.pictures, self.group) = (pictures, group)
    let exif = image.metadata.exif.flatMap(ExifBlock.init)?
      .upright(width: image.width, height: image.height)
    // The offset of the TIFF header, 0, precedes the block.
    contents = pictures.map(\.content) + (exif.map { [[0, 0, 0, 0] + $0] } ?? [])
  }

  /// Assembles the file.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` for 4 GB or more.
  package func bytes() throws -> [UInt8] {
    let length = contents.reduce(0) { $0 + $1.count }
    let beginning = [UInt8].box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
    // The length of the box does not depend on its numbers.
    let start = beginning.count + meta(at: 0).count + 8
    guard UInt32(exactly: start + length) != nil else {
      throw DepthError.unencodable(format: "HEIC", reason: "the pictures have 4 GB or more")
    }
    return beginning + meta(at: start) + .box("mdat", contents.flatMap(\.self))
  }

  /// - Parameter start: Offset of the contents in the file.
  private func meta(at start: Int) -> [UInt8] {
    var places = [UInt8](bigEndian: UInt16(0x4400)) + [UInt8](bigEndian: UInt16(contents.count))
    var (items, offset) = ([UInt8](bigEndian: UInt16(contents.count)), start)
    for (index, content) in contents.enumerated() {
      let number = [UInt8](bigEndian: UInt16(index + 1))
      places += number + [0, 0, 0, 1]  // in this file, one extent
      places += [UInt8](bigEndian: UInt32(offset)) + [UInt8](bigEndian: UInt32(content.count))
      let type = index < pictures.count ? "hvc1" : "Exif"
      items += .fullBox("infe", version: 2, number + [0, 0] + type.utf8 + [0])
      offset += content.count
    }
    var parts: [[UInt8]] = [
      .fullBox("hdlr", [0, 0, 0, 0] + "pict".utf8 + [UInt8](repeating: 0, count: 13)),
      .fullBox("pitm", [0, 1]), .fullBox("iloc", places), .fullBox("iinf", items),
    ]
    if contents.count > pictures.count {
      // The Exif block describes only the first picture. libheif 1.15 rejects a block that describes two pictures.
      let number = [UInt8](bigEndian: UInt16(contents.count))
      parts.append(.fullBox("iref", .box("cdsc", number + [0, 1, 0, 1])))
    }
    let numbers = (1...pictures.count).flatMap { [UInt8](bigEndian: UInt32($0)) }
    let head = [UInt8](bigEndian: UInt32(contents.count + 1))
    let entries = [UInt8](bigEndian: UInt32(pictures.count)) + numbers
    parts += [described, .box("grpl", .fullBox(group, head + entries))]
    return .fullBox("meta", parts.flatMap(\.self))
  }

  /// The box `iprp`, with each property once, and the associations of each picture.
  private var described: [UInt8] {
    var all: [[UInt8]] = []
    var associations = [UInt8](bigEndian: UInt32(pictures.count))
    for (index, picture) in pictures.enumerated() {
      associations += [UInt8](bigEndian: UInt16(index + 1)) + [UInt8(picture.properties.count)]
      for property in picture.properties {
        let place = all.firstIndex(of: property) ?? all.count
        if place == all.count { all.append(property) }
        let isEssential = Self.essential.contains { property.dropFirst(4).starts(with: $0.utf8) }
        associations.append(UInt8(place + 1) | (isEssential ? 0x80 : 0))
      }
    }
    return .box("iprp", .box("ipco", all.flatMap(\.self)) + .fullBox("ipma", associations))
  }

  /// Types of properties that are required to show a picture.
  private static let essential = ["hvcC", "clap", "irot", "imir"]
}
