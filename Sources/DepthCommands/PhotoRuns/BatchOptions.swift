import ArgumentParser
import DepthBase
import PictureFiles
import SystemEssentials

/// Which photos a command takes, and how a run over many of them resumes an earlier one.
struct BatchOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Also search the subfolders of the folders that are given as photos.",
      discussion: """
        A folder means its JPEG, MPO, PNG, HEIC, WebP and AVIF files, except hidden files and files that this program wrote. Links to \
        folders inside it are not followed. The folder given by --output-dir gets the same tree of subfolders.
        """))
  var recursive = false

  @Option(
    help: ArgumentHelp(
      "Also take the photos that this file lists; '-' is standard input.",
      discussion: """
        The file has one path per line, or is a file that --manifest wrote; then only the photos that failed are taken.
        """,
      valueName: "file"),
    completion: .file())
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .long],
    help: """
      Paths in the --files-from file end with a zero byte instead of a line feed, as written by 'find -print0'.
      """)
  var null = false

  @Flag(
    help: ArgumentHelp(
      "Skip photos whose output files exist and are up to date; make older ones again.",
      discussion: """
        Files are up to date if none of them is empty or older than the photo, its depth file, the calibration and \
        weights that are named as files. Options are not compared. A photo on standard input, and one whose result goes to \
        standard output, is never skipped.
        """))
  var skipExisting = false

  @Option(
    help: ArgumentHelp(
      """
      Append one line of JSON per photo to this file: path, outputs, nearest and farthest depth in metres, error, \
      milliseconds.
      """,
      valueName: "file.jsonl"),
    completion: .file())
  var manifest: String?

  @Option(
    help: ArgumentHelp(
      """
      Divide the photos into N parts and process only part I, such as 2/8. A photo's part is computed from its path \
      below the named folder (CRC-32), so it is the same on every machine.
      """,
      valueName: "i/n"))
  var shard: Shard?

  /// Names of the options that were given.
  var givenOptions: [String] {
    optionNames([
      "--recursive": recursive, "--files-from": filesFrom != nil, "--skip-existing": skipExisting,
      "--manifest": manifest != nil, "--shard": shard != nil,
    ])
  }

  func validate() throws {
    if null, filesFrom == nil { throw ValidationError("--null requires --files-from") }
    if manifest == "-" { throw ValidationError("--manifest takes a file, expected no '-'") }
  }

  /// The photos that arguments and options name, in their order, each path once.
  ///
  /// - Parameters:
  ///   - arguments: Photos, folders and `-`.
  ///   - outputFolders: Folders that are written to; no photo is looked for there.
  /// - Throws: A validation error; ``InputFailure`` for a folder without photos; `DepthError` for a list that
  ///   cannot be read.
  func selection(
    of arguments: [String], outputFolders: [String?]
  ) throws -> PhotoSelection {
    if arguments.isEmpty, filesFrom == nil { throw ValidationError("no photo was named") }
    let standardInputs = (arguments + [filesFrom].compactMap { $0 }).count { $0 == "-" }
    if standardInputs > 1 {
      throw ValidationError("standard input, '-', was named twice, expected once")
    }
    let excluded = Set(
      outputFolders.compactMap { $0.flatMap { FolderListing.Identity(of: URL(filePath: $0)) } })
    var selection = PhotoSelection(
      isMany: arguments.count > 1 || filesFrom != nil,
      isUnattended: arguments.count > 1 || filesFrom != nil || skipExisting || manifest != nil)
    for argument in arguments {
      if let error = Self.addressFailure(argument) {
        selection.failures.append((argument, error))
        continue
      }
      guard argument != "-", FolderListing.Identity(of: URL(filePath: argument)) != nil else {
        selection.add(PhotoInput(path: argument))
        continue
      }
      let folder = PhotoFolder(
        argument, isRecursive: recursive, extensions: PhotoFile.extensions, excluding: excluded)
      if folder.photos.isEmpty, folder.failures.isEmpty {
        throw InputFailure(
          file: argument,
          reason: "holds no photo, expected files ending in "
            + PhotoFile.extensions.sorted().map { ".\($0)" }.joined(separator: ", ")
            + (recursive ? "" : "; --recursive searches the folders below too"))
      }
      (selection.isMany, selection.isUnattended) = (true, true)
      for photo in folder.photos { selection.add(photo) }
      selection.failures += folder.failures
      selection.otherFiles += folder.otherFiles
    }
    if let filesFrom {
      let list = try PhotoList(contentsOf: filesFrom, isNullTerminated: null)
      for photo in list.photos {
        // No folder is made for what is not there.
        if let error = Self.addressFailure(photo.path) ?? Self.missingFailure(photo.url) {
          selection.fail(photo, error)
        } else {
          selection.add(photo)
        }
      }
      selection.failures += list.failures
    }
    return selection
  }

  /// Why an address of the web is no photo.
  private static func addressFailure(_ path: String) -> (any Error)? {
    let name = path.lowercased()
    let isAddress = ["http://", "https://", "ftp://", "file://"].contains { name.hasPrefix($0) }
    guard isAddress, !FileManager.default.fileExists(atPath: path) else { return nil }
    return InputFailure(
      file: path,
      reason: name.hasPrefix("file://")
        ? "is an address, expected a path"
        : "is an address, expected a file; pass it on: curl -L ADDRESS | depth predict -")
  }

  /// Why a listed photo cannot be read, where nothing has its name.
  private static func missingFailure(_ url: URL) -> (any Error)? {
    let path = url.path(percentEncoded: false)
    guard !FileManager.default.fileExists(atPath: path) else { return nil }
    do { try InputFile.requireOrdinaryFile(url) } catch { return error }
    return nil
  }

  /// Files that the options name, which no output may replace.
  var files: [String] { [filesFrom, manifest].compactMap { $0 } }
}

/// The photos of a run.
struct PhotoSelection {
  private(set) var photos: [PhotoInput] = []
  /// What was named or found but cannot be a photo, and why.
  var failures: [(path: String, error: any Error)] = []
  /// The number of files in its folders that are no photos by their names.
  var otherFiles = 0
  /// Whether there could be more than one, so that one output's name is not enough.
  var isMany: Bool
  /// Whether the user is likely to be away: the end gets a summary.
  var isUnattended: Bool
  private var paths: Set<String> = []
  /// Where photos that cannot be read would be in the tree that an output folder mirrors.
  private(set) var relativePaths: [String: String] = [:]

  mutating func fail(_ photo: PhotoInput, _ error: any Error) {
    guard paths.insert(photo.path).inserted else { return }
    failures.append((photo.path, error))
    relativePaths[photo.path] = photo.relativePath
  }

  init(isMany: Bool, isUnattended: Bool) {
    (self.isMany, self.isUnattended) = (isMany, isUnattended)
  }

  /// The photos of a selection of many, for errors. A folder or a list that contains one photo is many, too.
  var phrase: String {
    photos.count > 1 ? "\(photos.count) photos" : "a folder or a list"
  }

  mutating func add(_ photo: PhotoInput) {
    if paths.insert(photo.path).inserted { photos.append(photo.withNamesake) }
  }
}

extension PhotoSelection {
  /// Refuses a name for one file where there are several photos, and a file on standard output beside `--json`.
  ///
  /// - Parameters:
  ///   - output: The option `-o`.
  ///   - content: What the file is, for errors.
  /// - Throws: A validation error.
  func check(output: String?, json: Bool, content: String) throws {
    if output != nil, isMany {
      throw ValidationError("-o takes one photo, expected --output-dir for \(phrase)")
    }
    if json, Console.isStandardOutput(output) {
      throw ValidationError("--json and the \(content) cannot share standard output; use -o")
    }
  }
}
