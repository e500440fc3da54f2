import ArgumentParser
import DepthOptions
import PhotoRuns
import SystemEssentials

/// The first word of the command line, which selects the command.
enum CommandWord {
  /// The command line with the command that a photo's name alone means, `predict`.
  ///
  /// - Throws: A validation error for a word that is no command; it names the one that was probably meant.
  static func completed(_ arguments: [String]) throws -> [String] {
    guard let word = arguments.first, !word.hasPrefix("-") else { return arguments }
    let commands = Depth.configuration.subcommands.map { $0._commandName } + ["help"]
    guard !commands.contains(word) else { return arguments }
    guard isPhoto(word) else {
      throw ValidationError("'\(word)' is not a command" + hint(for: word, commands: commands))
    }
    return ["predict"] + arguments
  }

  /// Whether a word is a file or names one that could be a photo.
  private static func isPhoto(_ word: String) -> Bool {
    FileManager.default.fileExists(atPath: word)
      || ["jpg", "jpeg", "png"].contains(URL(filePath: word).pathExtension.lowercased())
  }

  private static func hint(for word: String, commands: [String]) -> String {
    let nearest = commands.min { distance(word, $0) < distance(word, $1) }
    guard let nearest, distance(word, nearest) <= 2 else {
      return ", expected \(commands.joined(separator: ", "))"
    }
    return "; did you mean '\(nearest)'?"
  }

  /// Characters to change, add or leave out until one word is the other (Levenshtein).
  static func distance(_ a: String, _ b: String) -> Int {
    let b = Array(b)
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let substituted = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
