import ArgumentParser
import MonocularDepth
import WeightsFiles

/// `depth weights list`: installed weights, and weights that can be downloaded.
struct ListWeights: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List weights that are installed or can be downloaded.")

  @Flag(help: "Print one JSON object per name.") var json = false

  /// A line of `--json`.
  private struct Entry: Encodable {
    let name: String
    /// Empty for a network that is not installed.
    let files: [String]
    var bytes, bytesAtMost: Int?
    let license: String
    var taughtBy: String?
    let unit: String
  }

  func run() throws {
    let bundled = PackagedWeights.names.map {
      Entry(
        name: $0, files: (try? WeightsSelection(named: [$0]).paths) ?? [],
        license: "see Weights/README.md", unit: "metres in rooms")
    }
    let published = PublishedNetwork.all.map {
      Entry(
        name: $0.name, files: (try? WeightsSelection(named: [$0.name]).paths) ?? [],
        bytes: $0.content.bytes, bytesAtMost: $0.content.bytes == nil ? $0.content.limit : nil,
        license: $0.license, taughtBy: $0.teacher, unit: $0.unit)
    }
    guard !json else {
      for entry in bundled + published { try Console.write(jsonLine(entry)) }
      return
    }
    let width = published.map(\.name.count).max() ?? 0
    func line(_ name: String, _ summary: String, _ files: [String]) -> String {
      name.padded(to: width + 2) + summary + "\n"
        + files.map { "  \($0.escapingControls)\n" }.joined()
    }
    try Console.write(
      bundled.map { line($0.name, $0.unit, $0.files) }.joined()
        + zip(published, PublishedNetwork.all).map {
          line($0.name, $1.summary + ($0.files.isEmpty ? "; not here" : ""), $0.files)
        }.joined() + "\n" + PublishedNetwork.notes)
  }
}
