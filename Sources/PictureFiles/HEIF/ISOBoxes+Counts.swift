import DepthErrors

/// Bounds for the lists in a file. Libraries may keep a hundred bytes for an entry of one byte.
extension ISOBoxes {
  /// Maximum boxes in a file. The time of libheif 1.15 is quadratic in the number of items: a second for this many, half a
  /// minute for 20 000. A photo has one box per tile, or a thousand for 268 megapixels.
  static let largestBoxCount = 4096
  /// Maximum associations of properties, references, item locations and parameter sets.
  static let largestEntryCount = 1 << 16
  /// Maximum nesting of boxes that libheif reads.
  private static let largestDepth = 20

  /// Counts the boxes and entries that libheif reads.
  ///
  /// - Throws: `DepthError` with code `damaged` above the bounds.
  func checkCounts(file: String, format: String) throws {
    var (boxes, entries) = (0, 0)
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: file, format: format, reason: reason)
    }
    func count(_ more: Int) throws {
      entries += more
      guard entries <= Self.largestEntryCount else {
        throw damaged("its boxes have more than \(Self.largestEntryCount) entries")
      }
    }
    func walk(_ range: Range<Int>, isList: Bool = false, depth: Int = 0) throws {
      for box in all(in: range) {
        boxes += 1
        guard boxes <= Self.largestBoxCount else {
          throw damaged("it has more than \(Self.largestBoxCount) boxes")
        }
        // A reference has two or four bytes.
        if isList { try count(box.content.count / 2) }
        switch String(decoding: reader.bytes[box.type..<box.type + 4], as: UTF8.self) {
        case "ipma": for entry in associations(in: box.content) { try count(1 + entry.count) }
        case "hvcC": for _ in parameterSets(in: box.content) { try count(1) }
        // An item has at least six bytes, but its extents may have none.
        case "iloc": try count(box.content.count / 4)
        case "vvcC": try count(box.content.count / 2)
        case let type:
          guard let head = headLength(of: type, box.content), depth < Self.largestDepth else {
            continue
          }
          try walk(box.content.dropFirst(head), isList: type == "iref", depth: depth + 1)
        }
      }
    }
    try walk(0..<reader.bytes.count)
    // Items may share bytes, but libheif keeps one copy for each item.
    if let meta = first("meta", in: 0..<reader.bytes.count)?.dropFirst(4),
      metadataLength(in: meta) > reader.bytes.count
    {
      throw damaged("its metadata is longer than the file")
    }
  }

  /// Number of bytes before nested boxes, for a type of box; `nil` if the type has no nested boxes.
  private func headLength(of type: String, _ content: Range<Int>) -> Int? {
    switch type {
    case "iprp", "ipco", "grpl", "dinf", "moov", "trak", "mdia", "minf", "stbl": 0
    case "meta", "iref": 4
    case "iinf": number(UInt8.self, at: content.lowerBound) == 0 ? 6 : 8
    case "dref": 8
    default: nil
    }
  }
}
