import CDepthBase
import SystemEssentials

/// The default number of threads: the number of processors that this process may use, at least 1.
///
/// It is the minimum of three limits: the process's affinity (`taskset`, a container's `cpuset`), the rounded-down CPU
/// quota of the control groups (`docker run --cpus`, `CPUQuota=`), and `OMP_NUM_THREADS`. Ray, Spark and similar
/// systems set `OMP_NUM_THREADS` for their workers. Without the variable, N workers on N processors would start N × N
/// threads.
package let availableProcessors = unsafe max(
  1,
  min(
    ck_processors(), processorsOfQuota() ?? .max,
    threads(ofOpenMP: getenv("OMP_NUM_THREADS").map { unsafe String(cString: $0) } ?? "") ?? .max))

/// The threads of the outermost level in `OMP_NUM_THREADS`, such as `4` or `4,2`; `nil` unless it begins with a positive
/// number.
///
/// > Source: OpenMP Application Programming Interface 5.2, section 21.1.2, `OMP_NUM_THREADS`.
package func threads(ofOpenMP text: String) -> Int? {
  let outermost = text.prefix { $0 != "," }.filter { !$0.isWhitespace }
  return Int(outermost).flatMap { $0 > 0 ? $0 : nil }
}

/// The tightest quota of this process's control group and its ancestors, in processors; `nil` without a quota.
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

/// The whole processors in a quota of processor time and period, in microseconds: 2 for `200000 100000`. `nil` for
/// `max 100000`, which is unlimited.
func wholeProcessors(ofQuota text: String) -> Int? {
  let words = text.split(whereSeparator: \.isWhitespace)
  guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]), period > 0 else {
    return nil
  }
  return max(1, quota / period)
}

/// The first `limit` bytes of a file as text; empty if it is unreadable.
func textFile(_ path: String, limit: Int = 4096) -> String {
  guard let file = unsafe fopen(path, "re") else { return "" }
  defer { unsafe fclose(file) }
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
    count = unsafe fread(buffer.baseAddress, 1, limit, file)
  }
  return String(decoding: bytes, as: UTF8.self)
}
