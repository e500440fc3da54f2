import DepthBase
import SystemEssentials

/// Make's rule, by which `--skip-existing` skips photos and films: their files exist, and none of them is older than
/// anything that it is made from. Options are not compared.
enum UpToDate {
  /// Whether files may stay as they are.
  ///
  /// - Parameters:
  ///   - outputs: Files of one photo or film.
  ///   - inputs: Paths of what they are made from; standard input, `-`, has no age.
  /// - Returns: `false` without outputs, and where one of them is standard output.
  static func holds(_ outputs: [URL], from inputs: [String]) -> Bool {
    guard !outputs.isEmpty, !outputs.contains(Console.standardOutput), !inputs.contains("-") else {
      return false
    }
    let written = outputs.map { FileFacts(of: $0)?.modified }
    let changed = inputs.map { FileFacts(of: URL(filePath: $0))?.modified }
    return written.allSatisfy { output in
      changed.allSatisfy { input in
        guard let output, let input else { return false }
        return output >= input
      }
    }
  }

  /// What a summary says where something was skipped.
  static let note = "files are skipped by their age, options are not compared"
}
