import DepthBase
import DepthErrors
import DepthNetworks
import SystemEssentials

/// The weights of one network, not read yet.
enum WeightsSource: Sendable, Hashable {
  case file(URL)
  /// The bytes of a file, and their name in errors.
  case memory(Data, name: String)

  var name: String {
    switch self {
    case .file(let file): file.relativePath
    case .memory(_, let name): name
    }
  }

  /// Length in bytes; 0 for a file that is not there.
  var bytes: Int {
    switch self {
    case .file(let file): FileFacts(of: file)?.bytes ?? 0
    case .memory(let data, _): data.count
    }
  }

  /// `nil` for weights in memory.
  var file: URL? {
    guard case .file(let file) = self else { return nil }
    return file
  }

  /// Opens the file.
  ///
  /// - Parameter kind: The user's word on published weights whose file does not say it.
  /// - Throws: `DepthError`, naming the tensor or attribute at fault.
  func opened(kind: WeightsKind?, givesNormals: Bool = false) throws -> OpenedWeights {
    switch self {
    case .file(let file):
      let archive = try Self.archive(path: file.path(percentEncoded: false), kind: kind)
      let network = try DepthNetwork(archive, givesNormals: givesNormals)
      let digest = WeightsDigest(of: archive)
      // Beside the packing of the weights: a published file does not state its digest.
      if archive.isPublished { _ = OwnThread.start { _ = try? digest.hexadecimal() } }
      return OpenedWeights(name: name, archive: archive, digest: digest, network: network)
    case .memory(let data, let name):
      let archive = try Self.archive(bytes: data.span, name: name, kind: kind)
      // At once: the copy in memory is not kept for it.
      let digest = WeightsDigest(try archive.sha256 ?? archive.digestOfAllBytes())
      return OpenedWeights(
        name: name, archive: archive, digest: digest,
        network: try DepthNetwork(archive, givesNormals: givesNormals))
    }
  }

  /// A weights file of any form, told by its content: published safetensors or `.pth`, else HDF5.
  ///
  /// - Throws: `DepthError`.
  static func archive(path: String, kind: WeightsKind?) throws -> any WeightsFile {
    if let file = try? RandomAccessFile(path: path), let arrays = try ArrayFile(file) {
      return try published(arrays, kind: kind)
    }
    return try HDF5WeightArchive(path: path)
  }

  private static func published(_ arrays: ArrayFile, kind: WeightsKind?) throws -> any WeightsFile {
    let names = arrays.arrays.keys
    let isMoGe = MoGe2Layout.isLikely(names)
    guard isMoGe || ZipDepthLayout.isLikely(names) else {
      return try DepthAnythingArchive(arrays, kind: kind)
    }
    guard kind == nil || kind == .relative && !isMoGe else {
      throw DepthError(
        .weightsMismatch, file: arrays.file.name,
        "gives \(isMoGe ? "metres" : "relative disparity") of any photo, expected no other kind of weights to be named",
        cause: SettingAtFault.needlessWeightsKind)
    }
    return isMoGe ? try MoGe2Archive(arrays) : try ZipDepthArchive(arrays)
  }

  /// The same of bytes in memory, of which a copy is made.
  static func archive(
    bytes: Span<UInt8>, name: String, kind: WeightsKind?
  ) throws -> any WeightsFile {
    if let arrays = try ArrayFile(RandomAccessFile(bytes: bytes, name: name)) {
      return try published(arrays, kind: kind)
    }
    return try HDF5WeightArchive(bytes: bytes, name: name)
  }
}

/// The weights of one network, checked and described, and its graph; kernels are read when they are needed.
struct OpenedWeights: Sendable {
  /// The file's name in errors.
  let name: String
  let archive: any WeightsFile
  let digest: WeightsDigest
  let network: DepthNetwork

  /// Opens several files at the same time: each is read to its end for its checksum.
  ///
  /// - Throws: `DepthError` of the first file at fault, naming the tensor or attribute; also for a kind that no file needs.
  static func opened(
    _ sources: [WeightsSource], kind: WeightsKind?, givesNormals: Bool = false, threads: Int
  ) throws -> [OpenedWeights] {
    let opened = try parallelMap(sources.count, threads: threads) { index in
      Result { try sources[index].opened(kind: kind, givesNormals: givesNormals) }
    }.map { try $0.get() }
    guard let kind, !opened.contains(where: \.archive.isPublished) else { return opened }
    throw DepthError(
      .weightsMismatch, file: opened.first?.name,
      "states what it was trained on, expected no kind beside it, found \(kind.rawValue)",
      cause: SettingAtFault.needlessWeightsKind)
  }
}

/// The weights that come with the package: an HDF5 file of the folder `Weights`, which SwiftPM copies beside every program that
/// is linked with the package, as a resource of the target `DepthWeights`.
package enum PackagedWeights {
  package static let file = "fcrn-lite2-nyu-int8.h5"

  /// The SHA-256 that the file states of itself.
  package static let digest = "a0d556924cd3f75fe7ac96b64e36eedd9ffc000401b691f12344517945e52d5d"

  /// Names of the file. Earlier versions had a second network, and `compact` without it.
  package static let names = ["default", "compact"]

  /// The folder that SwiftPM puts the files into, beside the executable: package, target, and the
  /// platform's extension.
  static let resourceFolder: String = {
    #if canImport(Darwin)
      "swift-depth_DepthWeights.bundle"
    #else
      "swift-depth_DepthWeights.resources"
    #endif
  }()
}

/// Identifies a weights file: the SHA-256 that a file of version 2 contains; for a file of
/// version 1 the SHA-256 of all its bytes, computed when first needed.
///
/// A child of `fork` may ask for it, whatever its parent was doing: nobody hashes under the lock, and what a thread of the
/// parent has begun counts for nothing in the child.
final class WeightsDigest: Sendable {
  typealias Hash = @Sendable () throws -> String

  private enum State: Sendable {
    case known(String)
    case open(Hash)
    /// A thread of a process hashes, which is known by its number of forks.
    case hashing(Hash, forks: Int)
  }

  private let state: Monitor<State>

  init(_ known: String) { state = Monitor(.known(known)) }

  /// - Parameter archive: The file whose values are used. It stays open where its digest is not known: its name may lead to
  ///   another one by then.
  convenience init(of archive: any WeightsFile) {
    if let known = archive.sha256 { self.init(known) } else { self.init(archive.digestOfAllBytes) }
  }

  init(_ hash: @escaping Hash) { state = Monitor(.open(hash)) }

  /// - Parameter forks: The number of forks between the first process and this one.
  /// - Throws: `DepthError` with code `unreadable`, also when somebody has written to the file since it was opened.
  func hexadecimal(forks: Int = HelperThreads.forks) throws -> String {
    enum Step {
      case done(String)
      case hash(Hash)
    }
    let step: Step = state.wait { state in
      switch state {
      case .known(let digest): return .done(digest)
      case .hashing(_, forks): return nil
      case .open(let hash), .hashing(let hash, _):
        state = .hashing(hash, forks: forks)
        return .hash(hash)
      }
    }
    switch step {
    case .done(let digest): return digest
    case .hash(let hash):
      do {
        let digest = try hash()
        state.update { $0 = .known(digest) }
        return digest
      } catch {
        state.update { $0 = .open(hash) }
        throw error
      }
    }
  }
}
