import DepthBase
import DepthErrors
import SystemEssentials
import WeightsFiles

/// A resumable download of a published network by curl.
///
/// curl writes to a pipe, so curl ends with this process and writes no file. The file gets its final name only after
/// its digest is verified.
struct WeightsDownload {
  private let network: PublishedNetwork
  private let folder: URL
  private let address: String
  private let isQuiet: Bool

  /// - Parameter address: Replaces ``PublishedNetwork/address``.
  init(_ network: PublishedNetwork, folder: URL, address: String, isQuiet: Bool) {
    (self.network, self.folder, self.address) = (network, folder, address)
    self.isQuiet = isQuiet
  }

  private var file: URL { folder.appending(path: network.file) }

  /// Obtains the file, unless the file already exists.
  ///
  /// - Parameter source: A local file to use instead of a download.
  /// - Returns: The file.
  /// - Throws: `DepthError`; the exit status after Ctrl-C.
  func run(from source: String?) throws -> URL {
    if !isQuiet { Console.note("\(network.name): \(network.summary)") }
    if let reason = WeightsLocation.distrust(of: folder) { throw DepthError(.unwritable, reason) }
    if try isHere() {
      if !isQuiet { Console.note("\(file.relativePath): exists already") }
      return file
    }
    let original = try source.map { try RandomAccessFile(path: $0) }
    if let original, !content.accepts(bytes: original.size) {
      throw wrongSize(original.size, of: original.name)
    }
    try AtomicFile.makeFolder(folder)
    let part = try ResumedFile(at: folder.appending(path: ".\(network.file).part"), for: file)
    var isComplete = false
    let kept: String?
    do {
      if let original { try copy(original, to: part) } else { try download(part) }
      isComplete = true
      try check(part, from: source)
      kept = content.bytes == nil ? try RandomAccessFile(path: part.path).sha256() : nil
    } catch {
      // The bytes of an interrupted download are kept for the next run.
      if source != nil || isComplete || part.bytes == 0 { part.remove() }
      throw error
    }
    try part.finish(as: file)
    if let kept { try keep(kept) }
    return file
  }

  private var content: PublishedContent { network.content }

  /// Whether the file exists and matches the published digest. If a SHA-256 is stored for the file, it must match, too.
  private func isHere() throws -> Bool {
    // Comparing only the size would not detect a damaged file.
    guard let bytes = FileFacts(of: file)?.bytes, content.accepts(bytes: bytes) else {
      return false
    }
    let found = try RandomAccessFile(path: path(file))
    guard try content.matches(found) else { return false }
    guard content.bytes == nil else { return true }
    let digest = try found.sha256()
    guard let kept = KeptSHA256.read(beside: file) else {
      try keep(digest)
      return true
    }
    return kept == digest
  }

  /// Stores the SHA-256 of a file whose authors publish another kind of digest.
  private func keep(_ digest: String) throws {
    try KeptSHA256.write(digest, beside: file)
    if !isQuiet {
      Console.note("\(file.relativePath): SHA-256 \(digest)")
    }
  }

  private func path(_ url: URL) -> String { url.path(percentEncoded: false) }

  private func copy(_ original: RandomAccessFile, to part: ResumedFile) throws {
    try part.empty()
    try original.forEachPiece(of: 0..<original.size, "the file") {
      try append($0, to: part, isResumed: false)
    }
  }

  /// - Parameter isResumed: Whether the next run resumes after the bytes of this run.
  private func append(
    _ piece: ArraySlice<UInt8>, to part: ResumedFile, isResumed: Bool
  ) throws {
    do throws(SystemFailure) { try part.append(piece.span) } catch {
      let rest =
        isResumed && error.code == ENOSPC
        ? "; \(amount(of: part)) are downloaded, and the same command resumes" : ""
      throw DepthError(
        .unwritable, file: file.relativePath, systemReason(error.code) + rest, cause: error)
    }
  }

  private func check(_ part: ResumedFile, from source: String?) throws {
    let origin = source ?? "the download"
    guard content.accepts(bytes: part.bytes) else { throw wrongSize(part.bytes, of: origin) }
    let digest = try content.digest(of: RandomAccessFile(path: part.path))
    guard digest == content.digest else {
      throw DepthError(
        .damaged, file: origin,
        "has the \(content.digestName) \(digest), expected \(content.digest): it is another file, or damaged"
      )
    }
  }

  private func wrongSize(_ bytes: Int, of origin: String) -> DepthError {
    DepthError(
      .damaged, file: origin,
      "has \(bytes) bytes, expected \(expectedBytes) of \(network.file)")
  }

  private var expectedBytes: String {
    content.bytes.map { "the \($0)" } ?? "at most \(content.limit)"
  }

  /// "3 of 5 bytes".
  private func amount(of part: ResumedFile) -> String {
    "\(part.bytes)\(content.bytes.map { " of \($0)" } ?? "") bytes"
  }

  // MARK: - curl

  private func download(_ part: ResumedFile) throws {
    // An earlier run may have ended after the last byte, before the check.
    if part.bytes > 0, try content.matches(RandomAccessFile(path: part.path)) { return }
    if part.bytes >= content.limit { try part.empty() }
    guard ProgramStart.path(of: "curl") != nil else {
      throw DepthError(
        .unreadable,
        "curl is not on the PATH: 'sudo apt install curl' (Debian, Ubuntu) installs it; \(byOtherMeans)"
      )
    }
    var outcome = try transfer(part)
    // The server does not support resuming, or the server's file is not longer than the partial file.
    if [33, 36].contains(outcome.status) || outcome.isAtTheEnd {
      try part.empty()
      outcome = try transfer(part)
    }
    guard outcome.status != 0 else {
      // A complete but short response is another file, such as a network's login page.
      if !content.accepts(bytes: part.bytes) {
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
    "download \(network.file) by other means: depth weights fetch \(network.name) --from FILE"
  }

  /// The result of a curl run.
  private struct Outcome {
    let status: Int32
    let message: String
    /// Whether the server has no bytes after the end of the partial file.
    let isAtTheEnd: Bool
  }

  private func transfer(_ part: ResumedFile) throws -> Outcome {
    let start = part.bytes
    let line = ProgressLine(isShown: !isQuiet, isPlainElsewhere: false)
    // Ctrl-C ends curl, and the received bytes are kept.
    Interruption.finishesOnFirst()
    let curl = try ChildProcess(
      "curl",
      [
        // -q must come first, since a ~/.curlrc may name other outputs.
        "-q",
        "--fail", "--location", "--show-error",
        line.style == .terminal ? "--progress-bar" : "--silent",
        "--proto", "=https,http", "--connect-timeout", "20",
        "--speed-limit", "1", "--speed-time", "60", "--max-filesize", "\(content.limit)",
        "--url", url,
      ] + (start > 0 ? ["--continue-at", "\(start)"] : []),
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
      // A response may have no length, so the limit is checked here.
      guard piece.count <= content.limit - part.bytes else {
        try part.empty()
        throw DepthError(
          .damaged, file: "the download",
          "has more bytes than \(network.file), expected \(expectedBytes)")
      }
      try append(piece[...], to: part, isResumed: true)
    }
    let status = curl.finish(patience: .zero)
    line.erase()
    if Interruption.hasCome {
      Console.note("interrupted, \(amount(of: part)) are downloaded; the same command resumes")
      throw RunStatus.interrupted
    }
    let message = curl.messages.last.map(ChildProcess.plain) ?? ""
    // Newer versions of curl treat status 416 (Range Not Satisfiable) as the end of a complete file.
    let isAtTheEnd =
      start > 0 && part.bytes == start
      && (status == 0 || status == 22 && message.contains("error: 416"))
    return Outcome(status: status, message: message, isAtTheEnd: isAtTheEnd)
  }
}
