import ArgumentParser
import DepthBase
import DepthErrors
import MonocularDepth
import SystemEssentials

/// The `depth` program, a process that runs one command.
package enum DepthProgram {
  /// Runs this process's command line and exits with its status.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of C's `main`, with the program's name. `CommandLine` reads `/proc`, which may be
  ///     missing.
  ///   - revision: The commit of the build; empty if unknown.
  static func main(_ arguments: RawArguments, revision: String) -> Never {
    StandardStreams.openMissing()
    // Writing to a closed pipe then fails with an error instead of ending the program.
    signal(SIGPIPE, SIG_IGN)
    // Writing beyond `ulimit -f` also fails with an error.
    signal(SIGXFSZ, SIG_IGN)
    PartFile.removeOnSignals()
    do { exit(run(try arguments.words(), revision: revision)) } catch {
      Console.report(error)
      exit(RunStatus.wrongUsage.rawValue)
    }
  }

  /// Bytes that every command requires.
  private static let leastBytes = 16_000_000

  /// Runs a command line with output to the ``Console``.
  ///
  /// - Returns: The exit status.
  static func run(_ arguments: [String], revision: String = "") -> Int32 {
    var command: (any ParsableCommand)?
    do {
      if MemoryBudget.hasAddressLimit {
        // In Swift, a failed allocation ends the program without a message.
        try MemoryNeed(bytes: leastBytes).require(for: "the program", budget: .current)
      }
      command = try Depth.parsed(arguments)
      try DepthEstimator.checkEnvironment()
      try command?.run()
      return EXIT_SUCCESS
    } catch let status as RunStatus {
      return status.rawValue
    } catch is ReaderGone {
      return EXIT_SUCCESS
    } catch let error where isWrongUsage(error) {
      // The parser adds the usage to errors of a rejected command line, but not to errors of a command that runs.
      let text =
        command.map { wrongUsage(error, of: type(of: $0)) }
        ?? CommandWord.suggestingOption(
          in: ArgumentNames.expectingNumber(in: Depth.fullMessage(for: error)), of: arguments)
      // The usage contains line breaks, but names in the usage must not.
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      Console.log(lines.map { String($0).escapingControls }.joined(separator: "\n") + "\n")
      return RunStatus.wrongUsage.rawValue
    } catch let unknown as CommandWord.UnknownCommand {
      Console.log(wrongUsage(unknown, of: unknown.owner) + "\n")
      return RunStatus.wrongUsage.rawValue
    } catch let failure as NameFailure {
      Console.report(failure)
      return RunStatus.wrongUsage.rawValue
    } catch let conflict as OutputConflict {
      Console.report(conflict)
      return (conflict.isUsage ? RunStatus.wrongUsage : .failure).rawValue
    } catch let error where Depth.exitCode(for: error).isSuccess {
      // Help, version, completions.
      let text = Depth.fullMessage(for: error)
      let isVersion = text == Version.text && !revision.isEmpty
      try? Console.write(text + (isVersion ? " (\(revision))" : "") + "\n")
      return EXIT_SUCCESS
    } catch {
      Console.report(error)
      let isTemporary = (error as? DepthError)?.isTemporary == true
      return (isTemporary ? RunStatus.tryAgain : .failure).rawValue
    }
  }

  private static func isWrongUsage(_ error: any Error) -> Bool {
    error is WrongUsage || error is InvalidRequest
      || Depth.exitCode(for: error) == .validationFailure
  }

  private static func wrongUsage(
    _ error: any Error, of command: any ParsableCommand.Type
  ) -> String {
    let message =
      switch error {
      case let error as WrongUsage: error.description
      case let error as InvalidRequest: error.usage
      default: Depth.message(for: error)
      }
    return "Error: \(message)\n"
      + "  See '\(CommandWord.path(of: command)) --help' for more information."
  }
}
