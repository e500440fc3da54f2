#if os(Linux)
  import CDepthBase
  import SystemEssentials
  import Testing

  /// Child processes that read untrusted files: their limits, and how their end is told.
  @Suite struct SandboxTests {
    /// The child's report, in memory that it shares with the test.
    private struct Report {
      var isDone: Int32
      var processorSeconds, hardProcessorSeconds, coreBytes: rlim_t
      var ignoresInterrupt, ignoresTermination, ignoresHangup: Bool
      /// The signal by which the child is to end; 0 for none.
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
      let outcome = memory.withMemoryRebound(to: Int32.self, capacity: 1) { cds_end(child, $0) }
      return (outcome, report.pointee)
    }

    @Test("processor time is limited, and no core dump written")
    func processorTimeIsLimited() throws {
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
        report.pointee.isDone = 1
      }
      #expect(outcome == CDS_FINISHED)
      #expect(report.processorSeconds == 7 && report.hardProcessorSeconds == 8)
      #expect(report.coreBytes == 0)
    }

    /// Ctrl-C, a closed terminal and a service manager reach all processes of a group; what follows is the parent's decision.
    @Test("a child ignores stop signals exactly if it runs alone", arguments: [true, false])
    func theParentDecidesAboutSignals(isAlone: Bool) throws {
      let (outcome, report) = try run(isAlone: isAlone) { memory in
        guard let memory else { return }
        let report = UnsafeMutableRawPointer(mutating: memory).assumingMemoryBound(to: Report.self)
        // Each is set to be ignored, and what it was before is returned.
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

    /// A child that its limits of time have ended has not crashed: the file may be whole, but decoding it does not end.
    @Test(
      "a child past its time limit timed out, others crashed",
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
