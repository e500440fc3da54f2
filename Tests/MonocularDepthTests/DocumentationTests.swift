import Foundation
import Testing
import _TestSupport

/// Every program in README and in the DocC articles is compiled: it is part of a file in `Snippets`.
@Suite struct DocumentationTests {
  private static func text(_ path: String) throws -> String {
    String(decoding: try TemporaryFolder.bytes(of: packageFolder + "/" + path), as: UTF8.self)
  }

  private static func files(_ folder: String, ending: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: packageFolder + "/" + folder)
      .filter { $0.hasSuffix(ending) }.map { "\(folder)/\($0)" }.sorted()
  }

  private static let articles = "Sources/DepthEstimation/DepthEstimation.docc"

  @Test func everyCodeBlockIsPartOfASnippet() throws {
    let snippets = try Self.files("Snippets", ending: ".swift").map {
      try Self.text($0).split(separator: "\n").map { $0.drop { $0 == " " } }
    }
    var count = 0
    for path in try ["README.md"] + Self.files(Self.articles, ending: ".md") {
      for block in try Self.text(path).components(separatedBy: "```swift\n").dropFirst() {
        let code = try #require(block.components(separatedBy: "```").first)
        // How a package names its dependency is not a program.
        if code.hasPrefix(".package") { continue }
        let wanted = code.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(
          snippets.contains { snippet in
            snippet.indices.contains { snippet[$0...].starts(with: wanted) }
          }, "\(path): not in Snippets:\n\(code)")
        count += 1
      }
    }
    #expect(count >= 10)
  }

  @Test func articlesLinkToArticlesThatExist() throws {
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
