import DepthBase
import DepthErrors
import FilmFiles
import MonocularDepth
import SystemEssentials

/// A download of a published network by curl, resumed where an earlier one stopped.
///
/// curl's output comes through a pipe, so that it ends with this process and writes no file. Nothing has the final name before
/// size and digest are those of the network.
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
    let original = try source.map { try RandomAccessFile(path: $0) }
    if let original, original.size != network.bytes {
      throw wrongSize(original.size, of: original.name)
    }
    try AtomicFile.makeFolder(folder)
    let part = try ResumedFile(at: folder.appending(path: ".\(network.file).part"), for: file)
    do {
      if let original { try copy(original, to: part) } else { try download(part) }
      try check(part, from: source)
    } catch {
      // The bytes of a download are kept for the next run.
      if source != nil || !(1..<network.bytes).contains(part.bytes) { part.remove() }
      throw error
    }
    try part.finish(as: file)
    return file
  }

  private func path(_ url: URL) -> String { url.path(percentEncoded: false) }

  private func copy(_ original: RandomAccessFile, to part: ResumedFile) throws {
    try part.empty()
    try original.forEachPiece(of: 0..<original.size, "the file") {
      try append($0, to: part, isResumed: false)
    }
  }

  /// - Parameter isResumed: Whether the next run goes on where this one ends.
  private func append(
    _ piece: ArraySlice<UInt8>, to part: ResumedFile, isResumed: Bool
  ) throws {
    do throws(SystemFailure) { try part.append(piece.span) } catch {
      let rest =
        isResumed && error.code == ENOSPC
        ? "; \(part.bytes) of \(network.bytes) bytes are here, and the same command resumes" : ""
      throw DepthError(
        .unwritable, file: file.relativePath, systemReason(error.code) + rest, cause: error)
    }
  }

  private func check(_ part: ResumedFile, from source: String?) throws {
    let origin = source ?? "the download"
    guard part.bytes == network.bytes else { throw wrongSize(part.bytes, of: origin) }
    let digest = try RandomAccessFile(path: part.path).sha256()
    guard digest == network.sha256 else {
      throw DepthError(
        .damaged, file: origin,
        "has the SHA-256 \(digest), expected \(network.sha256): another file, or damaged"
      )
    }
  }

  private func wrongSize(_ bytes: Int, of origin: String) -> DepthError {
    DepthError(
      .damaged, file: origin,
      "has \(bytes) bytes, expected the \(network.bytes) of \(network.file)")
  }

  // MARK: - curl

  private func download(_ part: ResumedFile) throws {
    if part.bytes > network.bytes { try part.empty() }
    if part.bytes == network.bytes { return }
    guard ProgramStart.path(of: "curl") != nil else {
      throw DepthError(
        .unreadable,
        "curl is not on the path: 'sudo apt install curl' (Debian, Ubuntu) installs it; \(byOtherMeans)"
      )
    }
    var outcome = try transfer(part)
    // The server does not resume.
    if [33, 36].contains(outcome.status) {
      try part.empty()
      outcome = try transfer(part)
    }
    guard outcome.status != 0 else {
      // A whole answer that is too short is another one, such as the page of a network that wants a login.
      if part.bytes < network.bytes {
        let bytes = part.bytes
        try part.empty()
        throw wrongSize(bytes, of: "the download")
      }
      return
    }
    let reason =
      outcome.message.isEmpty ? "curl ended with status \(outcome.status)" : outcome.message
    throw DepthError(
      .unreadable, file: url, "\(reason); the same command resumes, or \(byOtherMeans)")
  }

  private var url: String {
    (address.hasSuffix("/") ? String(address.dropLast()) : address) + "/" + network.path
  }

  private var byOtherMeans: String {
    "fetch \(network.file) by other means: depth weights fetch \(network.name) --from FILE"
  }

  private func transfer(_ part: ResumedFile) throws -> (status: Int32, message: String) {
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
        "--url", url,
      ] + (part.bytes > 0 ? ["--continue-at", "\(part.bytes)"] : []),
      output: .pipe,
      take: { said in
        let isProgress = said.allSatisfy { " #=O-.%0123456789".contains($0) }
        if isProgress { line.draw(said) }
        return isProgress
      })
    EndSignals([SIGTERM, SIGHUP]).ending(after: curl.end)
    defer { curl.end() }
    try curl.forEachPiece(patience: .zero) { piece in
      if Interruption.hasCome { curl.end() }
      // An answer need not say its length.
      guard piece.count <= network.bytes - part.bytes else {
        try part.empty()
        throw DepthError(
          .damaged, file: "the download",
          "has more than the \(network.bytes) bytes of \(network.file)")
      }
      try append(piece[...], to: part, isResumed: true)
    }
    let status = curl.finish(patience: .zero)
    line.erase()
    if Interruption.hasCome {
      Console.log(
        "depth: interrupted, \(part.bytes) of \(network.bytes) bytes are here; the same command resumes\n"
      )
      throw RunStatus.interrupted
    }
    return (status, curl.messages.last.map(ChildProcess.plain) ?? "")
  }
}
