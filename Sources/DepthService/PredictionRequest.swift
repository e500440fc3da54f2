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
  static let optionsOfOthers = OptionTable(of: BatchOptions.self).names
    .union(OptionTable(of: CommonOptions.self).names).subtracting(["skip-existing"])

  /// Those that `depth worker` itself has.
  private static let optionsOfWorker = OptionTable(of: WeightsOptions.self).names.union(["threads"])

  /// Options of `depth predict` for one photo, which are the keys of a request beside `id` and `input`.
  static let keys = OptionTable(of: PredictionOptions.self, without: optionsOfOthers)

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
    guard !optionsOfOthers.contains(name) else {
      throw RequestFault(
        optionsOfWorker.contains(name)
          ? "'\(member.key)' is not a key of a request, but --\(name) an option of the worker"
          : "'\(member.key)' is not a key of a request, which is for one photo")
    }
    guard let kind = keys.kinds[name] else {
      let hint = keys.nearest(to: name).map {
        ". Did you mean '\($0.replacing("-", with: "_"))'?"
      }
      throw RequestFault("'\(member.key)' is not a key of a request\(hint ?? "")")
    }
    switch (kind, member.value) {
    case (_, .null): return []
    case (.flag, .bool(let isOn)): return isOn ? ["--\(name)"] : []
    case (.value, .number(let text)): return ["--\(name)=\(text)"]
    case (.value, .string(let text)):
      guard !text.isEmpty else {
        throw RequestFault("'\(member.key)' is empty, expected a name or a value")
      }
      return ["--\(name)=\(try path(text))"]
    default:
      let expected = kind == .flag ? "true or false" : "a text or a number"
      throw RequestFault("'\(member.key)' is \(words(member.value)), expected \(expected)")
    }
  }

  /// A value in a message.
  private static func words(_ value: JSONObjectLine.Value) -> String {
    switch value {
    case .string(let text): "the text '\(text)'"
    case .number(let text): text
    case .bool(let isOn): "\(isOn)"
    case .null: "null"
    case .array, .object: "a list or an object"
    }
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
    PredictionOptions.message(for: error).split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
  }

  /// Standard input has the requests and standard output the answers.
  private func checkStreams() throws {
    for (key, file) in [("input", input)] + options.calibration.files.map({ ("calibration", $0) })
    where ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(file)
      || OpenFile.isNamed(file, descriptor: STDIN_FILENO, countsDevices: false)
    {
      throw RequestFault("'\(key)' is standard input, which has the requests; expected a file")
    }
    let outputs = [
      options.output.depthFile.output, options.output.view.path,
      options.output.depthPhoto.path,
    ]
    if outputs.compactMap(\.self).contains(where: {
      Console.isStandardOutput($0)
        || OpenFile.isNamed($0, descriptor: STDOUT_FILENO, countsDevices: false)
    }) {
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
