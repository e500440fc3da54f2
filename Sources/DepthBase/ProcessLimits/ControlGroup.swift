/// The memory that this process's control groups still allow.
///
/// > Source: Linux, `Documentation/admin-guide/cgroup-v2.rst`, “Memory Interface Files”, and
/// > `Documentation/admin-guide/cgroup-v1/memory.rst`; proc(5) for the fields of `mountinfo`.
struct ControlGroupMemory {
  /// Prefix of all paths; empty except in tests.
  let root: String
  /// Whether the groups are treated as empty.
  var ignoresUsage = false

  /// Bytes left in the tightest group among this process's group and its ancestors; `nil` without a limit.
  var available: Int? {
    let mounts = textFile(root + "/proc/self/mountinfo", limit: 1 << 20).split(separator: "\n")
      .compactMap(Mount.init)
    let groups = textFile(root + "/proc/self/cgroup", limit: 1 << 16).split(separator: "\n")
    return groups.compactMap { line -> Int? in
      // `hierarchy:controllers:path`; in version 2, the hierarchy is 0 and controllers are empty.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return nil }
      let isVersion2 = fields[0] == "0" && fields[1].isEmpty
      guard isVersion2 || fields[1].split(separator: ",").contains("memory") else { return nil }
      return mounts.filter { $0.isVersion2 == isVersion2 }
        .compactMap { least(from: String(fields[2]), in: $0) }.min()
    }.min()
  }

  /// The minimum of the bytes left in a group and its ancestors.
  private func least(from path: String, in mount: Mount) -> Int? {
    // A container sees its own group as the mount's root.
    let group =
      path.hasPrefix(mount.root) && mount.root != "/"
      ? path.dropFirst(mount.root.count) : path[...]
    return tightest(from: group) {
      left(in: root + mount.point + $0, isVersion2: mount.isVersion2)
    }
  }

  /// Bytes left in a group. The page cache does not count as used, because the system can drop it.
  private func left(in folder: String, isVersion2: Bool) -> Int? {
    let (limitFile, usageFile, prefix) =
      isVersion2
      ? ("memory.max", "memory.current", "")
      : ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_")
    func number(_ name: String) -> Int? {
      Int(textFile("\(folder)/\(name)").prefix { !$0.isWhitespace })
    }
    // "max", or in version 1 a number close to 2⁶³, means no limit.
    guard let limit = number(limitFile), limit < Int.max / 2, let usage = number(usageFile) else {
      return nil
    }
    if ignoresUsage { return limit }
    let cached = keyedNumbers(textFile("\(folder)/memory.stat", limit: 1 << 16))
    let droppable = ["inactive_file", "active_file"].reduce(0) { sum, name in
      sum + (cached[prefix + name] ?? 0)
    }
    return max(limit - max(usage - droppable, 0), 0)
  }

  /// A mounted hierarchy of control groups that may limit memory.
  private struct Mount {
    let root, point: String
    let isVersion2: Bool

    init?(_ line: Substring) {
      // `36 35 98:0 /root /point options … - type source options`
      let fields = line.split(separator: " ")
      guard fields.count > 6, let dash = fields.firstIndex(of: "-"), fields.count > dash + 3 else {
        return nil
      }
      let type = fields[dash + 1]
      isVersion2 = type == "cgroup2"
      guard
        isVersion2
          || type == "cgroup" && fields[dash + 3].split(separator: ",").contains("memory")
      else { return nil }
      (root, point) = (String(fields[3]), String(fields[4]))
    }
  }
}

/// The tightest limit of a control group and its ancestors; `nil` without a limit.
func tightest(from group: Substring, _ limit: (_ group: Substring) -> Int?) -> Int? {
  let own = limit(group)
  guard let slash = group.lastIndex(of: "/") else { return own }
  return [own, tightest(from: group[..<slash], limit)].compactMap(\.self).min()
}

/// Parses lines of the form `key value` or `key: value unit`.
func keyedNumbers(_ text: String) -> [String: Int] {
  var numbers: [String: Int] = [:]
  for line in text.split(separator: "\n") {
    let fields = line.split { $0 == " " || $0 == ":" || $0 == "\t" }
    if fields.count >= 2, let value = Int(fields[1]) { numbers[String(fields[0])] = value }
  }
  return numbers
}
