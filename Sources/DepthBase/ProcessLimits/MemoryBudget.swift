import SystemEssentials

/// The memory that this process may still allocate.
///
/// The budget is the smallest of three numbers at one moment: the bytes left under the address-space limit (`ulimit -v`), in
/// the control groups (`docker run --memory`, `MemoryMax=`), and in the machine.
package struct MemoryBudget: Sendable, Equatable {
  /// Bytes that can still be allocated.
  package let bytes: Int

  /// The budget at this moment.
  package static var current: MemoryBudget {
    MemoryBudget(root: "", addressSpace: limit(RLIMIT_AS), data: limit(RLIMIT_DATA))
  }

  /// The budget if other processes used no memory.
  package static var largest: MemoryBudget {
    MemoryBudget(
      root: "", addressSpace: limit(RLIMIT_AS), data: limit(RLIMIT_DATA), ignoresUsage: true)
  }

  package init(bytes: Int) { self.bytes = bytes }

  /// - Parameters:
  ///   - root: Prefix of all paths; empty except in tests.
  ///   - addressSpace: Limit of this process's address space in bytes; `nil` without a limit.
  ///   - data: Limit of the process's private memory in bytes; `nil` without a limit.
  ///   - ignoresUsage: Whether groups and the machine are treated as empty.
  init(root: String, addressSpace: Int?, data: Int?, ignoresUsage: Bool = false) {
    // Pages: total, resident, shared, text, library, data and stack, dirty.
    let pages = textFile(root + "/proc/self/statm").split(whereSeparator: \.isWhitespace)
      .map { Int($0) ?? 0 }
    func left(_ limit: Int?, after field: Int) -> Int? {
      limit.map { max($0 - (pages.count > field ? pages[field] * Self.pageSize : 0), 0) }
    }
    let machine = keyedNumbers(textFile(root + "/proc/meminfo"))[
      ignoresUsage ? "MemTotal" : "MemAvailable"
    ].map { $0 * 1024 }
    bytes =
      [
        left(addressSpace, after: 0), left(data, after: 5),
        ControlGroupMemory(root: root, ignoresUsage: ignoresUsage).available, machine,
      ].compactMap { $0 }.min() ?? .max
  }

  /// Whether the address space is limited (`ulimit -v`). The limit also counts mapped memory that is never
  /// written.
  package static var hasAddressLimit: Bool { limit(RLIMIT_AS) != nil }

  private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  #if canImport(Glibc)
    private static func limit(_ resource: __rlimit_resource) -> Int? {
      limit(Int32(resource.rawValue))
    }
  #endif

  private static func limit(_ resource: Int32) -> Int? {
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < UInt64(Int.max) else {
      return nil
    }
    return Int(limit.rlim_cur)
  }
}
