import ArgumentParser
import AtomicFiles
package import DepthOptions
package import JSONLines
import PhotoRuns
import SystemEssentials

/// A request of `depth worker`: the command line of `depth predict` for one photo, as a JSON object.
package struct PredictionRequest {
  /// The photo, as the request names it.
  package let input: String
  package let options: PredictionOptions

  /// Options of `depth predict` that a request cannot have: for many photos, or for the whole worker.
  package static let optionsOfOthers: Set = [
    "recursive", "files-from", "null", "manifest", "shard", "weights", "mirrored", "no-mirrored",
    "input-size", "precision", "threads", "json", "quiet",
  ]

  /// Options without a value, which are `true` or `false` in a request.
  package static let flags: Set = [
    "linear", "overwrite", "fill", "keep-location", "strip-metadata",
    "skip-existing",
  ]

  /// - Throws: ``RequestFault``.
  package init(_ members: [JSONObjectLine.Member]) throws {
    guard let first = members.first(where: { $0.key == "input" }),
      case .string(let input) = first.value, !input.isEmpty
    else { throw RequestFault("expected the key 'input' with the path of a photo") }
    self.input = try Self.path(input)
    var arguments: [String] = []
    var names: Set<String> = []
    for member in members where !["id", "input"].contains(member.key) {
      let name = member.key.replacing("_", with: "-")
      guard names.insert(name).inserted else {
        throw RequestFault("the object has the key '\(member.key)' twice")
      }
      arguments += try Self.arguments(name, member)
    }
    do { options = try PredictionOptions.parse(arguments + ["--", input]) } catch {
      throw RequestFault(Self.keyed(Self.text(of: error), members))
    }
    try checkStreams()
  }

  /// The command line's words for one member.
  private static func arguments(
    _ name: String, _ member: JSONObjectLine.Member
  ) throws -> [String] {
    guard let start = name.utf8.first, (0x61...0x7A).contains(start),
      name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D }), name.utf8.count > 1
    else { throw RequestFault("'\(member.key)' is not a key of a request") }
    guard !optionsOfOthers.contains(name) else {
      throw RequestFault("'\(member.key)' is not a key of a request, which is for one photo")
    }
    switch member.value {
    case .null: return []
    case .bool(let isOn):
      guard flags.contains(name) else {
        guard isOption(name) else {
          throw RequestFault("'\(member.key)' is not a key of a request")
        }
        throw RequestFault("'\(member.key)' is \(isOn), expected a text or a number")
      }
      return isOn ? ["--\(name)"] : []
    case .string(let text) where flags.contains(name):
      throw RequestFault("'\(member.key)' is the text '\(text)', expected true or false")
    case .number(let text) where flags.contains(name):
      throw RequestFault("'\(member.key)' is \(text), expected true or false")
    case .string(let text):
      guard !text.isEmpty else {
        throw RequestFault("'\(member.key)' is empty, expected a name or a value")
      }
      return ["--\(name)=\(try path(text))"]
    case .number(let text): return ["--\(name)=\(text)"]
    case .array, .object:
      throw RequestFault("'\(member.key)' is a list or an object, expected a text or a number")
    }
  }

  /// Whether `depth predict` has an option of this name.
  private static func isOption(_ name: String) -> Bool {
    do { _ = try PredictionOptions.parse(["--\(name)"]) } catch {
      let isHelp = PredictionOptions.exitCode(for: error) == .success
      return !isHelp && !text(of: error).hasPrefix(unknownOption)
    }
    return true
  }

  /// A text that the system's calls take whole.
  private static func path(_ text: String) throws -> String {
    guard !text.utf8.contains(0) else {
      throw RequestFault("a text contains the character U+0000, expected none")
    }
    return text
  }

  /// The one sentence about a wrong option.
  private static func text(of error: any Error) -> String {
    // Asking for help or the version is no failure of a command line.
    guard PredictionOptions.exitCode(for: error) != .success else {
      return "the keys are not those of a request"
    }
    return PredictionOptions.message(for: error).split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
  }

  /// Standard input has the requests and standard output the answers.
  private func checkStreams() throws {
    for (key, file) in [("input", input)] + options.calibration.files.map({ ("calibration", $0) })
    where ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(file) {
      throw RequestFault("'\(key)' is standard input, which has the requests; expected a file")
    }
    let outputs = [
      options.output.output, options.output.view, options.output.depthPhoto,
    ]
    if outputs.contains(where: Console.isStandardOutput) {
      throw RequestFault("an output is standard output, which has the answers; expected a file")
    }
    if FolderListing.Identity(of: URL(filePath: input)) != nil {
      throw RequestFault("\(input): is a folder, expected a photo")
    }
  }
}

/// Why an object is not a request.
package struct RequestFault: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
