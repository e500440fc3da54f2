import Foundation
import Testing
import _TestSupport

/// What `depth worker` does when a signal has come.
@Suite(.offPool) struct StoppedWorkerTests {
  /// As on Ctrl-C, which a shell's background jobs ignore, the requests under way are answered.
  @Test func requestsUnderWayAreFinished() throws {
    let folder = try TemporaryFolder()
    let outcome = try CommandLineTool(at: "/bin/sh").run(
      [
        "-c",
        """
        mkfifo input; exec 3<>input
        "$0" worker <&3 >output & started=$!
        echo '{}' >&3
        while [ ! -s output ]; do sleep 0.05; done
        echo '{"id":1,"input":"\(livingRoom)","output":"d.png"}' >&3
        while ! ls | grep -q d.png; do sleep 0.001; done
        kill -TERM $started
        wait $started; echo $?
        """, depthTool.path,
      ], in: folder.path, wrapper: CommandLineTool.endedBySignals)
    #expect(outcome.text == "143\n", "\(outcome.errors)")
    let answers = try TemporaryFolder.bytes(of: folder.path("output"))
    let lines = String(decoding: answers, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2 && lines.last?.hasPrefix("{\"id\":1,\"") == true, "\(lines)")
    #expect(FileManager.default.fileExists(atPath: folder.path("d.png")))
  }

  /// SIGTERM ends the worker, also as the first process of a container, for which signals have no default
  /// action.
  @Test(arguments: [false, true]) func terminationEndsTheWorker(isFirstProcess: Bool) throws {
    let unshare = "unshare --user --map-root-user --pid --fork"
    let shell = CommandLineTool(at: "/bin/sh")
    if isFirstProcess, try shell.run(["-c", "\(unshare) true"]).status != 0 {
      print("skipped: unshare is not permitted here")
      return
    }
    let folder = try TemporaryFolder()
    // The child of unshare is the worker.
    let worker = isFirstProcess ? "$(cat /proc/$started/task/$started/children)" : "$started"
    let outcome = try shell.run(
      [
        "-c",
        """
        mkfifo input; exec 3<>input
        \(isFirstProcess ? unshare : "") "$0" worker --weights compact <&3 >output & started=$!
        echo '{}' >&3
        while [ ! -s output ]; do sleep 0.05; done
        kill -TERM \(worker)
        wait $started; echo $?
        """, depthTool.path,
      ], in: folder.path, wrapper: CommandLineTool.endedBySignals)
    #expect(outcome.text == "143\n", "\(outcome.errors)")
  }

  /// Requests that were read ahead are not begun, and one that was cut in half is not answered as a wrong one.
  @Test func requestsThatWaitAreNotBegun() throws {
    let folder = try TemporaryFolder()
    let outcome = try CommandLineTool(at: "/bin/sh").run(
      [
        "-c",
        """
        mkfifo input; exec 3<>input
        "$0" worker --threads 1 --weights compact <&3 >output & started=$!
        for id in $(seq 1 200); do echo '{"id":'$id',"input":"\(livingRoom)","output":"'$id'.png"}'; done >requests
        cat requests >&3
        printf '{"id":201,"inp' >&3
        while [ ! -s output ]; do sleep 0.01; done
        kill -TERM $started
        wait $started; echo $?
        """, depthTool.path,
      ], in: folder.path, wrapper: CommandLineTool.endedBySignals)
    #expect(outcome.text == "143\n", "\(outcome.errors)")
    let answers = String(
      decoding: try TemporaryFolder.bytes(of: folder.path("output")), as: UTF8.self)
    // Those of two workers, and what they began before the shell had looked.
    #expect(answers.split(separator: "\n").count < 150, "\(answers)")
    #expect(!answers.contains("error"), "\(answers)")
  }
}
