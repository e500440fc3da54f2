import DepthBase
import SystemEssentials

/// The rule of Make by which `--skip-existing` skips photos and films.
///
/// Outputs are up to date if none is missing, empty or older than a source. Options are not
/// compared.
enum UpToDate {
  /// Whether files are up to date.
  ///
  /// - Parameters:
  ///   - outputs: Files of one photo or film.
  ///   - inputs: Paths of the sources; standard input, `-`, has no age.
  /// - Returns: `false` without outputs, and if standard input or output is among the files.
  static func holds(_ outputs: [URL], from inputs: [String]) -> Bool {
    guard !outputs.isEmpty, !outputs.contains(Console.standardOutput), !inputs.contains("-") else {
      return false
    }
    let written = outputs.map { FileFacts(of: $0) }
    let now = Self.now
    let changed = inputs.map { input -> Int? in
      let facts = FileFacts(of: URL(filePath: input))
      // An input dated in the future would always be newer than the outputs.
      return facts.map { $0.modified > now ? $0.changed : $0.modified }
    }
    return written.allSatisfy { output in
      changed.allSatisfy { input in
        // A full disk or a power failure leaves empty files.
        guard let output, let input, output.bytes > 0 else { return false }
        return output.modified >= input
      }
    }
  }

  /// A note about inputs with future dates; `nil` if there are none.
  static func note(on inputs: [String]) -> String? {
    let now = Self.now
    let late = inputs.filter { FileFacts(of: URL(filePath: $0)).map { $0.modified > now } ?? false }
    guard let first = late.first else { return nil }
    let others = late.count > 1 ? " and \(late.count - 1) more" : ""
    return
      "\(first)\(others): dated in the future, so the time of the last change on this machine is used"
  }

  /// Current time in nanoseconds since 1970.
  private static var now: Int { Int(Date().timeIntervalSince1970 * 1e9) }

  /// Explanation in a summary with skipped files.
  static let explanation = "files are skipped by their modification times, options are not compared"
}
