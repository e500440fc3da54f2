#if os(Linux)
  import CDepthBase
  import Foundation
  import SystemEssentials
  import Testing
  import _TestSupport

  /// Limits and outcomes of child processes that read untrusted files.
  @Suite struct SandboxTests {
    /// The child's report, in memory shared with the test.
    private struct Report {
      var isDone: Int32
      var processorSeconds, hardProcessorSeconds, coreBytes, addressBytes, ownBytes: rlim_t
      var ignoresInterrupt, ignoresTermination, ignoresHangup: Bool
      /// The signal that ends the child, or 0.
      var signal: Int32
    }

    private typealias Work = @convention(c) (UnsafeRawPointer?) -> Void

    /// Runs `work` in a child, and returns its report and the outcome.
    private func run(
      signal: Int32 = 0, isAlone: Bool = true, _ work: Work
    ) throws -> (outcome: cds_outcome, report: Report) {
      let bytes = UInt64(MemoryLayout<Report>.size)
      let memory = try #require(cds_share(bytes))
      defer { cds_unshare(memory, bytes) }
      let report = memory.assumingMemoryBound(to: Report.self)
      report.pointee.signal = signal
      var child = cds_child()
      let limits = cds_limits(
        bytes: 1 << 30, processor_seconds: 7, seconds: 300, is_alone: isAlone)
      try #require(cds_start(limits, work, memory, &child))
      var (before, after) = (stat(), stat())
      try #require(fstat(child.pipe_end, &before) == 0)
      let outcome = memory.withMemoryRebound(to: Int32.self, capacity: 1) { cds_end(child, $0) }
      // Another file may have taken the descriptor meanwhile.
      let isOpen = fstat(child.pipe_end, &after) == 0 && after.st_ino == before.st_ino
      #expect(!isOpen)
      return (outcome, report.pointee)
    }

    @Test("a child has limits of time, memory and core dumps")
    func processorTimeAndMemoryAreLimited() throws {
      let (outcome, report) = try run { memory in
        guard let memory else { return }
        let report = UnsafeMutableRawPointer(mutating: memory).assumingMemoryBound(to: Report.self)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
        (report.pointee.processorSeconds, report.pointee.hardProcessorSeconds) = (
          limit.rlim_cur, limit.rlim_max
        )
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        report.pointee.coreBytes = limit.rlim_max
        getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        report.pointee.addressBytes = limit.rlim_cur
        var text = (0 as UInt64, 0 as UInt64, 0 as UInt64)
        read(open("/proc/self/statm", O_RDONLY), &text, 23)
        report.pointee.ownBytes = withUnsafeBytes(of: &text) { text in
          text.prefix { $0 > 0x20 }.reduce(0) { 10 * $0 + 4096 * rlim_t($1 - 0x30) }
        }
        report.pointee.isDone = 1
      }
      #expect(outcome == CDS_FINISHED)
      #expect(report.processorSeconds == 7 && report.hardProcessorSeconds == 8)
      #expect(report.coreBytes == 0)
      // 1 GiB beside the memory inherited from the parent, less the child's first pages.
      let room = Int64(bitPattern: UInt64(report.addressBytes &- report.ownBytes))
      #expect(abs(room - 1 << 30) < 1 << 26, "\(room)")
    }

    /// Ctrl-C or a service manager signals a whole process group. The parent decides what follows.
    @Test("only a child that runs alone ignores stop signals", arguments: [true, false])
    func theParentDecidesAboutSignals(isAlone: Bool) throws {
      let (outcome, report) = try run(isAlone: isAlone) { memory in
        guard let memory else { return }
        let report = UnsafeMutableRawPointer(mutating: memory).assumingMemoryBound(to: Report.self)
        // Ignores a signal, and returns whether the signal was ignored before.
        func isIgnored(_ number: Int32) -> Bool {
          let before = signal(number, SIG_IGN)
          return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        }
        report.pointee.ignoresInterrupt = isIgnored(SIGINT)
        report.pointee.ignoresTermination = isIgnored(SIGTERM)
        report.pointee.ignoresHangup = isIgnored(SIGHUP)
        report.pointee.isDone = 1
      }
      #expect(outcome == CDS_FINISHED)
      #expect(report.ignoresInterrupt == isAlone && report.ignoresTermination == isAlone)
      #expect(report.ignoresHangup == isAlone)
    }

    @Test("a sleeping child ends with its parent")
    func aChildEndsWithItsParent() async throws {
      let folder = try TemporaryFolder()
      let path = folder.path("pid")
      await #expect(processExitsWith: .success) { [path = path as String] in
        var child = cds_child()
        let limits = cds_limits(
          bytes: 1 << 30, processor_seconds: 7, seconds: 300, is_alone: true)
        guard cds_start(limits, { _ in _ = pause() }, nil, &child) else { exit(EXIT_FAILURE) }
        try Data("\(child.process)".utf8).write(to: URL(filePath: path))
      }
      let pid = String(decoding: try TemporaryFolder.bytes(of: path), as: UTF8.self)
      // The child may remain as a zombie.
      #expect(
        waitUntil {
          let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
          return status?.contains("State:\tZ") ?? true
        })
    }

    /// A valid file may take too long to decode.
    @Test(
      "a child ended by a time limit is not reported as crashed",
      arguments: [
        (SIGXCPU, CDS_TIMED_OUT), (SIGALRM, CDS_TIMED_OUT), (SIGSEGV, CDS_CRASHED),
        (SIGABRT, CDS_CRASHED), (SIGSYS, CDS_CRASHED), (0, CDS_CRASHED),
      ] as [(Int32, cds_outcome)])
    func theEndOfAChildIsTold(signal: Int32, outcome: cds_outcome) throws {
      let found = try run(signal: signal) { memory in
        guard let memory else { return }
        let report = memory.assumingMemoryBound(to: Report.self)
        if report.pointee.signal != 0 { kill(getpid(), report.pointee.signal) }
      }
      #expect(found.outcome == outcome)
    }
  }
#endif
