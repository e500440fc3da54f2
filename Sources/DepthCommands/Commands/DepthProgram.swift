import ArgumentParser
import DepthBase
import DepthErrors
import MonocularDepth
import SystemEssentials

/// The program `depth`: a process that runs one command.
package enum DepthProgram {
  /// Runs the command of this process's arguments and ends the process where it fails.
  package static func main() {
    SharedHeap.useUnderLimit()
    StandardStreams.openMissing()
    // A reader that goes away is an error of the write, not the end of the program.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that grows beyond `ulimit -f`.
    signal(SIGXFSZ, SIG_IGN)
    PartFile.removeOnSignals()
    var command: (any ParsableCommand)?
    do {
      try RawArguments.check()
      command = try Depth.parsed(Array(CommandLine.arguments.dropFirst()))
      try DepthEstimator.checkEnvironment()
      try command?.run()
    } catch let error as ExitCode {
      Depth.exit(withError: error)
    } catch let error where Depth.exitCode(for: error) == .validationFailure {
      // The library gives the usage of a command that it has read, but not of one that runs.
      let text =
        command.map { wrongUsage(error, of: type(of: $0)) } ?? Depth.fullMessage(for: error)
      // The usage has lines of its own, the names in it must not.
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      Console.note(lines.map { String($0).escapingControls }.joined(separator: "\n") + "\n")
      Depth.exit(withError: ExitCode.validationFailure)
    } catch let unknown as CommandWord.UnknownCommand {
      Console.note(wrongUsage(unknown, of: unknown.owner) + "\n")
      Depth.exit(withError: ExitCode.validationFailure)
    } catch let failure as NameFailure {
      Console.report(failure)
      Depth.exit(withError: ExitCode.validationFailure)
    } catch let conflict as OutputConflict {
      Console.report(conflict)
      Depth.exit(withError: conflict.isUsage ? ExitCode.validationFailure : .failure)
    } catch let error where Depth.exitCode(for: error) != .failure {
      // Help, version, and wrong usage.
      Depth.exit(withError: error)
    } catch {
      Console.report(error)
      let isTemporary = (error as? DepthError)?.isTemporary == true
      Depth.exit(withError: isTemporary ? RunStatus.tryAgain : .failure)
    }
  }

  private static func wrongUsage(
    _ error: any Error, of command: any ParsableCommand.Type
  ) -> String {
    "Error: \(Depth.message(for: error))\n"
      + "  See '\(CommandWord.path(of: command)) --help' for more information."
  }
}
