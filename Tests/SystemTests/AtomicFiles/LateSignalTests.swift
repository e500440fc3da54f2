import CDepthBase
import Foundation
import Testing
import _TestSupport

/// Late and repeated signals, and slots of unfinished files.
@Suite struct LateSignalTests {
  /// The signaled thread stops at an atomic store, after it has seen that files are being renamed.
  /// This thread continues after the other thread has renamed the last file.
  private static let program = """
    #include <pthread.h>
    #include <sched.h>
    #include <stdatomic.h>
    static atomic_int armed, inside, ended;
    static void hold(void) {
      if (!atomic_exchange(&armed, 0)) return;
      atomic_fetch_add(&inside, 1);
      while (atomic_load(&ended) == 0) sched_yield();
    }
    #undef atomic_store
    #define atomic_store(place, value) (hold(), atomic_store_explicit(place, value, memory_order_seq_cst))
    #include "part_files.c"
    static void *other(void *unused) { raise(SIGTERM); return unused; }
    int main(void) {
      pthread_t thread;
      cpf_remove_on_signals();
      cpf_begin_renaming();
      atomic_fetch_add(&armed, 1);
      pthread_create(&thread, NULL, other, NULL);
      while (atomic_load(&inside) == 0) sched_yield();
      cpf_end_renaming();
      atomic_fetch_add(&ended, 1);
      pthread_join(thread, NULL);
      return 0;
    }
    """

  /// Restores signals that the parent process ignores or the test's thread blocks.
  fileprivate static func takeSignals(_ number: Int32) {
    signal(number, SIG_DFL)
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_UNBLOCK, &all, nil)
    cpf_remove_on_signals()
  }

  @Test(
    "a program with a signal during renaming ends after the last file",
    arguments: [SIGTERM, SIGINT, SIGHUP])
  func aSignalWaitsForTheLastName(number: Int32) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("named")
    await #expect(processExitsWith: .signal(number)) {
      [number = number as Int32, path = path as String] in
      LateSignalTests.takeSignals(number)
      cpf_begin_renaming()
      cpf_begin_renaming()
      raise(number)
      cpf_end_renaming()
      try Data().write(to: URL(filePath: path))
      cpf_end_renaming()
    }
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("the second Ctrl-C ends the program at once")
  func theSecondControlCEndsTheProgram() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("finishing")
    await #expect(processExitsWith: .signal(SIGINT)) { [path = path as String] in
      LateSignalTests.takeSignals(SIGINT)
      cpf_finish_on_interrupt(1)
      raise(SIGINT)
      guard cpf_interrupts() == 1 else { return }
      try Data().write(to: URL(filePath: path))
      raise(SIGINT)
    }
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("slots of finished files are reused") func placesOfFinishedFilesAreFreeAgain() {
    for _ in 0..<1000 {
      let place = cpf_remember("/no/such/file")
      #expect(place >= 0)
      cpf_forget(place)
    }
  }

  @Test(
    "a signal at the very end of renaming still ends the program",
    .enabled(if: CCompiler.isInstalled, CCompiler.absence))
  func aSignalIsNotLostBetweenTwoThreads() throws {
    let folder = try TemporaryFolder()
    let program = try CCompiler.compile(
      Self.program,
      [
        "-pthread", "-I\(packageFolder)/Sources/CDepthBase",
        "-I\(packageFolder)/Sources/CDepthBase/include",
      ], in: folder)
    let outcome = try CommandLineTool(at: program).run(
      [], wrapper: CommandLineTool.endedBySignals)
    #expect(outcome.wasKilled && outcome.status == SIGTERM)
  }
}
