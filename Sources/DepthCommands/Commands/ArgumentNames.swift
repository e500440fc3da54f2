import ArgumentParser
import SystemEssentials

/// What no command line can mean, found before it is parsed.
enum ArgumentNames {
  /// Letters of options that have one.
  private static let letters: Set<Character> = ["h", "o", "0"]

  /// - Parameter arguments: The command line without the program's name.
  /// - Throws: A validation error for an empty argument, which is most often an unset variable of a shell: as a path
  ///   it would mean the current folder or the whole disk. Likewise for a file name in place of options: the letter h
  ///   somewhere in it would ask for help.
  static func check(_ arguments: some Collection<String>) throws {
    var isOption = true
    var last: String?
    for argument in arguments {
      defer { last = argument }
      guard !argument.isEmpty else {
        throw ValidationError(
          "an argument is empty\(last.map { " (after '\($0)')" } ?? ""), expected a name or a value; "
            + "is a variable unset?")
      }
      if argument == "--" { isOption = false }
      guard isOption, argument.hasPrefix("-"), argument.count > 1 else { continue }
      if argument.hasSuffix("="), argument.firstIndex(of: "=") == argument.indices.last {
        throw ValidationError(
          "\(argument.dropLast()) is empty, expected a value; is a variable unset?")
      }
      try checkLetters(argument)
    }
  }

  /// The command line with each number below zero joined to the option before it, `--shift=-1%`: the parser would take it for an
  /// option itself, and the value for missing.
  static func joiningNumbers(_ arguments: [String]) -> [String] {
    var result: [String] = []
    var isOption = true
    for argument in arguments {
      if argument == "--" { isOption = false }
      if isOption, let option = result.last, option.hasPrefix("--"), option.count > 2,
        !option.contains("="), argument.hasPrefix("-"),
        let first = argument.dropFirst().first, isOfNumber(first),
        !argument.dropFirst().allSatisfy(letters.contains)
      {
        result[result.count - 1] += "=" + argument
      } else {
        result.append(argument)
      }
    }
    return result
  }

  private static func isOfNumber(_ character: Character) -> Bool {
    character.isNumber || ".,%".contains(character)
  }

  private static func checkLetters(_ argument: String) throws {
    let letters = argument.dropFirst()
    guard let first = letters.first, first != "-" else { return }
    // Options together, `-0o`; help is asked for alone.
    let isHelp = letters.count > 1 && letters.contains("h")
    if !isHelp, letters.allSatisfy(Self.letters.contains) { return }
    // Numbers below zero are values, also with a unit or a second number: -5, -.5, -0.5m, -1mm, -0,1. Units have no h.
    if isOfNumber(first) {
      let unit = letters.drop(while: isOfNumber)
      if unit.count <= 2, !unit.contains("h") { return }
    }
    // `-o=d.png` is an option and its value.
    if Self.letters.contains(first), letters.dropFirst().first == "=" { return }
    throw ValidationError(
      "'\(argument)' is not an option; a file of that name is './\(argument)', or follows '--'")
  }
}

/// The command line as bytes: file names need not be text, but all paths here are.
@safe
struct RawArguments {
  private let count: Int
  private let arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  fileprivate init(
    count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) {
    self.count = Int(count)
    unsafe self.arguments = arguments
  }

  /// The words behind the program's name.
  ///
  /// - Throws: ``NameFailure`` for the first one that is not UTF-8. Swift would replace its bytes, so that another file is read or
  ///   written than the one that was named.
  func words() throws -> [String] {
    try (0..<count).compactMap { index in
      guard let argument = unsafe arguments[index] else { return nil }
      guard let word = unsafe String(validatingCString: argument) else {
        throw NameFailure(
          unsafe Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
      }
      return index > 0 ? word : nil
    }
  }
}

/// The entry of the program, called by `main` in C.
@_cdecl("depth_main")
package func depthMain(
  _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) {
  DepthProgram.main(unsafe RawArguments(count: count, arguments))
}

/// The first words of the command line, which select the command.
enum CommandWord {
  /// Fails for a word that is neither a command nor, as the first, a photo: the parser would take it for the name of
  /// one, since `predict` is the default command.
  ///
  /// - Throws: `UnknownCommand`; it names the command that was probably meant.
  static func check(_ arguments: [String]) throws {
    guard let word = arguments.first, !isPhoto(word) else { return }
    try check(arguments[...], of: Depth.self, path: [])
  }

  /// What the user types for a command: `depth effect blur`.
  static func path(of command: any ParsableCommand.Type) -> String {
    func path(from root: any ParsableCommand.Type) -> [String]? {
      if root == command { return [root._commandName] }
      return root.configuration.subcommands.lazy.compactMap { path(from: $0) }.first
        .map { [root._commandName] + $0 }
    }
    return (path(from: Depth.self) ?? [Depth._commandName]).joined(separator: " ")
  }

  /// The parser's message about an unknown option, with the nearest option of the command in place of the parser's own
  /// suggestion, which may be far off.
  static func suggestingOption(in message: String, of arguments: [String]) -> String {
    guard
      let found = message.firstMatch(
        of: /Unknown option '--(?<name>[^'=]+)[^']*'(?:\. Did you mean '[^']*'\?)?/)
    else { return message }
    var command: any ParsableCommand.Type = Depth.self
    for word in arguments {
      guard let next = command.configuration.subcommands.first(where: { $0._commandName == word })
      else { break }
      command = next
    }
    if command == Depth.self { command = Predict.self }
    let names = Depth.helpMessage(for: command).matches(of: /--([a-z0-9][a-z0-9-]*)/)
      .map { String($0.1) }
    let nearest = nearestName(to: String(found.name), among: names)
    return message.replacing(
      message[found.range],
      with: "Unknown option '--\(found.name)'"
        + (nearest.map { "; did you mean '--\($0)'?" } ?? ""),
      maxReplacements: 1)
  }

  /// A word where the name of a command is expected.
  struct UnknownCommand: Error, CustomStringConvertible {
    let description: String
    /// The command whose help lists the names.
    let owner: any ParsableCommand.Type
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.map { $0._commandName }
      + (command == Depth.self ? ["help"] : [])
  }

  /// Checks the first words, each of which selects a command of the one before.
  private static func check(
    _ words: ArraySlice<String>, of command: any ParsableCommand.Type, path: [String]
  ) throws {
    let subcommands = command.configuration.subcommands
    guard !subcommands.isEmpty, let word = words.first, !word.hasPrefix("-") else { return }
    // `depth help effect blur` names a command too. Without this check a misspelt one gets the help of the root.
    if word == "help", path.isEmpty { return try check(words.dropFirst(), of: command, path: path) }
    guard let next = subcommands.first(where: { $0._commandName == word }) else {
      let owner = path.isEmpty ? "" : " of 'depth \(path.joined(separator: " "))'"
      throw UnknownCommand(
        description: "'\(word.escapingControls)' is not a command\(owner)"
          + hint(for: word, commands: names(of: command)),
        owner: command)
    }
    try check(words.dropFirst(), of: next, path: path + [word])
  }

  /// Whether a word is a file, or names a place for one.
  private static func isPhoto(_ word: String) -> Bool {
    !names(of: Depth.self).contains(word)
      && (word.contains { "./".contains($0) } || FileManager.default.fileExists(atPath: word))
  }

  private static func hint(for word: String, commands: [String]) -> String {
    guard let nearest = nearestName(to: word, among: commands) else {
      return ", expected \(commands.joined(separator: ", "))"
    }
    return "; did you mean '\(nearest)'?"
  }
}
