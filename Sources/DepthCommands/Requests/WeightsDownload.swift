import DepthBase
import DepthErrors
import FilmFiles
import MonocularDepth
import SystemEssentials

/// A download of a published network by curl, resumed where an earlier one stopped.
///
/// Nothing has the final name before size and digest are those of the network. Until then the bytes are in a hidden part file.
struct WeightsDownload {
  private let network: PublishedNetwork
  private let folder: URL
  private let address: String
  private let isQuiet: Bool

  /// - Parameter address: The address in place of ``PublishedNetwork/address``.
  init(_ network: PublishedNetwork, folder: URL, address: String, isQuiet: Bool) {
    (self.network, self.folder, self.address) = (network, folder, address)
    self.isQuiet = isQuiet
  }

  private var file: URL { folder.appending(path: network.file) }
  private var part: URL { folder.appending(path: ".\(network.file).part") }

  /// Gets the file, unless it is there.
  ///
  /// - Parameter source: A file that came by other means.
  /// - Returns: The file.
  /// - Throws: `DepthError`; the status of Ctrl-C.
  func run(from source: String?) throws -> URL {
    if !isQuiet { Console.log("depth: \(network.name): \(network.summary)\n") }
    if let reason = WeightsLocation.distrust(of: folder) { throw DepthError(.unwritable, reason) }
    // The size alone would keep a damaged file from being mended.
    if FileFacts(of: file)?.bytes == network.bytes,
      try RandomAccessFile(path: path(file)).sha256() == network.sha256
    {
      if !isQuiet { Console.log("depth: \(file.relativePath.escapingControls): is here already\n") }
      return file
    }
    try AtomicFile.makeFolder(folder)
    if let source {
      try copy(source)
    } else {
      try download()
    }
    try check(source)
    try AtomicFile.move(path(part), to: file)
    return file
  }

  private func path(_ url: URL) -> String { url.path(percentEncoded: false) }

  private var partBytes: Int { FileFacts(of: part)?.bytes ?? 0 }

  private func copy(_ source: String) throws {
    try InputFile.requireOrdinaryFile(URL(filePath: source))
    try? FileManager.default.removeItem(at: part)
    // A link would be copied as a link.
    let file = URL(filePath: source).resolvingSymlinksInPath()
    do { try FileManager.default.copyItem(at: file, to: part) } catch {
      try? FileManager.default.removeItem(at: part)
      throw DepthError.unwritable(file: part.relativePath, reason: "\(source) cannot be copied")
    }
  }

  /// Removes a part file that is not the network's.
  private func check(_ source: String?) throws {
    let origin = source ?? "the download"
    guard partBytes == network.bytes else {
      let found = partBytes
      // A download that ended early goes on where it is.
      if found > network.bytes || source != nil {
        try? FileManager.default.removeItem(at: part)
      }
      throw DepthError(
        .damaged, file: origin,
        "has \(found) bytes, expected the \(network.bytes) of \(network.file)")
    }
    let digest = try RandomAccessFile(path: path(part)).sha256()
    guard digest == network.sha256 else {
      try? FileManager.default.removeItem(at: part)
      throw DepthError(
        .damaged, file: origin,
        "has the SHA-256 \(digest), expected \(network.sha256): another file, or damaged"
      )
    }
  }

  // MARK: - curl

  private func download() throws {
    if partBytes == network.bytes { return }
    if partBytes > network.bytes { try? FileManager.default.removeItem(at: part) }
    guard ProgramStart.path(of: "curl") != nil else {
      throw DepthError(
        .unreadable,
        "curl is not on the path: 'sudo apt install curl' (Debian, Ubuntu) installs it; \(byOtherMeans)"
      )
    }
    var outcome = try transfer()
    // The server does not resume.
    if [33, 36].contains(outcome.status) {
      try? FileManager.default.removeItem(at: part)
      outcome = try transfer()
    }
    guard outcome.status != 0 else { return }
    if outcome.status == Self.writeError, let free = FreeSpace.bytes(in: folder), free < 1 << 20 {
      throw DepthError(
        .unwritable, file: part.relativePath,
        "no space left on the device; \(partBytes) of \(network.bytes) bytes are here, and the same command resumes",
        cause: SystemFailure(ENOSPC))
    }
    let reason =
      outcome.message.isEmpty ? "curl ended with status \(outcome.status)" : outcome.message
    throw DepthError(
      .unreadable, file: url, "\(reason); the same command resumes, or \(byOtherMeans)")
  }

  /// curl's exit status where it cannot write the output file.
  private static let writeError: Int32 = 23

  private var url: String {
    (address.hasSuffix("/") ? String(address.dropLast()) : address) + "/" + network.path
  }

  private var byOtherMeans: String {
    "fetch \(network.file) by other means: depth weights fetch \(network.name) --from FILE"
  }

  private func transfer() throws -> (status: Int32, message: String) {
    let line = ProgressLine(isShown: !isQuiet, isPlainElsewhere: false)
    // Ctrl-C ends curl; what has arrived stays.
    Interruption.finishesOnFirst()
    let curl = try ChildProcess(
      "curl",
      [
        // First, or it does not count: a ~/.curlrc may name other outputs.
        "-q",
        "--fail", "--location", "--show-error",
        line.style == .terminal ? "--progress-bar" : "--silent",
        "--proto", "=https,http", "--connect-timeout", "20",
        "--speed-limit", "1", "--speed-time", "60", "--max-filesize", "\(network.bytes)",
        "--continue-at", "-", "--output", path(part), "--url", url,
      ],
      take: { said in
        let isProgress = said.allSatisfy { " #=O-.%0123456789".contains($0) }
        if isProgress { line.draw(said) }
        return isProgress
      })
    EndSignals([SIGTERM, SIGHUP]).ending(after: curl.end)
    let status = curl.finish(patience: .zero)
    line.erase()
    if Interruption.hasCome {
      Console.log(
        "depth: interrupted, \(partBytes) of \(network.bytes) bytes are here; the same command resumes\n"
      )
      throw RunStatus.interrupted
    }
    return (status, curl.messages.last.map(ChildProcess.plain) ?? "")
  }
}
