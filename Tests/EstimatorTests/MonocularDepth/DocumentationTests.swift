import Foundation
import Testing
import _TestSupport

/// Snippets contain every program in README, DocC articles and comments of public types. The build
/// compiles the snippets.
@Suite struct DocumentationTests {
  private static func text(_ path: String) throws -> String {
    String(decoding: try TemporaryFolder.bytes(of: packageFolder + "/" + path), as: UTF8.self)
  }

  private static func files(_ folder: String, ending: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: packageFolder + "/" + folder)
      .filter { $0.hasSuffix(ending) }.map { "\(folder)/\($0)" }.sorted()
  }

  private static let articles = "Sources/DepthEstimation/DepthEstimation.docc"

  /// The lines of all snippets without their indentation.
  private static func snippets() throws -> [[Substring]] {
    try files("Snippets", ending: ".swift").map { lines(try text($0)) }
  }

  private static func lines(_ code: String) -> [Substring] {
    code.split(separator: "\n").map { $0.drop { $0 == " " } }
  }

  private func requireSnippet(_ code: String, in path: String) throws {
    let wanted = Self.lines(code)
    #expect(
      try Self.snippets().contains { snippet in
        snippet.indices.contains { snippet[$0...].starts(with: wanted) }
      }, "\(path): not in Snippets:\n\(code)")
  }

  @Test("every code block of README and articles is part of a snippet")
  func everyCodeBlockIsPartOfASnippet() throws {
    var count = 0
    for path in try ["README.md"] + Self.files(Self.articles, ending: ".md") {
      for block in try Self.text(path).components(separatedBy: "```swift\n").dropFirst() {
        let code = try #require(block.components(separatedBy: "```").first)
        // A dependency in a package manifest is not a program.
        if code.hasPrefix(".package") { continue }
        try requireSnippet(code, in: path)
        count += 1
      }
    }
    #expect(count >= 10)
  }

  @Test("every public type has an example in a snippet") func everyPublicTypeHasAnExample() throws {
    let declaration = /^ *public (indirect |final )*(struct|enum|class|actor|protocol) (\w+)/
    var count = 0
    let sources = try #require(FileManager.default.enumerator(atPath: packageFolder + "/Sources"))
    for case let path as String in sources where path.hasSuffix(".swift") {
      // These folders have types that the umbrella module does not export.
      if ["depth/", "DepthBase/ProcessLimits/"].contains(where: path.hasPrefix) {
        continue
      }
      var comment: [Substring] = []
      for line in try Self.text("Sources/" + path).split(separator: "\n") {
        let bare = line.drop { $0 == " " }
        if bare.hasPrefix("///") {
          comment.append(bare.dropFirst(3).drop { $0 == " " })
        } else if !bare.hasPrefix("@") {
          if let type = line.firstMatch(of: declaration) {
            let start = comment.firstIndex(of: "```swift")
            #expect(start != nil, "\(path): \(type.3) has no example")
            if let start {
              let code = comment[(start + 1)...].prefix { $0 != "```" }
              try requireSnippet(code.joined(separator: "\n"), in: path)
              count += 1
            }
          }
          comment = []
        }
      }
    }
    #expect(count > 50)
  }

  @Test("articles link only to articles that exist") func articlesLinkToArticlesThatExist() throws {
    let files = try Self.files(Self.articles, ending: ".md")
    let names = Set(files.map { ($0 as NSString).lastPathComponent.dropLast(3) })
    for path in files {
      for link in try Self.text(path).components(separatedBy: "<doc:").dropFirst() {
        let name = link.prefix { $0 != ">" }
        #expect(names.contains(name), "\(path) links to \(name)")
      }
    }
  }
}
