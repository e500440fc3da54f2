import Foundation
package import Testing

/// The C compiler of this machine, for programs and libraries of tests.
package enum CCompiler {
  private static let path = ["/usr/bin/cc", "/usr/bin/clang", "/usr/local/bin/clang"]
    .first(where: FileManager.default.isExecutableFile(atPath:))

  package static let isInstalled = path != nil
  package static let absence: Comment = "there is no C compiler: cc or clang"

  /// Compiles a source text.
  ///
  /// - Returns: The path of the product.
  package static func compile(
    _ text: String, _ options: [String], in folder: TemporaryFolder
  ) throws -> String {
    let source = try folder.write(Array(text.utf8), to: "source.c")
    let made = folder.path("made")
    let outcome = try CommandLineTool(at: try #require(path))
      .run(options + ["-o", made, source])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return made
  }
}
