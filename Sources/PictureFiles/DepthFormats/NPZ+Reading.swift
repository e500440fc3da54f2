import DepthBase
import DepthErrors
import DepthImages

extension NPZ {
  /// Array names for depth, in order of preference.
  package static let keys = [describedKey, "depthmap", "arr_0", "predicted_depth"]
  /// The array that the text `unit` describes, if present.
  private static let describedKey = "depth"

  /// Maximum bytes of a text such as the unit, with its header.
  private static let longestText = 4096
  /// Maximum bytes of an array's header, version 1.
  private static let longestHeader = 10 + 0xFFFF

  /// Reads the map and its unit. The text `unit` describes the array `depth`. Without an array of this name, the text
  /// describes any array.
  ///
  /// - Parameters:
  ///   - key: Name of the array; `nil` for the first of ``keys``.
  ///   - isUnitGiven: Whether the caller's unit takes precedence over the archive's text.
  /// - Returns: The map, and whether the archive records a known unit, even if the caller's unit replaces it.
  /// - Throws: `DepthError`, which lists the existing arrays if none has the name.
  static func decode(
    _ bytes: [UInt8], file: String, key: String?, isUnitGiven: Bool, limits: ImageLimits
  ) throws -> (grid: FloatGrid, recordsUnit: Bool) {
    // The memory contains the archive, and its copy as a file.
    let held = 2 * bytes.count
    try limits.check(MemoryNeed(bytes: held), for: file)
    let members = try ZIPMembers(of: RandomAccessFile(bytes: bytes.span, name: file))
    let wanted = key.map { [$0] } ?? keys
    guard let name = wanted.first(where: { members["\($0).npy"] != nil }),
      let member = members["\(name).npy"]
    else {
      let names = members.names.filter { $0.hasSuffix(".npy") }.sorted().map { $0.dropLast(4) }
      let shown = names.prefix(20).map { "'\($0.prefix(80))'" } + (names.count > 20 ? ["…"] : [])
      throw DepthError.unsupportedFormat(
        file: file, expected: "the array " + listed(wanted.map { "'\($0)'" }),
        found: names.isEmpty
          ? "a ZIP archive without arrays" : "the arrays \(shown.joined(separator: ", "))",
        cause: names.isEmpty ? nil : SettingAtFault.depthKey)
    }
    // Memory for the stored array is checked before the array is unpacked. `NPY.decode` checks the memory for its
    // numbers.
    let most = longestHeader + 8 * min(limits.maximumPixels, 1 << 40)
    if member.size <= most {
      let packed = member.isDeflated ? member.range.count : 0
      try limits.check(MemoryNeed(bytes: held + packed + member.size), for: file)
    }
    let isDescribed = name == describedKey || members["\(describedKey).npy"] == nil
    let unit = isDescribed ? try unit(of: members, file) : nil
    let array = try members.content(of: member, named: "\(name).npy", most: most)
    var grid = try NPY.decode(array, file: file, limits: limits)
    guard !isUnitGiven, let (unit, stated) = unit else { return (grid, unit?.stored != nil) }
    guard stated != nil else {
      throw DepthError(
        .unknownUnit, file: file,
        "records the unit '\(unit)', expected \(listed(StoredUnit.names))",
        cause: SettingAtFault.depthUnit)
    }
    grid.stated = stated
    return (grid, true)
  }

  /// The unit in an archive; `nil` if the unit is missing or unknown.
  ///
  /// - Throws: `DepthError` for a damaged archive.
  static func storedUnit(_ bytes: [UInt8], file: String) throws -> StoredUnit? {
    try unit(of: ZIPMembers(of: RandomAccessFile(bytes: bytes.span, name: file)), file)?.stored
  }

  private static func unit(
    of members: ZIPMembers, _ file: String
  ) throws -> (name: String, stored: StoredUnit?)? {
    /// Text with a name. Other programs may use the name for any array, so only a short text counts.
    func text(_ name: String) throws -> String? {
      guard let member = members[name], member.size <= longestText else { return nil }
      let array = try members.content(of: member, named: name, most: longestText)
      guard let (description, start) = try? NPY.header(of: array, file: file),
        description.type.hasPrefix("<U")
      else { return nil }
      let scalars = stride(from: start, to: array.count - 3, by: 4).compactMap {
        Unicode.Scalar(UInt32(array.number(at: $0)))
      }
      return String(String.UnicodeScalarView(scalars.filter { $0.value != 0 }))
    }
    let near = try text("near_is.npy").flatMap(DepthMap.Polarity.init) ?? .white
    return try text("unit.npy").map { ($0, StoredUnit(name: $0, near: near)) }
  }
}
