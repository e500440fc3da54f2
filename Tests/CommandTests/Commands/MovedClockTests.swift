#if os(Linux)
  import Foundation
  import Testing
  import _TestSupport

  /// The system clock is set while `depth watch` waits for a frame.
  @Suite struct MovedClockTests {
    /// Programs read a wrong clock, but the kernel has the right clock, as if set in between.
    private static let library = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <stdlib.h>
      #include <time.h>
      int clock_gettime(clockid_t clock, struct timespec *now) {
        int (*system)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
        int status = system(clock, now);
        if (clock == CLOCK_REALTIME) now->tv_sec += atol(getenv("DEPTH_TEST_CLOCK_ERROR"));
        return status;
      }
      """

    /// Watches through a pipe, and returns when the first of `frames` has been processed.
    private func watch(
      timeout: String, clockError: Int, in folder: TemporaryFolder
    ) throws -> (run: CommandLineTool.Run, pipe: FileHandle) {
      let library = try CCompiler.compile(
        Self.library, ["-shared", "-fPIC", "-ldl"], in: folder)
      let path = folder.path("frames")
      try #require(mkfifo(path, 0o600) == 0)
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      let run = try depthTool.start(
        ["watch", "--scan", "--source-timeout", timeout],
        environment: ["DEPTH_TEST_CLOCK_ERROR": "\(clockError)"],
        wrapper: ["sh", "-c", "LD_PRELOAD='\(library)' exec \"$0\" \"$@\" < '\(path)'"])
      let pipe = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try pipe.write(contentsOf: Self.frame)
      wait(for: run) { $0.contains("\"scan\"") }
      return (run, pipe)
    }

    private static let frame = Data("P6 2 2 255\n".utf8) + Data(repeating: 9, count: 12)

    /// Waits until the output meets `condition`.
    private func wait(for run: CommandLineTool.Run, _ condition: (String) -> Bool) {
      waitUntil { !run.isRunning || condition(run.text) }
      #expect(condition(run.text), "\(run.text)\(run.errors)")
    }

    @Test(
      "a clock that is set forward does not make a watcher blind",
      .enabled(if: CCompiler.isInstalled, CCompiler.absence))
    func aClockSetForwardDoesNotBlind() throws {
      let folder = try TemporaryFolder()
      let (run, pipe) = try watch(timeout: "600s", clockError: -3600, in: folder)
      defer { run.signal(SIGKILL) }
      usleep(300_000)
      try pipe.write(contentsOf: Self.frame)
      wait(for: run) { $0.split(separator: "\n").count { $0.contains("\"scan\"") } == 2 }
      #expect(!run.text.contains("BLIND"), "\(run.text)")
    }

    @Test(
      "a clock that is set back does not hide a dead camera",
      .enabled(if: CCompiler.isInstalled, CCompiler.absence))
    func aClockThatIsSetBackHidesNothing() throws {
      let folder = try TemporaryFolder()
      let (run, pipe) = try watch(timeout: "50ms", clockError: 3600, in: folder)
      defer { run.signal(SIGKILL) }
      wait(for: run) { $0.contains("BLIND") }
      withExtendedLifetime(pipe) {}
    }
  }
#endif
