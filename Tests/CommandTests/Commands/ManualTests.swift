import Foundation
import Testing
import _TestSupport

/// The manual page and the completions, which come from the command line's own definition.
@Suite struct ManualTests {
  /// Parts of the definition that the tests use.
  private struct Definition: Decodable {
    struct Command: Decodable {
      var commandName: String
      var discussion: String?
      var arguments: [Argument]?
      var subcommands: [Command]?
    }

    /// An object whose single key is the kind of completion.
    struct Completion: Decodable {
      var file, directory: [String: [String]]?
    }

    struct Argument: Decodable {
      struct Name: Decodable { var kind, name: String }
      var names: [Name]?
      var shouldDisplay: Bool
      var kind: String
      var valueName: String?
      var completionKind: Completion?
    }

    var command: Command
  }

  /// The generated manual page, and the definition as its source.
  private func manual() throws -> (
    page: CommandLineTool.Outcome, definition: CommandLineTool.Outcome
  ) {
    let definition = try runDepth(["--experimental-dump-help"])
    let script = CommandLineTool(at: PackageFile.path("Scripts/release/generate-manual.py"))
    return (try script.run(["swift-depth 1.2.3"], input: definition.output), definition)
  }

  @Test("the manual has every command and option") func manualHasEveryCommandAndOption() throws {
    let (made, definition) = try manual()
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.text.hasPrefix(".TH DEPTH 1 \"\" \"swift\\-depth 1.2.3\"\n"))
    let plain = made.text.replacing("\\-", with: "-")
    func check(_ command: Definition.Command, _ path: String) {
      #expect(plain.contains("\n.SS \"\(path)\"\n"), "\(path)")
      let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
      for name in arguments.flatMap({ $0.names ?? [] }) where name.name != "h" {
        let dashes = name.kind == "short" ? "-" : "--"
        #expect(plain.contains("\\fB\(dashes)\(name.name)\\fR"), "\(path) \(name.name)")
      }
      for next in command.subcommands ?? [] where next.commandName != "help" {
        check(next, "\(path) \(next.commandName)")
      }
    }
    let root = try JSONDecoder().decode(Definition.self, from: Data(definition.output)).command
    let commands = (root.subcommands ?? []).filter { $0.commandName != "help" }
    #expect(commands.count > 8)
    for command in commands { check(command, "depth \(command.commandName)") }
    // Roff takes other characters by their codes only.
    #expect(made.output.allSatisfy { $0 < 0x80 })
  }

  private static let groff = "/usr/bin/groff"

  @Test(
    "groff reads the manual without a warning",
    .enabled(if: FileManager.default.isExecutableFile(atPath: groff), "groff is not installed"))
  func groffReadsTheManual() throws {
    let read = try CommandLineTool(at: Self.groff).run(
      ["-man", "-ww", "-Tutf8"], input: manual().page.output)
    #expect(read.status == 0 && read.errors.isEmpty, "\(read.errors)")
    #expect(read.text.contains("25×25"))
  }

  @Test("shells complete names of files and folders") func filesAreCompleted() throws {
    let definition = try runDepth(["--experimental-dump-help"])
    var count = 0
    func check(_ command: Definition.Command, _ path: String) {
      for argument in command.arguments ?? [] where argument.shouldDisplay {
        let name = "\(path) \(argument.valueName ?? "")"
        let value = argument.valueName ?? ""
        if value == "folder" {
          #expect(argument.completionKind?.directory != nil, "\(name)")
        } else if value == "name", path.hasSuffix("weights fetch") {
          // A list of names.
          #expect(argument.completionKind != nil && argument.completionKind?.file == nil)
        } else if argument.kind == "positional" || value.hasPrefix("file") {
          #expect(argument.completionKind?.file != nil, "\(name)")
          count += 1
        }
      }
      for next in command.subcommands ?? [] where next.commandName != "help" {
        check(next, "\(path) \(next.commandName)")
      }
    }
    check(try JSONDecoder().decode(Definition.self, from: Data(definition.output)).command, "depth")
    #expect(count > 40)
  }

  /// Help breaks lines at 80 columns, which would break a copied command.
  @Test("examples in help fit their line") func examplesFitTheirLine() throws {
    let definition = try runDepth(["--experimental-dump-help"])
    var count = 0
    func check(_ command: Definition.Command) {
      for line in (command.discussion ?? "").split(separator: "\n")
      where ["depth ", "curl ", "ffmpeg ", "{"].contains(where: { line.hasPrefix("  \($0)") }) {
        #expect(line.count <= 80, "\(line)")
        count += 1
      }
      for next in command.subcommands ?? [] { check(next) }
    }
    check(try JSONDecoder().decode(Definition.self, from: Data(definition.output)).command)
    #expect(count > 20)
  }

  @Test("completions of each shell name commands and options", arguments: ["bash", "zsh", "fish"])
  func completionsHaveEveryCommand(shell: String) throws {
    let made = try runDepth(["--generate-completion-script", shell])
    #expect(made.status == 0 && made.errors.isEmpty)
    for command in ["predict", "serve", "spotlight", "skip-existing"] {
      #expect(made.text.contains(command), "\(command)")
    }
    guard shell == "bash" else { return }
    #expect(try CommandLineTool(at: "/bin/bash").run(["-n"], input: made.output).status == 0)
  }
}
