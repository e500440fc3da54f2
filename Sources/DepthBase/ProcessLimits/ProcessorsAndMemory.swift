import CDepthBase
import DepthErrors
import SystemEssentials

/// The memory that this process may still take.
///
/// It is the least of what is left by the address-space limit (`ulimit -v`), the control groups
/// (`docker run --memory`, `MemoryMax=`) and the machine, at one moment.
package struct MemoryBudget: Sendable, Equatable {
  /// Bytes that may still be allocated.
  package let bytes: Int

  /// The budget at this moment.
  package static var current: MemoryBudget {
    MemoryBudget(root: "", addressSpace: limit(RLIMIT_AS), data: limit(RLIMIT_DATA))
  }

  /// The budget that this process would have if others held no memory.
  package static var largest: MemoryBudget {
    MemoryBudget(
      root: "", addressSpace: limit(RLIMIT_AS), data: limit(RLIMIT_DATA), ignoresUsage: true)
  }

  package init(bytes: Int) { self.bytes = bytes }

  /// - Parameters:
  ///   - root: Prefix of all paths; empty on a real system.
  ///   - addressSpace: Limit of this process's address space in bytes; `nil` without a limit.
  ///   - data: Limit of its private memory in bytes; `nil` without a limit.
  ///   - ignoresUsage: Whether groups and machine count as empty.
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

  /// Whether addresses are limited (`ulimit -v`): then also what is loaded and never written to counts.
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

/// The number of processors that this process may use, at least 1; the default number of threads.
///
/// It is the least of three limits: the process's affinity (`taskset`, a container's `cpuset`), the
/// processor time of its control groups (`docker run --cpus`, `CPUQuota=`), rounded down to whole
/// processors, and `OMP_NUM_THREADS`, which Ray, Spark and others set for each of their workers.
/// Without the last one, N workers on N processors would start N × N threads.
package let availableProcessors = unsafe max(
  1,
  min(
    ck_processors(), processorsOfQuota() ?? .max,
    threads(ofOpenMP: getenv("OMP_NUM_THREADS").map { unsafe String(cString: $0) } ?? "") ?? .max))

/// The threads of the outermost level in a value of `OMP_NUM_THREADS`, such as `4` or `4,2`; `nil`
/// when it begins with no positive number.
///
/// > Source: OpenMP Application Programming Interface 5.2, section 21.1.2, `OMP_NUM_THREADS`.
package func threads(ofOpenMP text: String) -> Int? {
  let outermost = text.prefix { $0 != "," }.filter { !$0.isWhitespace }
  return Int(outermost).flatMap { $0 > 0 ? $0 : nil }
}

/// The tightest quota of this process's control group and its ancestors; `nil` without one.
///
/// > Source: Linux, `Documentation/admin-guide/cgroup-v2.rst`: `cpu.max`.
private func processorsOfQuota() -> Int? {
  guard
    let line = textFile("/proc/self/cgroup").split(separator: "\n").first(where: {
      $0.hasPrefix("0::/")
    })
  else { return nil }
  return tightest(from: line.dropFirst(3)) {
    wholeProcessors(ofQuota: textFile("/sys/fs/cgroup\($0)/cpu.max"))
  }
}

/// The whole processors in a quota: `200000 100000`, microseconds of processor time per
/// microseconds, is 2; `max 100000` is unlimited, `nil`.
func wholeProcessors(ofQuota text: String) -> Int? {
  let words = text.split(whereSeparator: \.isWhitespace)
  guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]), period > 0 else {
    return nil
  }
  return max(1, quota / period)
}

/// The first `limit` bytes of a file as text; empty when it cannot be read.
func textFile(_ path: String, limit: Int = 4096) -> String {
  guard let file = unsafe fopen(path, "re") else { return "" }
  defer { unsafe fclose(file) }
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
    count = unsafe fread(buffer.baseAddress, 1, limit, file)
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// The number of threads that a call uses.
package enum ThreadCount {
  /// The accepted numbers of threads.
  package static let range = 1...256

  /// The requested number of threads, or ``availableProcessors`` for `nil`.
  ///
  /// - Throws: `DepthError` with code `invalidArgument` for a number outside ``range``, including
  ///   0.
  package static func checked(_ threads: Int?) throws -> Int {
    guard let threads else { return availableProcessors }
    try threads.checked(
      in: range, "the number of threads", "\(range.lowerBound) to \(range.upperBound)")
    return threads
  }
}
