import Foundation
import SystemEssentials
import Testing
import _TestSupport

@testable import FuzzTargets

/// A libwebp that hangs, aborts, or makes forbidden system calls.
@Suite(.enabled(if: CCompiler.isInstalled, CCompiler.absence)) struct HangingDecoderTests {
  private let folder: TemporaryFolder
  private let environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    let library = try CCompiler.compile(
      Self.library, ["-shared", "-fPIC", "-pthread", "-Wl,-soname,libwebp.so.7"], in: folder)
    try FileManager.default.createDirectory(
      atPath: folder.path("lib"), withIntermediateDirectories: false)
    try FileManager.default.moveItem(atPath: library, toPath: folder.path("lib/libwebp.so.7"))
    _ = try folder.write(WebPSeed.all[0].bytes, to: "a.webp")
    environment = ["LD_LIBRARY_PATH": folder.path("lib")]
  }

  private static let library = """
    #include <errno.h>
    #include <fcntl.h>
    #include <pthread.h>
    #include <signal.h>
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    static int refused(long result) { return result == -1 && errno == EPERM; }
    static void *set(void *flag) { *(int *)flag = 1; return 0; }
    static uint8_t *decode(uint8_t *out, size_t size) {
      const char *mode = getenv("TEST_DECODER");
      if (!strcmp(mode, "hangs")) for (;;) sleep(1);
      if (!strcmp(mode, "aborts")) abort();
      memset(out, 90, size);
      if (!strcmp(mode, "descriptors")) {
        int open_count = 0;
        for (int i = 3; i < 256; i++) open_count += read(i, out, 0) == 0 || write(i, out, 0) == 0;
        return open_count == 1 ? out : 0;
      }
      if (!strcmp(mode, "threads")) {
        int flag = 0;
        pthread_t thread;
        return pthread_create(&thread, 0, set, &flag) == 0 && pthread_join(thread, 0) == 0 && flag ? out : 0;
      }
      char *arguments[] = {"true", 0};
      return refused(open("/etc/passwd", O_RDONLY)) && refused(socket(AF_INET, SOCK_STREAM, 0)) && refused(fork()) &&
          refused(kill(1, 0)) && refused(syscall(SYS_tgkill, 1, 1, 0)) && refused(execv("/bin/true", arguments)) &&
          refused(unlink("/none")) && refused(syscall(SYS_process_vm_readv, 1, 0, 0, 0, 0, 0)) ? out : 0;
    }
    uint8_t *WebPDecodeRGBInto(const uint8_t *bytes, size_t count, uint8_t *out, size_t size, int stride) {
      return decode(out, size);
    }
    uint8_t *WebPDecodeRGBAInto(const uint8_t *bytes, size_t count, uint8_t *out, size_t size, int stride) {
      return decode(out, size);
    }
    """

  private func predict(_ mode: String) throws -> CommandLineTool.Outcome {
    try depthTool.run(
      ["predict", "a.webp", "--refine", "none", "--quiet"],
      environment: environment.merging(["TEST_DECODER": mode]) { $1 }, in: folder.path)
  }

  @Test("a decoder has only its own descriptors") func aDecoderHasNoDescriptorsButItsOwn() throws {
    let outcome = try predict("descriptors")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// This test needs a kernel that filters system calls.
  @Test(
    "a decoder cannot reach files, sockets or processes",
    .enabled(
      if: FileManager.default.fileExists(atPath: "/proc/sys/kernel/seccomp/actions_avail"),
      "the kernel filters no calls"), arguments: ["confinement", "threads"])
  func aDecoderComputesAndNothingElse(mode: String) throws {
    let outcome = try predict(mode)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("an aborting decoder means damage, not a crash") func aDecoderMayAbort() throws {
    let outcome = try predict("aborts")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == "depth: a.webp: damaged WebP: it cannot be decoded\n",
      "\(outcome.errors)")
  }

  @Test("Ctrl-C ends a decoder without a message about the photo") func ctrlCEndsADecoder() throws {
    _ = try folder.write(WebPSeed.all[0].bytes, to: "b.webp")
    let run = try depthTool.start(
      [
        "predict", "a.webp", "b.webp", "--output-dir", "out", "--manifest",
        "m.jsonl", "--threads", "1",
      ], environment: environment.merging(["TEST_DECODER": "hangs"]) { $1 }, in: folder.path,
      wrapper: CommandLineTool.endedBySignals)
    #expect(waitUntil { FileManager.default.fileExists(atPath: folder.path("m.jsonl")) })
    Thread.sleep(forTimeInterval: 0.3)
    run.signal(SIGINT)
    let outcome = try run.finish()
    #expect(outcome.status == 130, "\(outcome.errors)")
    #expect(!outcome.errors.contains("damaged"), "\(outcome.errors)")
    #expect(try TemporaryFolder.bytes(of: folder.path("m.jsonl")).isEmpty)
  }
}
