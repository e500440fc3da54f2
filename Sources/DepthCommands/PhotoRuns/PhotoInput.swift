import ArgumentParser
import DepthBase
import SystemEssentials

/// A photo of a run: where it is read, and what its outputs are named after.
struct PhotoInput: Hashable, Sendable {
  /// The path as the user named it or as it was found below a folder; `-` is standard input.
  let path: String
  /// Where it is in the tree that an output folder mirrors; the last part of the path for a photo that was
  /// named by itself.
  let relativePath: String
  /// The name of another photo in its folder that differs from its own in the extension alone.
  var namesake: String?

  init(path: String, relativePath: String? = nil) {
    self.path = path
    self.relativePath =
      relativePath ?? (path == "-" ? "stdin" : URL(filePath: path).lastPathComponent)
  }

  var url: URL { path == "-" ? Console.standardInput : URL(filePath: path) }

  /// The photo's name with its extension.
  var name: String { path == "-" ? "stdin" : URL(filePath: path).lastPathComponent }

  /// The photo's name without its extension; with it where there is a ``namesake``.
  var stem: String { namesake == nil ? shortName : name }

  /// The photo's name without its extension.
  var shortName: String {
    path == "-" ? name : URL(filePath: path).deletingPathExtension().lastPathComponent
  }

  /// The path of a file that is named after the photo.
  ///
  /// - Parameters:
  ///   - ending: The text that follows the photo's ``stem``, such as `_depth.png`.
  ///   - folder: The folder whose tree mirrors that of the photos; beside the photo by default.
  func output(_ ending: String, in folder: String?) -> URL {
    output(named: stem + ending, in: folder)
  }

  /// The path of a file of any name, where files named after the photo go.
  func output(named name: String, in folder: String?) -> URL {
    guard let folder else {
      return URL(filePath: path).deletingLastPathComponent().appending(path: name)
    }
    return URL(filePath: folder).appending(path: AtomicFile.folder(of: relativePath) + name)
  }
}

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
    let written = outputs.map { FileFacts(of: $0) }
    let now = Self.now
    let changed = inputs.map { input -> Int? in
      let facts = FileFacts(of: URL(filePath: input))
      // What is dated in the future would never be up to date.
      return facts.map { $0.modified > now ? $0.changed : $0.modified }
    }
    return written.allSatisfy { output in
      changed.allSatisfy { input in
        // An empty file is what a full disk or a power cut leaves.
        guard let output, let input, output.bytes > 0 else { return false }
        return output.modified >= input
      }
    }
  }

  /// A note about inputs that are dated in the future; `nil` without any.
  static func note(on inputs: [String]) -> String? {
    let now = Self.now
    let late = inputs.filter { FileFacts(of: URL(filePath: $0)).map { $0.modified > now } ?? false }
    guard let first = late.first else { return nil }
    let others = late.count > 1 ? " and \(late.count - 1) more" : ""
    return
      "\(first)\(others): dated in the future; the time of the last change on this machine counts"
  }

  /// Nanoseconds since 1970.
  private static var now: Int { Int(Date().timeIntervalSince1970 * 1e9) }

  /// What a summary says where something was skipped.
  static let explanation = "files are skipped by their age, options are not compared"
}

/// One of `n` parts of the photos, by the CRC-32 of a photo's relative path: the same part on every machine,
/// whatever the order of the photos.
struct Shard: ExpressibleByArgument, Hashable, Sendable {
  /// 1…``count``.
  let index: Int
  let count: Int

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      (1...100_000).contains(count), (1...count).contains(index)
    else { return nil }
    (self.index, self.count) = (index, count)
  }

  func contains(_ relativePath: String) -> Bool {
    Int(CRC32.checksum(Array(relativePath.utf8)[...])) % count == index - 1
  }
}

/// An argument that is not UTF-8.
struct NameFailure: Error, CustomStringConvertible {
  /// The argument with every byte beyond ASCII spelled out.
  let name: String

  /// - Parameter name: A path with its other bytes spelled out already.
  init(spelledOut name: String) { self.name = name }

  init(_ bytes: [UInt8]) {
    name = bytes.map { byte in
      byte < 0x80 ? String(Unicode.Scalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  var description: String {
    "\(name): is not UTF-8, expected file names in UTF-8; rename the file, or give it as '-' on "
      + "standard input"
  }
}
