import ArgumentParser
import DepthBase
import DepthErrors
import MonocularDepth
import SystemEssentials

/// The program `depth`: a process that runs one command.
package enum DepthProgram {
  /// Runs this process's command line and exits with its status.
  ///
  /// - Parameter arguments: Those of the C entry, the program's name first. `CommandLine` looks for them in `/proc`, and has none
  ///   where that is missing.
  static func main(_ arguments: RawArguments) -> Never {
    StandardStreams.openMissing()
    // A reader that goes away is an error of the write, not the end of the program.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that grows beyond `ulimit -f`.
    signal(SIGXFSZ, SIG_IGN)
    PartFile.removeOnSignals()
    do { exit(run(try arguments.words())) } catch {
      Console.report(error)
      exit(ExitCode.validationFailure.rawValue)
    }
  }

  /// Runs a command line; output goes to the ``Console``.
  ///
  /// - Returns: The exit status.
  static func run(_ arguments: [String]) -> Int32 {
    var command: (any ParsableCommand)?
    do {
      command = try Depth.parsed(arguments)
      try DepthEstimator.checkEnvironment()
      try command?.run()
      return ExitCode.success.rawValue
    } catch let status as ExitCode {
      return status.rawValue
    } catch is ReaderGone {
      return ExitCode.success.rawValue
    } catch let error where Depth.exitCode(for: error) == .validationFailure {
      // The library gives the usage of a command that it has read, but not of one that runs.
      let text =
        command.map { wrongUsage(error, of: type(of: $0)) }
        ?? CommandWord.suggestingOption(in: Depth.fullMessage(for: error), of: arguments)
      // The usage has lines of its own, the names in it must not.
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      Console.log(lines.map { String($0).escapingControls }.joined(separator: "\n") + "\n")
      return ExitCode.validationFailure.rawValue
    } catch let unknown as CommandWord.UnknownCommand {
      Console.log(wrongUsage(unknown, of: unknown.owner) + "\n")
      return ExitCode.validationFailure.rawValue
    } catch let failure as NameFailure {
      Console.report(failure)
      return ExitCode.validationFailure.rawValue
    } catch let conflict as OutputConflict {
      Console.report(conflict)
      return (conflict.isUsage ? ExitCode.validationFailure : .failure).rawValue
    } catch let error where Depth.exitCode(for: error).isSuccess {
      // Help, version, completions.
      try? Console.write(Depth.fullMessage(for: error) + "\n")
      return ExitCode.success.rawValue
    } catch {
      Console.report(error)
      let isTemporary = (error as? DepthError)?.isTemporary == true
      return (isTemporary ? RunStatus.tryAgain : .failure).rawValue
    }
  }

  private static func wrongUsage(
    _ error: any Error, of command: any ParsableCommand.Type
  ) -> String {
    "Error: \(Depth.message(for: error))\n"
      + "  See '\(CommandWord.path(of: command)) --help' for more information."
  }
}

/// The command line's root.
struct Depth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "depth",
    abstract: "Estimate depth in metres from one photo, on a CPU.",
    discussion: """
      Depth is the distance along the optical axis, in metres; larger is farther. Without a command, 'depth PHOTO' \
      means 'depth predict PHOTO'. Examples:

        depth photo.jpg --view               photo_depth.png, and a picture of it
        depth predict photo.jpg              photo_depth.png: 16-bit millimetres
        depth predict photo.jpg -o d.pfm     32-bit metres
        depth predict photo.jpg --refine none --view v.png --color-map turbo
        depth predict *.jpg --output-dir maps --view maps/
        depth predict photos --recursive --output-dir maps --skip-existing
        depth stereo photo.jpg --format anaglyph
        depth effect blur photo.jpg --focus 0.75
        depth export photo.jpg -o room.glb
        depth video film.mp4 film_sbs.mp4 --stereo sbs-half

      Exit status: 0 for success, 1 if an input failed, 64 for wrong usage, 75 if an input failed and a retry \
      may succeed (disk full, no memory), 130 after Ctrl-C.
      """,
    version: Version.text,
    subcommands: [
      Predict.self, Refine.self, Stereo.self, Effect.self, Export.self, Serve.self, Stream.self,
      Video.self, Watch.self,
      Evaluate.self, Calibrate.self, Weights.self, Benchmark.self,
    ], defaultSubcommand: Predict.self)

  /// The command that a command line selects, with its options.
  ///
  /// - Throws: What says how it is wrong.
  static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    try ArgumentNames.check(arguments)
    try CommandWord.check(arguments)
    // Without any word the default command would miss a photo.
    return try parseAsRoot(
      arguments.isEmpty ? ["--help"] : ArgumentNames.joiningNumbers(arguments))
  }
}

/// Ctrl-C in the middle of several files: the one in progress is finished, the rest is left.
///
/// A second Ctrl-C ends the program at once, and so does the first one outside of
/// ``finishingCurrent(_:)``.
enum Interruption {
  /// Conventional exit status of what ended by SIGINT.
  static let exitCode = ExitCode(130)

  /// Runs `work`, which looks at ``hasCome`` before each file.
  static func finishingCurrent(_ work: () throws -> Void) rethrows {
    PartFile.finishOnInterrupt(true)
    defer { PartFile.finishOnInterrupt(false) }
    try work()
  }

  /// Ctrl-C ends a stream: from now on the first one is only counted.
  static func finishesOnFirst() { PartFile.finishOnInterrupt(true) }

  static var hasCome: Bool { PartFile.isInterrupted }

  /// If Ctrl-C has come, prints how many photos are done and throws ``exitCode``.
  static func endIfCome(done: Int, of total: Int) throws {
    guard hasCome else { return }
    Console.log(
      "depth: interrupted, \(done) of \(total) photos are done; \(Console.continuation)\n")
    throw exitCode
  }
}

/// The signals that end a server: they are taken by ``wait()`` instead of ending the program. One that was ignored at the
/// start, as SIGHUP under `nohup`, stays ignored.
struct EndSignals {
  private var signals = sigset_t()

  /// Must come before any thread begins, since threads inherit what is blocked.
  init(_ numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP]) {
    unsafe sigemptyset(&signals)
    // A blocked signal is queued even where it is ignored, and would be taken.
    for number in numbers where !PartFile.isIgnored(number) {
      unsafe sigaddset(&signals, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for one of them.
  ///
  /// - Returns: Its number.
  func wait() -> Int32 {
    var (signals, number) = (signals, Int32(0))
    while unsafe sigwait(&signals, &number) != 0 {}
    return number
  }

  /// Ends the program by one of them, on a thread of its own, after some work.
  func ending(after work: @escaping @Sendable () -> Void) {
    let isTaken = OwnThread.start {
      let number = wait()
      work()
      restore()
      raise(number)
    }
    if !isTaken { restore() }
  }

  /// Lets the signals end the program again.
  func restore() {
    var signals = signals
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
