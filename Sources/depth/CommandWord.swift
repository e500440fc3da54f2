import ArgumentParser
import DepthOptions
import PhotoRuns
import SystemEssentials

/// The first word of the command line, which selects the command.
enum CommandWord {
  /// The command line with the command that a photo's name alone means, `predict`.
  ///
  /// - Throws: `UnknownCommand` for a word that is not a command; it names the one that was probably meant.
  static func completed(_ arguments: [String]) throws -> [String] {
    guard let word = arguments.first else { return arguments }
    guard !word.hasPrefix("-") else {
      // The root has only the options that every command has, so another option without a command is one of `predict`.
      let commands = names(of: Depth.self)
      let namesCommand = arguments.prefix { $0 != "--" }.contains { commands.contains($0) }
      return isOfEveryCommand(word) || namesCommand ? arguments : ["predict"] + arguments
    }
    if !names(of: Depth.self).contains(word), isPhoto(word) { return ["predict"] + arguments }
    try check(arguments[...], of: Depth.self, path: [])
    return arguments
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

  /// A word where the name of a command is expected.
  struct UnknownCommand: Error, CustomStringConvertible {
    let description: String
    /// The command whose help lists the names.
    let owner: any ParsableCommand.Type
  }

  private static func isOfEveryCommand(_ option: String) -> Bool {
    ["-h", "--help", "--version"].contains(option)
      || ["--help-", "--experimental-", "--generate-"].contains { option.hasPrefix($0) }
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

  /// Whether a word is a file or names one that could be a photo.
  private static func isPhoto(_ word: String) -> Bool {
    FileManager.default.fileExists(atPath: word)
      || ["jpg", "jpeg", "png"].contains(URL(filePath: word).pathExtension.lowercased())
  }

  private static func hint(for word: String, commands: [String]) -> String {
    guard let nearest = nearestName(to: word, among: commands) else {
      return ", expected \(commands.joined(separator: ", "))"
    }
    return "; did you mean '\(nearest)'?"
  }
}
