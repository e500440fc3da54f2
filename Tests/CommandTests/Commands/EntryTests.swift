import Testing
import _TestSupport

@testable import DepthCommands

/// Reading of the program's arguments.
@Suite(.enabled(if: CCompiler.isInstalled, CCompiler.absence)) struct EntryTests {
  /// This preloaded library moves the environment away from the arguments.
  private static let library = """
    #include <stdlib.h>
    __attribute__((constructor)) static void move(void) {
      for (int i = 0; i < 100; i++) {
        char name[] = {'D', 'E', 'P', 'T', 'H', '_', (char)('A' + i % 26), (char)('A' + i / 26), 0};
        setenv(name, "x", 1);
      }
    }
    """

  @Test("arguments are right even if the environment has moved")
  func theArgumentsAreThoseOfTheSystem() throws {
    let folder = try TemporaryFolder()
    let library = try CCompiler.compile(Self.library, ["-shared", "-fPIC"], in: folder)
    let outcome = try depthTool.run(
      ["predict", "none.jpg"], wrapper: ["env", "LD_PRELOAD=\(library)"])
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors == "depth: none.jpg: no such file or folder\n")
  }

  @Test(
    "arguments are read without /proc",
    .enabled(if: CommandLineTool.hasMountNamespaces, "no user namespaces"))
  func theArgumentsAreReadWithoutProc() throws {
    let outcome = try depthTool.run(
      ["--version"],
      wrapper: [
        "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
        "mount -t tmpfs none /proc && exec \"$0\" \"$@\"",
      ])
    #expect(outcome.status == 0 && outcome.text == Version.text + "\n", "\(outcome.text)")
  }
}
