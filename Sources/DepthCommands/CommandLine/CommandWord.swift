import ArgumentParser
import SystemEssentials

/// Checks of the first words of the command line, which select the command.
enum CommandWord {
  /// Fails if the first word is neither a command nor a photo. The parser would treat the word as a photo for
  /// `predict`.
  ///
  /// - Throws: `UnknownCommand`, with the nearest command.
  static func check(_ arguments: [String]) throws {
    guard let word = arguments.first, !isPhoto(word) else { return }
    try check(arguments[...], of: Depth.self, path: [])
  }

  /// Words that select a command, such as `depth effect blur`.
  static func path(of command: any ParsableCommand.Type) -> String {
    func path(from root: any ParsableCommand.Type) -> [String]? {
      if root == command { return [root._commandName] }
      return root.configuration.subcommands.lazy.compactMap { path(from: $0) }.first
        .map { [root._commandName] + $0 }
    }
    return (path(from: Depth.self) ?? [Depth._commandName]).joined(separator: " ")
  }

  /// Replaces the suggestion in the parser's message about an unknown option with the command's nearest option.
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

  /// A word that is not a command, in a place where a command is expected.
  struct UnknownCommand: Error, CustomStringConvertible {
    let description: String
    /// The command whose help lists the names.
    let owner: any ParsableCommand.Type
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.map { $0._commandName }
      + (command == Depth.self ? ["help"] : [])
  }

  /// Checks the first words, each of which selects a subcommand of the preceding word.
  private static func check(
    _ words: ArraySlice<String>, of command: any ParsableCommand.Type, path: [String]
  ) throws {
    let subcommands = command.configuration.subcommands
    guard !subcommands.isEmpty, let word = words.first, !word.hasPrefix("-") else { return }
    // `depth help effect blur` also names a command. Without this check, a misspelt command would show the root's
    // help.
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

  /// Whether a word is an existing file or looks like a path.
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
