import Foundation
import Testing
import _TestSupport

@testable import DepthBase

/// Limits read from `/proc` and control groups, in files as systems write them.
@Suite struct MemoryBudgetTests {
  /// A folder with `files`, as the root of a system.
  private func system(_ files: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let url = URL(fileURLWithPath: folder.path(name))
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    return folder
  }

  private static let machine = [
    "proc/meminfo": "MemTotal:       24000000 kB\nMemAvailable:   20000000 kB\nSwapTotal: 0 kB\n",
    "proc/self/statm": "1000 500 100 10 0 200 0\n",
  ]
  private let available = 20_000_000 * 1024

  private func bytes(
    _ files: [String: String], addressSpace: Int? = nil, data: Int? = nil
  ) throws -> Int {
    let root = try system(Self.machine.merging(files) { $1 })
    return MemoryBudget(root: root.path, addressSpace: addressSpace, data: data).bytes
  }

  @Test("the memory budget is the least limit of machine and process")
  func theMachineAndTheProcessesLimits() throws {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    #expect(try bytes([:]) == available)
    #expect(try bytes([:], addressSpace: 1 << 30) == 1 << 30 - 1000 * page)
    #expect(try bytes([:], data: 1 << 30) == 1 << 30 - 200 * page)
    #expect(try bytes([:], addressSpace: 4096) == 0)
    #expect(MemoryBudget(root: "/nowhere", addressSpace: nil, data: nil).bytes == .max)
  }

  @Test("peak memory is read from the process's own status") func peakIsTheProgramsOwn() throws {
    let root = try system(["proc/self/status": "Name:\tdepth\nVmHWM:\t   51812 kB\nVmRSS:\t 4 kB\n"]
    )
    #expect(PeakMemory(root: root.path).bytes == 51812 * 1024)
    #expect(PeakMemory(root: "/nowhere").bytes > 1 << 20)
  }

  @Test("in cgroup v2, the tightest group limits the budget") func unifiedHierarchy() throws {
    let mounts = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
    let files = [
      "proc/self/mountinfo": mounts, "proc/self/cgroup": "0::/user/job\n",
      "sys/fs/cgroup/user/job/memory.max": "max\n",
      "sys/fs/cgroup/user/job/memory.current": "5\n",
      "sys/fs/cgroup/user/memory.max": "1000000\n",
      "sys/fs/cgroup/user/memory.current": "700000\n",
      "sys/fs/cgroup/user/memory.stat":
        "anon 300000\nfile 400000\ninactive_file 250000\nactive_file 150000\n",
    ]
    #expect(try bytes(files) == 700_000)
    // The tighter of two limits counts.
    #expect(
      try bytes(files.merging(["sys/fs/cgroup/user/job/memory.max": "2000000\n"]) { $1 }) == 700_000
    )
    #expect(
      try bytes(
        files.merging([
          "sys/fs/cgroup/user/job/memory.max": "600000", "sys/fs/cgroup/user/job/memory.stat": "",
        ]) { $1 }) == 599_995)
    #expect(
      try bytes(files.merging(["sys/fs/cgroup/user/memory.current": "2000000"]) { $1 }) == 0)
  }

  /// In a container, the mount shows the group itself, but `/proc/self/cgroup` has the outer path.
  @Test("in cgroup v1, a container limits the budget") func containerOfVersion1() throws {
    let root = "/docker/abc"
    let files = [
      "proc/self/mountinfo":
        "40 31 0:33 \(root) /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
        + "41 31 0:34 \(root) /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n",
      "proc/self/cgroup": "5:cpu:\(root)\n4:memory:\(root)\n",
      "sys/fs/cgroup/memory/memory.limit_in_bytes": "2000000\n",
      "sys/fs/cgroup/memory/memory.usage_in_bytes": "900000\n",
      "sys/fs/cgroup/memory/memory.stat": "total_inactive_file 100000\ntotal_active_file 0\n",
    ]
    #expect(try bytes(files) == 1_200_000)
    let unlimited = ["sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"]
    #expect(try bytes(files.merging(unlimited) { $1 }) == available)
  }

  @Test("the memory budget of this process is positive") func memoryBudgetIsPositive() {
    #expect(MemoryBudget.current.bytes > 0)
  }
}
