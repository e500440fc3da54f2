import ArgumentParser
import SystemEssentials

/// The options that requests may name, and whether each has a value.
///
/// The parser's own definition of the options is the source, so that a new option is in the table. Hidden options and
/// `help` are not.
struct OptionTable: Sendable {
  enum Kind: Sendable {
    /// On or off.
    case flag
    case value
  }

  /// By the option's name without dashes, such as `focal-length`.
  let kinds: [String: Kind]

  /// - Parameters:
  ///   - options: What is parsed.
  ///   - others: Names of options that requests cannot have.
  init(of options: any ParsableArguments.Type, without others: Set<String> = []) {
    let json = Data(options._dumpHelp().utf8)
    guard let definition = try? JSONDecoder().decode(Definition.self, from: json) else {
      preconditionFailure(
        "the parser describes \(options) in another form than --experimental-dump-help")
    }
    var kinds: [String: Kind] = [:]
    for argument in definition.command.arguments ?? [] where argument.shouldDisplay {
      for name in argument.names ?? [] where name.kind == "long" && name.name != "help" {
        kinds[name.name] = argument.kind == "flag" ? .flag : .value
      }
    }
    self.kinds = kinds.filter { !others.contains($0.key) }
  }

  var names: Set<String> { Set(kinds.keys) }

  /// The option that an unknown name probably means.
  func nearest(to name: String) -> String? { nearestName(to: name, among: kinds.keys.sorted()) }

  /// The parts that are read of what `--experimental-dump-help` prints.
  private struct Definition: Decodable {
    struct Command: Decodable {
      /// `nil` for none.
      let arguments: [Argument]?
    }

    struct Argument: Decodable {
      struct Name: Decodable { let kind, name: String }

      /// `flag`, `option` or `positional`.
      let kind: String
      let shouldDisplay: Bool
      /// `nil` for a positional argument.
      let names: [Name]?
    }

    let command: Command
  }
}
